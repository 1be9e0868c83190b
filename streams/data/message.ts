/**
 * Reads the framing of Arrow messages: length, metadata, body.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { CorruptArrowError, UnsupportedArrowError } from "../../base/errors/data_error.ts";
import { Message, type Schema } from "apache-arrow";
import type { DictionaryBatch, RecordBatch } from "apache-arrow/ipc/metadata/message";
import type { FileInput } from "../bytes/file_input.ts";
import { nameAll, nameMaps } from "./schema_fixes.ts";
import { rootTable } from "./flat_table.ts";
import { verifyMessage } from "./verify.ts";

/** The stream format (`.arrows`, pipes) or the file format (`.arrow`, `.feather`) of Arrow IPC. */
export type ArrowFormat = "stream" | "file";

/** The magic at both ends of an Arrow file. */
export const fileMagic: Uint8Array = new TextEncoder().encode("ARROW1");
/** The continuation marker before the length of every message. */
export const continuation = 0xffffffff;

/** Returns an error about truncated or corrupt data; `where` names the message and the byte. */
export function corrupt(where: string, why: string): CorruptArrowError {
  return new CorruptArrowError(`truncated or corrupt Arrow data ${where}: ${why}`);
}

/** Returns the reason why metadata or a column cannot be decoded, from the error thrown there. */
export function reasonOf(error: unknown): string {
  return isSluiceError(error, "BrokenPartError")
    ? error.message
    : "a part that it refers to is missing";
}

/** Identifies a message in errors. */
interface MessagePlace {
  /** The number of the message in byte order, from 1; the schema is the first. */
  readonly number: number;
  /** The byte offset of its start in the file. */
  readonly byte: number;
}

export function inMessage({ number, byte }: MessagePlace): string {
  return `in message ${number} at byte ${byte}`;
}

/** The header of a message. */
type MessageHeader = Schema | RecordBatch | DictionaryBatch;

/** A message whose metadata was read; its body, if any, comes next in the input. */
export interface PlacedMessage {
  readonly message: Message;
  readonly header: MessageHeader;
  readonly place: MessagePlace;
  /** Whether a continuation marker precedes its length, as it does since version 0.15. */
  readonly isMarked: boolean;
  /** The bytes of its length and metadata. */
  readonly frontBytes: number;
}

/**
 * Reads the metadata of the next message; undefined at the end-of-stream marker, or if the data
 * ends between two messages. If the previous message had a continuation marker, this one must have
 * one too.
 */
export async function readMessage(
  input: FileInput,
  number: number,
  before?: PlacedMessage,
): Promise<PlacedMessage | undefined> {
  const place = { number, byte: input.position };
  const fail = (why: string) => corrupt(inMessage(place), why);
  if ((await input.peek(1)).length === 0) return undefined;
  const { isMarked, length } = await readLength(input, fail);
  if (before?.isMarked === true && !isMarked) throw fail("the mark in front of it is missing");
  if (length === 0) return undefined;
  const rest = input.numBytes === undefined ? maxDescription : input.numBytes - input.position;
  if (length < 0 || length > Math.min(rest, maxDescription)) {
    throw fail(`it claims a description of ${length >>> 0} bytes`);
  }
  const bytes = await input.read(length);
  if (bytes.length < length) throw fail(`the data ends at byte ${input.position}, inside of it`);
  const decoded = decodeMessage(bytes, fail);
  const stop = input.position + decoded.message.bodyLength;
  if (stop > (input.numBytes ?? Infinity)) {
    throw fail(`the data ends at byte ${input.numBytes}, its body not before ${stop}`);
  }
  const frontBytes = input.position - place.byte;
  return { ...decoded, place, isMarked, frontBytes };
}

/** Decodes a message from the bytes of its length and metadata. */
export function decodeFront(front: Uint8Array, place: MessagePlace): PlacedMessage {
  const fail = (why: string) => corrupt(inMessage(place), why);
  const view = new DataView(front.buffer, front.byteOffset, front.byteLength);
  const isMarked = front.length >= 8 && view.getUint32(0, true) === continuation;
  const lengthBytes = isMarked ? 8 : 4;
  const length = view.getInt32(lengthBytes - 4, true);
  if (length <= 0 || length > front.length - lengthBytes) {
    throw fail(`it claims a description of ${length >>> 0} bytes`);
  }
  const frontBytes = lengthBytes + length;
  return {
    ...decodeMessage(front.subarray(lengthBytes, frontBytes), fail),
    place,
    isMarked,
    frontBytes,
  };
}

/** The maximum length of metadata: flatbuffers of this size describe millions of columns. */
const maxDescription = 2 ** 30;

async function readLength(
  input: FileInput,
  fail: (why: string) => Error,
): Promise<{ isMarked: boolean; length: number }> {
  const first = await readInt32(input, fail);
  // Before version 0.15 the length came first.
  const isMarked = first >>> 0 === continuation;
  return { isMarked, length: isMarked ? await readInt32(input, fail) : first };
}

async function readInt32(input: FileInput, fail: (why: string) => Error): Promise<number> {
  const bytes = await input.read(4);
  if (bytes.length < 4) {
    throw fail(`the data ends at byte ${input.position}, inside of it`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
}

function decodeMessage(
  bytes: Uint8Array,
  fail: (why: string) => Error,
): { message: Message; header: MessageHeader } {
  let message: Message;
  let header: MessageHeader;
  try {
    verifyMessage(bytes);
    message = Message.decode(bytes);
    // Each call decodes the header again.
    header = message.header() as unknown as MessageHeader;
    if (message.isSchema()) {
      nameMaps(header as Schema, rootTable(bytes).table(2)!);
      nameAll(header as Schema);
    }
  } catch (error) {
    if (isSluiceError(error, "UnsupportedArrowError")) throw error;
    throw fail(`its description is broken, ${reasonOf(error)}`);
  }
  const { bodyLength } = message;
  if (!(bodyLength >= 0)) throw fail(`it claims a body of ${bodyLength} bytes`);
  if (!message.isSchema()) checkRows(message, header as RecordBatch | DictionaryBatch, fail);
  return { message, header };
}

/**
 * Throws if the number of rows does not fit into 31 bits, since row indices are 32-bit integers, or
 * differs from that of the first column: code that only counts rows checks nothing else. Also
 * throws for versions of the format that are too old.
 */
function checkRows(
  message: Message,
  header: RecordBatch | DictionaryBatch,
  fail: (why: string) => Error,
): void {
  const { length } = header;
  if (!(length >= 0 && length < 2 ** 31)) throw fail(`it claims ${length} rows`);
  const first = header.nodes[0]?.length ?? length;
  if (first !== length) throw fail(`it claims ${length} rows, but its first column has ${first}`);
  if (message.version < oldestVersion) {
    throw new UnsupportedArrowError("is of a version before Arrow 0.8");
  }
}

/** The enum value of version 4 of the format, the first with today's description of buffers. */
const oldestVersion = 3;
