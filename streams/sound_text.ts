/**
 * Text that is UTF-8, value by value.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";

/** What a reader does with text that is not UTF-8. */
export type InvalidText = "error" | "replace";

/** Text of several values: their bytes, and where each of them starts and the last one stops. */
export interface Texts<Offsets extends Int32Array | Float64Array = Int32Array> {
  /** The bytes. */
  readonly data: Uint8Array;
  /** One position more than there are values; doubles where there may be 2^31 bytes and more. */
  readonly offsets: Offsets;
}

/**
 * The first value that is not UTF-8, or -1. A value is looked at by itself: the bytes of two may be
 * UTF-8 together where neither is.
 */
export function firstUnsound({ data, offsets }: Texts<Int32Array | Float64Array>): number {
  const numValues = offsets.length - 1;
  const start = offsets[0] ?? 0;
  const stop = offsets[numValues] ?? start;
  const startsInside = (value: number) => {
    const at = offsets[value]!;
    return at < stop && (data[at]! & 0xc0) === 0x80;
  };
  let isSound = isUtf8(data.subarray(start, stop));
  for (let value = 0; isSound && value < numValues; value++) isSound = !startsInside(value);
  if (isSound) return -1;
  for (let value = 0; value < numValues; value++) {
    if (!isUtf8(data.subarray(offsets[value], offsets[value + 1]))) return value;
  }
  return -1;
}

/**
 * The same values, with U+FFFD for each sequence of bytes that is not UTF-8, as the Encoding
 * Standard has it; the same object where all are. Replaced text starts at 0.
 */
export function soundTexts<Offsets extends Int32Array | Float64Array>(
  texts: Texts<Offsets>,
): Texts<Offsets> {
  if (firstUnsound(texts) < 0) return texts;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  const { data, offsets } = texts;
  const replaced = new (offsets.constructor as new (length: number) => Offsets)(offsets.length);
  const values: Uint8Array[] = [];
  for (let value = 0; value + 1 < offsets.length; value++) {
    const bytes = data.subarray(offsets[value], offsets[value + 1]);
    const sound = isUtf8(bytes) ? bytes : encoder.encode(decoder.decode(bytes));
    values.push(sound);
    replaced[value + 1] = replaced[value]! + sound.length;
  }
  const joined = new Uint8Array(replaced[replaced.length - 1] ?? 0);
  values.forEach((bytes, value) => joined.set(bytes, replaced[value]));
  return { data: joined, offsets: replaced };
}
