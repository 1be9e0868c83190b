import { OverflowError } from "../errors.ts";
import { MAX_REPEATED_BYTES } from "../kernel/repeat_limit.ts";

/** The greatest number of bytes that 32-bit offsets address. */
const MAX_TEXT_BYTES = 2 ** 31 - 1;

/**
 * Appends `source[start, stop)` `count` times to `target` from `at`, and gives where it ends. What
 * does not fit into `target` is left out: the caller notices, and does it again after growing.
 *
 * Raises an OverflowError that names the row, before anything is written, where the bytes are more
 * than one repetition may have or than 32-bit offsets address.
 */
export function repeatBytes(
  target: Uint8Array,
  at: number,
  source: Uint8Array,
  start: number,
  stop: number,
  count: number,
  row: number,
): number {
  const size = stop - start;
  if (count <= 0 || size <= 0) return at;
  checkRepeat(size, count, row);
  const end = at + size * count;
  if (end > MAX_TEXT_BYTES) throw tooLarge(row, end, MAX_TEXT_BYTES);
  if (end > target.length) return end;
  target.set(source.subarray(start, stop), at);
  // Each round copies what there is.
  for (let next = at + size; next < end; next += next - at) {
    target.copyWithin(next, at, Math.min(next, at + end - next));
  }
  return end;
}

/** Raises an OverflowError where `size` bytes, `count` times, are more than one row may have. */
export function checkRepeat(size: number, count: number, row: number): void {
  if (count > 0 && size * count > MAX_REPEATED_BYTES) {
    throw tooLarge(row, size * count, MAX_REPEATED_BYTES);
  }
}

function tooLarge(row: number, bytes: number, limit: number): OverflowError {
  return new OverflowError(
    `Size of output exceeds ${limit} bytes: row ${row} takes it to ${bytes}`,
    row,
    bytes,
  );
}
