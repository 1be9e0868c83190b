/**
 * Repeats text.
 *
 * @module
 */

import { ColumnFullError, OverflowError } from "../../../base/errors/value_error.ts";
import { MAX_REPEATED_BYTES } from "../../kernel/ir/ir.ts";
import { copyBytes } from "./copy_bytes.ts";
import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";

/** The bytes of a repetition above which the engine's own copy and fill are faster. */
const MAX_BY_WORDS = 400;

/**
 * Appends `source[start, stop)` `count` times to `target` from `at`, and returns the end. Writes
 * nothing if it does not fit into `target`: the caller notices that, and repeats the call after
 * growing it.
 *
 * The text of the row starts at `begin`. Before it writes anything, it throws an OverflowError that
 * names the row if the row exceeds its most bytes, and a ColumnFullError if the column exceeds what
 * 32-bit offsets can address.
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
  // Each round doubles the number of copies.
  for (let next = at + size; next < end; next += next - at) {
    bytes.copyWithin(next, at, Math.min(next, at + end - next));
  }
}

/** Fills `target[at, end)` by words of 4 bytes; the last one may overlap the one before it. */
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
 * Throws an OverflowError if a row that has `bytes` bytes already exceeds its most bytes with
 * `count` times `size` more.
 */
export function checkRepeat(size: number, count: number, row: number, bytes: number): void {
  if (count <= 0 || size * count <= MAX_REPEATED_BYTES - bytes) return;
  const total = bytes + size * count;
  // Without the number of the row, which counts from the first row of the part.
  const message = `Size of output exceeds ${MAX_REPEATED_BYTES} bytes of a row`;
  throw new OverflowError(message, row, total);
}
