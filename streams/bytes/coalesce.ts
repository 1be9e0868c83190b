/**
 * Plans the requests for ranges of bytes: neighbours in one request, large ranges in several.
 *
 * @module
 */

import { firstWhere } from "../../base/search.ts";
import type { ByteRange, PlacedBytes } from "./byte_store.ts";

/** The rule by which ranges become requests. */
export interface CoalesceOptions {
  /** The most bytes between two ranges that one request reads, with the bytes between them. */
  readonly gapBytes: number;
  /** The most bytes of one request. */
  readonly requestBytes: number;
}

/**
 * Returns the requests for ranges, which may come in any order and overlap. Requests are disjoint and
 * ascending, have every wanted byte, and neither begin nor end with an unwanted one. Empty ranges need none.
 */
export function coalesce(
  ranges: readonly ByteRange[],
  { gapBytes, requestBytes }: CoalesceOptions,
): ByteRange[] {
  const requests: ByteRange[] = [];
  let open: { start: number; stop: number } | undefined;
  for (const range of ascending(ranges)) {
    let start = Math.max(range.start, open?.stop ?? 0);
    if (open !== undefined && range.start - open.stop <= gapBytes) {
      const stop = Math.min(range.stop, open.start + requestBytes);
      if (stop > start) start = open.stop = stop;
    }
    for (; start < range.stop; start = open.stop) {
      open = { start, stop: Math.min(range.stop, start + requestBytes) };
      requests.push(open);
    }
  }
  return requests;
}

function ascending(ranges: readonly ByteRange[]): ByteRange[] {
  return ranges.filter(({ start, stop }) => start < stop).sort((a, b) => a.start - b.start);
}

/**
 * Returns the bytes of a range, in memory of its own, from parts in any order that have all of them. A part
 * that is the range, and owns its memory, is returned as it is.
 */
export function cutRange(
  range: ByteRange,
  parts: readonly PlacedBytes[],
): Uint8Array<ArrayBuffer> {
  const length = range.stop - range.start;
  const whole = parts.find(({ start, bytes }) =>
    start === range.start && bytes.length === length && bytes.buffer.byteLength === length
  );
  if (whole !== undefined) return whole.bytes;
  const target = new Uint8Array(length);
  for (const { start, bytes } of parts) {
    const from = Math.max(range.start, start);
    const to = Math.min(range.stop, start + bytes.length);
    if (from < to) target.set(bytes.subarray(from - start, to - start), from - range.start);
  }
  return target;
}

/** Returns those of ascending and disjoint parts that have bytes of a range. */
export function within(
  range: ByteRange,
  parts: readonly PlacedBytes[],
): readonly PlacedBytes[] {
  const first = firstWhere(0, parts.length, (index) => {
    const { start, bytes } = parts[index]!;
    return start + bytes.length > range.start;
  });
  let last = first;
  while (last < parts.length && parts[last]!.start < range.stop) last++;
  return parts.slice(first, last);
}
