/**
 * The stream format: one message after the other, the schema first.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { FileInput } from "../file_input.ts";
import { checkSchema } from "./schema.ts";
import { corrupt, inMessage, type PlacedMessage, readMessage } from "./message.ts";
import type { ReadyMessage } from "./ready_batch.ts";

/** Bytes of the magic at the front of a file, padded to 8, and of the front of a message. */
export const frontBytes = 8;

/** An opened input: its schema, and the messages that follow. */
export interface OpenedArrow {
  readonly schema: Schema;
  /** The dictionaries and record batches. */
  readonly messages: ArrowMessages;
}

/** Reads the record batch at the beginning of some bytes, if all of it is there. */
export type ReadReady<T extends ReadyMessage> = (bytes: Uint8Array<ArrayBuffer>) => T | undefined;

/** Messages, one after the other. */
export interface ArrowMessages {
  /**
   * The next message, or undefined at the end. Its body must be read or skipped before the next one
   * is asked for. Where `skims` is true, of a file no more is read than descriptions.
   */
  next(skims: boolean): Promise<PlacedMessage | undefined>;
  /** Applies a function to the buffered bytes, if they may begin with the next record batch. */
  ready<T extends ReadyMessage>(read: ReadReady<T>): T | undefined;
  /** Skips the message that `ready` returned. */
  pass(message: ReadyMessage): void;
}

/** Bodies below this are read over where only descriptions are wanted, so that one read has many. */
export const denseBytes = 4 << 10;
export const denseChunkBytes: number = 256 << 10;

/** Bytes that are read for a description whose length is not known. */
const descriptionBytes = 1 << 10;

/**
 * Opens a stream whose schema comes next. A mark ends it, or the end of the data behind a message; in
 * a file, which goes on behind its messages, the mark is there.
 */
export async function openStream(input: FileInput, isInFile: boolean): Promise<OpenedArrow> {
  const first = await readSchemaMessage(input);
  return { schema: first.header as Schema, messages: new StreamMessages(input, first, isInFile) };
}

class StreamMessages implements ArrowMessages {
  readonly #input: FileInput;
  readonly #chunkBytes: number;
  /** The descriptions of record batches of one schema are mostly of the same length. */
  #usualBytes = descriptionBytes;
  #before: PlacedMessage;
  readonly #isInFile: boolean;
  #number = 2;

  constructor(input: FileInput, first: PlacedMessage, isInFile: boolean) {
    this.#input = input;
    this.#isInFile = isInFile;
    this.#chunkBytes = input.chunkBytes;
    this.#before = first;
  }

  async next(skims: boolean): Promise<PlacedMessage | undefined> {
    const { message: before } = this.#before;
    const isDense = !before.isSchema() && before.bodyLength < denseBytes;
    this.#input.chunkBytes = !skims
      ? this.#chunkBytes
      : isDense
      ? Math.max(this.#chunkBytes, denseChunkBytes)
      : this.#usualBytes;
    const byte = this.#input.position;
    checkEnd(this.#before, byte);
    const message = await readMessage(this.#input, this.#number, this.#before);
    if (message === undefined) {
      if (!this.#isInFile || this.#input.position > byte) return undefined;
      const where = inMessage({ number: this.#number, byte });
      throw corrupt(where, "the data ends there, without a footer");
    }
    this.#number++;
    this.#usualBytes = message.frontBytes;
    this.#before = message;
    return checkKind(message);
  }

  ready<T extends ReadyMessage>(read: ReadReady<T>): T | undefined {
    return read(this.#input.ready);
  }

  pass({ frontBytes, bodyBytes }: ReadyMessage): void {
    this.#input.pass(frontBytes + bodyBytes);
    this.#number++;
  }
}

async function readSchemaMessage(input: FileInput): Promise<PlacedMessage> {
  const where = inMessage({ number: 1, byte: input.position });
  const message = await readMessage(input, 1);
  if (message?.message.isSchema() !== true) throw corrupt(where, "it is not a schema");
  checkSchema(message.header as Schema, where);
  return message;
}

/** Throws where the data of a pipe end in the padding behind a body. */
function checkEnd({ message, place, frontBytes }: PlacedMessage, position: number): void {
  const stop = place.byte + frontBytes + message.bodyLength;
  if (position >= stop) return;
  throw corrupt(inMessage(place), `the data ends at byte ${position}, its body not before ${stop}`);
}

function checkKind(placed: PlacedMessage): PlacedMessage {
  const { message, place } = placed;
  if (message.isRecordBatch() || message.isDictionaryBatch()) return placed;
  throw corrupt(inMessage(place), "it is a second schema, and one stream has one schema");
}
