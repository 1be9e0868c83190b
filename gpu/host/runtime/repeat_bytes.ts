/**
 * Repetitions of text.
 *
 * @module
 */

import { ColumnFullError, OverflowError } from "../../../base/errors/value_error.ts";
import { MAX_REPEATED_BYTES } from "../../kernel/ir/ir.ts";
import { copyBytes } from "./copy_bytes.ts";
import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";

/** Bytes of a repetition above which the engine's own copy and fill are faster. */
const MAX_BY_WORDS = 400;

/**
 * Appends `source[start, stop)` `count` times to `target` from `at`, and returns where it ends. What
 * does not fit into `target` is left out: the caller notices, and does it again after growing.
 *
 * The text of the row starts at `begin`. Raises an OverflowError that names the row, before anything
 * is written, where it comes to more bytes than it may have, and a ColumnFullError where the column
 * comes to more than 32-bit offsets address.
 */
export function repeatBytes(
  target: DataView,
  at: number,
  source: DataView,
  start: number,
  stop: number,
  count: number,
  row: number,
  begin: number,
): number {
  const size = stop - start;
  if (count <= 0 || size <= 0) return at;
  checkRepeat(size, count, row, at - begin);
  const end = at + size * count;
  if (end > MAX_NARROW_OFFSET) {
    throw new ColumnFullError(`Size of output exceeds ${MAX_NARROW_OFFSET} bytes`, row, end);
  }
  if (end > target.byteLength) return end;
  if (end - at > MAX_BY_WORDS) {
    copyBytes(target, at, source, start, size);
    doubleBytes(target, at, size, end);
  } else if (size === 1) {
    fillBytes(target, at, end, source.getUint8(start));
  } else {
    for (let next = at; next < end; next += size) copyBytes(target, next, source, start, size);
  }
  return end;
}

/** Fills `target[at + size, end)` with copies of the `size` bytes before it. */
function doubleBytes(target: DataView, at: number, size: number, end: number): void {
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  if (size === 1) {
    bytes.fill(target.getUint8(at), at, end);
    return;
  }
  // Each round copies what there is.
  for (let next = at + size; next < end; next += next - at) {
    bytes.copyWithin(next, at, Math.min(next, at + end - next));
  }
}

/** Fills `target[at, end)`, by words of 4 bytes of which the last one overlaps the one before it. */
function fillBytes(view: DataView, at: number, end: number, byte: number): void {
  if (end - at < 4) {
    for (let i = at; i < end; i++) view.setUint8(i, byte);
    return;
  }
  const word = Math.imul(byte, 0x01010101);
  for (let i = at; i < end - 4; i += 4) view.setInt32(i, word, true);
  view.setInt32(end - 4, word, true);
}

/**
 * Raises an OverflowError where a row that has some `bytes` already comes to more than it may have
 * with `size` bytes, `count` times.
 */
export function checkRepeat(size: number, count: number, row: number, bytes: number): void {
  if (count <= 0 || size * count <= MAX_REPEATED_BYTES - bytes) return;
  const total = bytes + size * count;
  // No number of the row: it counts from the start of what is computed at once.
  const message = `Size of output exceeds ${MAX_REPEATED_BYTES} bytes of a row`;
  throw new OverflowError(message, row, total);
}
