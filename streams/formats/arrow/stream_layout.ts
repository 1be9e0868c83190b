/**
 * The stream format: a sequence of messages, the schema first.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { distinctSchema, type Duplicates } from "../../types/distinct_names.ts";
import type { FileInput } from "../../bytes/file_input.ts";
import { checkSchema } from "../../data/schema.ts";
import {
  corrupt,
  fileMagic,
  inMessage,
  type PlacedMessage,
  readMessage,
} from "../../data/message.ts";
import { CorruptArrowError } from "../../../base/errors/data_error.ts";
import type { ReadyMessage } from "../../data/ready_batch.ts";

/** Bytes of a file's padded magic, and of a message's continuation marker and length. */
export const frontBytes = 8;

/** Bytes of the footer's length and the magic at the end of a file. */
export const tailBytes: number = 4 + 6;

/** An opened input. */
export interface OpenedArrow {
  readonly schema: Schema;
  /** The dictionaries and record batches. */
  readonly messages: ArrowMessages;
}

/** A function that reads the record batch at the start of `bytes`, if that is complete. */
export type ReadReady<T extends ReadyMessage> = (bytes: Uint8Array<ArrayBuffer>) => T | undefined;

/** An iterator over messages. */
export interface ArrowMessages {
  /**
   * Returns the next message, or undefined at the end. The caller must read or skip its body before
   * the next call. With `skims`, only metadata is wanted, so reads are short.
   */
  next(skims: boolean): Promise<PlacedMessage | undefined>;
  /** Applies a function to the buffered bytes, if they may begin with the next record batch. */
  ready<T extends ReadyMessage>(read: ReadReady<T>): T | undefined;
  /** Skips the message that `ready` returned. */
  pass(message: ReadyMessage): void;
}

/**
 * Where only metadata is wanted, bodies smaller than this are read along, so that one read covers
 * many.
 */
export const denseBytes = 4 << 10;
export const denseChunkBytes: number = 256 << 10;

/** Bytes to read for the first metadata, whose length is unknown. */
const descriptionBytes = 1 << 10;

/**
 * Opens a stream whose schema comes next. It ends at the end-of-stream marker, or at the end of the
 * data after a message; in a file, where a footer follows, the marker is required.
 */
export async function openStream(
  input: FileInput,
  isInFile: boolean,
  duplicates?: Duplicates,
): Promise<OpenedArrow> {
  const first = await readSchemaMessage(input, isInFile);
  const schema = distinctSchema(first.header as Schema, duplicates);
  return { schema, messages: new StreamMessages(input, first, isInFile) };
}

class StreamMessages implements ArrowMessages {
  readonly #input: FileInput;
  readonly #chunkBytes: number;
  /** Batches of one schema mostly have metadata of the same length. */
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
      await this.#checkRest(byte);
      return undefined;
    }
    this.#number++;
    this.#usualBytes = message.frontBytes;
    this.#before = message;
    return checkKind(message);
  }

  /**
   * Throws unless the data ends where the messages do, with or without the end-of-stream marker at
   * `byte`; in a file the footer must follow. Checks only the buffered bytes of a pipe, which may
   * stay open.
   */
  async #checkRest(byte: number): Promise<void> {
    const { position, numBytes } = this.#input;
    const where = inMessage({ number: this.#number, byte });
    if (!this.#isInFile) {
      const isAtEnd = position === (numBytes ?? position) && this.#input.ready.length === 0;
      if (!isAtEnd) throw corrupt(where, "it marks the end, and more bytes follow");
    } else if (position === byte) {
      throw corrupt(where, "the data ends there, without a footer");
    } else if (!await endsWithFooter(this.#input)) {
      throw corrupt(where, "it marks the end, but what follows is not a footer");
    }
  }

  ready<T extends ReadyMessage>(read: ReadReady<T>): T | undefined {
    return read(this.#input.ready);
  }

  pass({ frontBytes, bodyBytes }: ReadyMessage): void {
    this.#input.pass(frontBytes + bodyBytes);
    this.#number++;
  }
}

/** Whether the rest of the input is a footer with its length and the magic. Reads to the end. */
async function endsWithFooter(input: FileInput): Promise<boolean> {
  const start = input.position;
  let tail = new Uint8Array(0);
  for (;;) {
    const bytes = await input.readSome();
    if (bytes.length === 0) break;
    tail = new Uint8Array([...tail, ...bytes.subarray(-tailBytes)]).slice(-tailBytes);
  }
  if (tail.length < tailBytes || !fileMagic.every((byte, at) => tail[4 + at] === byte)) {
    return false;
  }
  const length = new DataView(tail.buffer).getInt32(0, true);
  return length === input.position - start - tailBytes;
}

async function readSchemaMessage(input: FileInput, isInFile: boolean): Promise<PlacedMessage> {
  const where = inMessage({ number: 1, byte: input.position });
  if (isInFile && await beginsWithTable(input)) throw new CorruptArrowError(schemaAtEnd);
  const message = await readMessage(input, 1);
  if (message?.message.isSchema() !== true) {
    if (isInFile && message !== undefined) throw new CorruptArrowError(schemaAtEnd);
    throw corrupt(where, "it is not a schema");
  }
  checkSchema(message.header as Schema, where);
  return message;
}

/** The format requires a schema in front too, which Polars and apache-arrow do not write. */
const schemaAtEnd =
  "is an Arrow file with its schema at the end only, as Polars writes it, which " +
  "cannot be read from the front: save it to a file first, or write an Arrow stream";

/**
 * Whether a bare schema comes next, without a message around it. It begins with the offset of its
 * table, which is smaller than the length of any schema message.
 */
async function beginsWithTable(input: FileInput): Promise<boolean> {
  const bytes = await input.peek(4);
  if (bytes.length < 4) return false;
  const place = new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
  return place > 0 && place < 32;
}

/** Throws if the data of a pipe ends in the padding after a body. */
function checkEnd({ message, place, frontBytes }: PlacedMessage, position: number): void {
  const stop = place.byte + frontBytes + message.bodyLength;
  if (position >= stop) return;
  throw corrupt(inMessage(place), `the data ends at byte ${position}, its body not before ${stop}`);
}

function checkKind(placed: PlacedMessage): PlacedMessage {
  const { message, place } = placed;
  if (message.isRecordBatch() || message.isDictionaryBatch()) return placed;
  throw corrupt(inMessage(place), "it is a second schema, but a stream has only one");
}
