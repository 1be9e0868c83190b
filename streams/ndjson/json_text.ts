/**
 * Text as a string of JSON, byte by byte, and JSON that is text.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import type { ByteOutput } from "../byte_output.ts";
import { compactText } from "./members.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
const quote = 0x22;
const backslash = 0x5c;
const firstPlain = 0x20;

/** What stands for each ASCII character in a string. */
const escapes = Array.from(
  { length: 128 },
  (_, byte) => encoder.encode(JSON.stringify(String.fromCharCode(byte)).slice(1, -1)),
);

/**
 * Writes the UTF-8 bytes [start, stop) as a string of JSON, as JSON.stringify would: quotes,
 * backslashes and control characters are escaped, everything else is written as it is. What is not
 * UTF-8 becomes U+FFFD.
 */
export function putJsonText(
  output: ByteOutput,
  bytes: Uint8Array,
  start: number,
  stop: number,
): void {
  let bits = 0;
  for (let i = start; i < stop; i++) bits |= bytes[i]!;
  if (bits >= 128 && !isUtf8(bytes.subarray(start, stop))) {
    const sound = encoder.encode(decoder.decode(bytes.subarray(start, stop)));
    return putJsonText(output, sound, 0, sound.length);
  }
  output.byte(quote);
  let from = start;
  for (let i = start; i < stop; i++) {
    const byte = bytes[i]!;
    if (byte >= firstPlain && byte !== quote && byte !== backslash) continue;
    output.bytes(bytes, from, i);
    const escape = escapes[byte]!;
    output.bytes(escape, 0, escape.length);
    from = i + 1;
  }
  output.bytes(bytes, from, stop);
  output.byte(quote);
}

/** Writes text that is a value of JSON as that value, on one line. Throws a RangeError where it is none. */
export function putJson(output: ByteOutput, bytes: Uint8Array, start: number, stop: number): void {
  const text = jsonOf(bytes.subarray(start, stop));
  if (/[\r\n]/.test(text)) output.text(compactText(text, { start: 0, stop: text.length }));
  else output.bytes(bytes, start, stop);
}

/** The text of bytes, which is JSON. */
function jsonOf(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  try {
    if (isUtf8(bytes) && JSON.parse(text) !== undefined) return text;
  } catch {
    // The message of the parser names a position in the text, not what is in the way.
  }
  throw new RangeError(`${JSON.stringify(text.slice(0, 40))} is no JSON, as the column is marked`);
}
