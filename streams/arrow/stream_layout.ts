/**
 * The stream format: one message after the other, the schema first.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { FileInput } from "../file_input.ts";
import { checkSchema } from "./check_schema.ts";
import { corrupt, inMessage, type PlacedMessage, readMessage } from "./message.ts";

/** Bytes of the magic at the front of a file, padded to 8, and of the front of a message. */
export const frontBytes = 8;

/** An opened input: its schema, and the messages that follow. */
export interface OpenedArrow {
  readonly schema: Schema;
  /**
   * Dictionaries and record batches. Each body must be read or skipped before the next message is
   * asked for. While `skims` is true, of a file no more is read than the descriptions.
   */
  messages(skims: () => boolean): AsyncGenerator<PlacedMessage, void, void>;
}

/** Bytes that are read for a description whose length is not known. */
const descriptionBytes = 1 << 10;

/** Opens a stream whose schema comes next. */
export async function openStream(input: FileInput): Promise<OpenedArrow> {
  const first = await readSchemaMessage(input);
  const { chunkBytes } = input;
  return {
    schema: first.header as Schema,
    async *messages(skims) {
      // The descriptions of record batches of one schema are mostly of the same length.
      let usualBytes = descriptionBytes;
      let before = first;
      for (let number = 2;; number++) {
        input.chunkBytes = skims() ? usualBytes : chunkBytes;
        const message = await readMessage(input, number, before);
        if (message === undefined) return;
        usualBytes = message.frontBytes;
        yield checkKind(message);
        before = message;
      }
    },
  };
}

async function readSchemaMessage(input: FileInput): Promise<PlacedMessage> {
  const where = inMessage({ number: 1, byte: input.position });
  const message = await readMessage(input, 1);
  if (message?.message.isSchema() !== true) throw corrupt(where, "it is not a schema");
  checkSchema(message.header as Schema, where);
  return message;
}

function checkKind(placed: PlacedMessage): PlacedMessage {
  const { message, place } = placed;
  if (message.isRecordBatch() || message.isDictionaryBatch()) return placed;
  throw corrupt(inMessage(place), "it is a second schema, and one stream has one schema");
}
