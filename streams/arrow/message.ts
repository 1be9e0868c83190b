/**
 * The framing of Arrow messages: a length, a description, a body.
 *
 * @module
 */

import { Message } from "apache-arrow";
import type { FileInput } from "../file_input.ts";
import { verifyMessage } from "./verify.ts";

/** What stands at both ends of an Arrow file. */
export const fileMagic: Uint8Array = new TextEncoder().encode("ARROW1");
/** What precedes the length of every message. */
export const continuation = 0xffffffff;

/** A file or stream that breaks off or that is not what it says. */
export class CorruptArrowError extends Error {
  override readonly name = "CorruptArrowError";
}

/** Reads the description of the next message; undefined at the mark that ends a stream. */
export async function readMessage(input: FileInput): Promise<Message | undefined> {
  const { position } = input;
  let length = await readInt32(input);
  // Before format version 0.15 the length came first.
  if (length >>> 0 === continuation) length = await readInt32(input);
  if (length === 0) return undefined;
  const rest = input.numBytes === undefined ? 2 ** 30 : input.numBytes - input.position;
  if (length < 0 || length > rest) {
    throw truncated(`the message at byte ${position} claims a length of ${length}`);
  }
  const bytes = await input.read(length);
  if (bytes.length < length) throw truncated("it ends inside a message");
  const message = decodeMessage(bytes, position);
  if (!(message.bodyLength >= 0)) {
    throw truncated(`the message at byte ${position} claims a body of ${message.bodyLength} bytes`);
  }
  return message;
}

function decodeMessage(bytes: Uint8Array, position: number): Message {
  try {
    verifyMessage(bytes);
    return Message.decode(bytes);
  } catch (error) {
    throw truncated(`the message at byte ${position} is broken: ${(error as Error).message}`);
  }
}

/** Reads the bytes of a body, or a part of it. */
export async function readBody(
  input: FileInput,
  numBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await input.read(numBytes);
  if (bytes.length < numBytes) throw truncated("it ends inside a record batch");
  return bytes;
}

/** An error that calls the file truncated or corrupt. */
export function truncated(why: string): CorruptArrowError {
  return new CorruptArrowError(`truncated or corrupt Arrow data: ${why}`);
}

async function readInt32(input: FileInput): Promise<number> {
  const bytes = await input.read(4);
  if (bytes.length < 4) {
    throw truncated(
      bytes.length === 0
        ? "it ends without the mark that ends a stream"
        : "it ends inside a message",
    );
  }
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
}
