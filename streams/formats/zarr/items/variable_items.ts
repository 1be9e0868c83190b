/**
 * Items of a variable size in boxes: taken from a chunk, joined to a chunk, and permuted. Lengths count
 * items, offsets count bytes.
 *
 * @module
 */

import { type Box, boxShape, eachRun, product } from "../grid/grid.ts";
import { repeatItem } from "./repeat_item.ts";
import type { VariableItems } from "./array.ts";

/** The greatest number of bytes that 32-bit offsets can count. */
export const mostDataBytes = 2 ** 31 - 1;

/** The items of a box within a larger one. */
interface VariableBox {
  readonly box: Box;
  readonly items: VariableItems;
}

/** Returns the number of bytes of items, without their offsets. */
export function dataBytes({ offsets }: VariableItems): number {
  return offsets[offsets.length - 1]! - offsets[0]!;
}

/** Returns a number of equal items. Throws where they have 2 GiB or more. */
export function repeatVariable(numItems: number, item: Uint8Array): VariableItems {
  if (numItems * item.length > mostDataBytes) {
    throw new Error(
      `has a fill value of ${item.length} bytes that fills 2 GiB or more as ${numItems} items of a chunk`,
    );
  }
  const data = new Uint8Array(numItems * item.length);
  if (data.length > 0) repeatItem(data, item);
  return { offsets: Int32Array.from({ length: numItems + 1 }, (_, i) => i * item.length), data };
}

/** Whether all items equal one item. */
export function areAll({ offsets, data }: VariableItems, item: Uint8Array): boolean {
  const { length } = item;
  for (let at = 0; at + 1 < offsets.length; at++) {
    if (offsets[at + 1]! - offsets[at]! !== length) return false;
  }
  const first = offsets[0]!;
  const stop = offsets[offsets.length - 1]!;
  for (let at = first; at < stop; at++) if (data[at] !== item[(at - first) % length]) return false;
  return true;
}

/** Copies the items of a box from those of a shape. */
export function takeBox(items: VariableItems, shape: readonly number[], box: Box): VariableItems {
  const offsets = new Int32Array(product(boxShape(box)) + 1);
  const runs: [start: number, stop: number][] = [];
  let item = 0;
  let numBytes = 0;
  eachRun(shape, box, (first, count) => {
    const start = items.offsets[first]!;
    for (let i = 1; i <= count; i++) {
      offsets[++item] = numBytes + items.offsets[first + i]! - start;
    }
    const stop = items.offsets[first + count]!;
    numBytes += stop - start;
    runs.push([start, stop]);
  });
  const data = new Uint8Array(numBytes);
  let to = 0;
  for (const [start, stop] of runs) {
    data.set(items.data.subarray(start, stop), to);
    to += stop - start;
  }
  return { offsets, data };
}

/** Joins boxes that contain each item of a shape once. Throws where they have 2 GiB or more. */
export function joinBoxes(
  shape: readonly number[],
  boxes: readonly VariableBox[],
): VariableItems {
  const numBytes = boxes.reduce((sum, { items }) => sum + dataBytes(items), 0);
  if (numBytes > mostDataBytes) throw new Error("gets items of 2 GiB or more");
  // Offsets first hold the length of each item, one place later; then they become its end.
  const offsets = new Int32Array(product(shape) + 1);
  for (const { box, items } of boxes) {
    let from = 0;
    eachRun(shape, box, (first, count) => {
      for (let item = first; item < first + count; item++) {
        const start = items.offsets[from++]!;
        offsets[item + 1] = items.offsets[from]! - start;
      }
    });
  }
  for (let item = 1; item < offsets.length; item++) offsets[item]! += offsets[item - 1]!;
  const data = new Uint8Array(numBytes);
  for (const { box, items } of boxes) {
    let from = 0;
    eachRun(shape, box, (first, count) => {
      const start = items.offsets[from];
      data.set(items.data.subarray(start, items.offsets[from += count]), offsets[first]);
    });
  }
  return { offsets, data };
}

/** Permutes items: result `i` is item `order[i]`; `order` has each index once. */
export function reorder(items: VariableItems, order: Uint32Array): VariableItems {
  const offsets = new Int32Array(items.offsets.length);
  const data = new Uint8Array(dataBytes(items));
  let to = 0;
  for (let item = 0; item < order.length; item++) {
    const start = items.offsets[order[item]!]!;
    const stop = items.offsets[order[item]! + 1]!;
    for (let at = start; at < stop; at++) data[to++] = items.data[at]!;
    offsets[item + 1] = to;
  }
  return { offsets, data };
}

/** Joins the items of several chunks in order; those of a single chunk are not copied. */
export function concatItems(chunks: readonly VariableItems[]): VariableItems {
  const [first] = chunks;
  if (chunks.length === 1) return first!;
  const numItems = chunks.reduce((sum, { offsets }) => sum + offsets.length - 1, 0);
  const offsets = new Int32Array(numItems + 1);
  const data = new Uint8Array(chunks.reduce((sum, items) => sum + dataBytes(items), 0));
  let [item, at] = [1, 0];
  for (const chunk of chunks) {
    const start = chunk.offsets[0]!;
    for (let i = 1; i < chunk.offsets.length; i++) offsets[item++] = chunk.offsets[i]! - start + at;
    data.set(chunk.data.subarray(start, chunk.offsets.at(-1)!), at);
    at = offsets[item - 1]!;
  }
  return { offsets, data };
}

/** Copies items so that the first begins at 0, without other bytes. */
export function copyItems({ offsets, data }: VariableItems): VariableItems {
  const first = offsets[0]!;
  return {
    offsets: offsets.map((offset) => offset - first),
    data: data.slice(first, offsets.at(-1)!),
  };
}
