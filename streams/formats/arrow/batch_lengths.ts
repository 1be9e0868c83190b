/**
 * The row counts of the batches of an Arrow file, as text in the custom metadata of its footer.
 * Without it, a reader would have to read the header of every batch to find a row.
 *
 * Tools copy such metadata to other files. The text therefore ends with a mark, a hash of the row
 * counts and the positions of the batches: copied or damaged text does not match its file, and
 * Sluice ignores it.
 *
 * @module
 */

import type { FlatBlock } from "../../data/flat_table.ts";

/** The key of the text in the footer. */
export const lengthsKey = "sluice.batch_lengths";

/** A longer text is not written: it would cost more than it saves. */
const mostBytes = 64 << 10;

/**
 * Formats row counts, in order, and the mark: `65536*152,4096;blocks=7c0e9a15`. Undefined if the
 * text would exceed 64 KiB.
 */
export function printLengths(
  lengths: readonly number[],
  blocks: readonly FlatBlock[],
): string | undefined {
  const parts: string[] = [];
  for (let start = 0, stop: number; start < lengths.length; start = stop) {
    stop = start + 1;
    while (stop < lengths.length && lengths[stop] === lengths[start]) stop++;
    parts.push(stop === start + 1 ? `${lengths[start]}` : `${lengths[start]}*${stop - start}`);
  }
  const text = `${parts.join()};blocks=${markOf(lengths, blocks)}`;
  return text.length > mostBytes ? undefined : text;
}

/**
 * Parses text from `printLengths` into row counts. Undefined if the text is malformed or its mark
 * belongs to other batches.
 */
export function parseLengths(text: string, blocks: readonly FlatBlock[]): number[] | undefined {
  const [, list, mark] = /^([\d,*]*);blocks=([\da-f]{8})$/.exec(text) ?? [];
  if (list === undefined) return undefined;
  const lengths: number[] = [];
  for (const part of list === "" ? [] : list.split(",")) {
    const [, rows, times = "1"] = /^(\d{1,10})(?:\*(\d{1,10}))?$/.exec(part) ?? [];
    const length = Number(rows);
    // An absent number is NaN.
    if (!(length < 2 ** 31) || lengths.length + Number(times) > blocks.length) return undefined;
    for (let left = Number(times); left > 0; left--) lengths.push(length);
  }
  const isOfBlocks = lengths.length === blocks.length && markOf(lengths, blocks) === mark;
  return isOfBlocks ? lengths : undefined;
}

/** Returns a hash of the row counts and positions of batches: 8 hexadecimal digits. */
function markOf(lengths: readonly number[], blocks: readonly FlatBlock[]): string {
  let hash = lengths.length;
  const add = (value: number) => {
    hash = Math.imul(hash ^ (value >>> 0), 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ Math.floor(value / 2 ** 32), 0x85ebca77);
    hash ^= hash >>> 13;
  };
  for (const [batch, { offset, metaDataLength, bodyLength }] of blocks.entries()) {
    for (const value of [lengths[batch]!, offset, metaDataLength, bodyLength]) add(value);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
