/**
 * Items of a fixed size in boxes: compared with the fill value bit by bit, and copied into a larger box.
 *
 * @module
 */

import { type Box, eachRun } from "../grid/grid.ts";

/** Whether all items equal `fill`, one item. -0.0 differs from 0.0 here, and one NaN from another. */
export function isFill(items: Uint8Array, fill: Uint8Array): boolean {
  const { length: itemBytes } = fill;
  for (let at = 0; at < itemBytes && at < items.length; at++) {
    if (items[at] !== fill[at]) return false;
  }
  return isPeriodic(items, itemBytes);
}

/** Whether every byte equals the byte one period before; compares whole words where they are aligned. */
function isPeriodic({ buffer, byteOffset, byteLength }: Uint8Array, period: number): boolean {
  // A period of a word covers shorter periods that divide it.
  const words = 8 % period === 0 ? 8 : period;
  if (byteOffset % 4 === 0 && words % 4 === 0 && byteLength % 4 === 0) {
    const units = new Uint32Array(buffer, byteOffset, byteLength / 4);
    const bytes = new Uint8Array(buffer, byteOffset, Math.min(byteLength, words));
    for (let at = period; at < bytes.length; at++) {
      if (bytes[at] !== bytes[at - period]) return false;
    }
    for (let at = words / 4; at < units.length; at++) {
      if (units[at] !== units[at - words / 4]) return false;
    }
    return true;
  }
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  for (let at = period; at < bytes.length; at++) {
    if (bytes[at] !== bytes[at - period]) return false;
  }
  return true;
}

/** Copies the items of a box, contiguous in `from`, to their positions in a shape. */
export function copyInto(
  into: Uint8Array,
  shape: readonly number[],
  box: Box,
  from: Uint8Array,
  itemBytes: number,
): void {
  let at = 0;
  eachRun(shape, box, (first, count) => {
    into.set(from.subarray(at, at += count * itemBytes), first * itemBytes);
  });
}
