/**
 * The target chunks of an array, as the user specifies them.
 *
 * @module
 */

import { showValue } from "../../../base/kind_of.ts";
import type { Chunked, FixedArray } from "../../../streams/formats/zarr/items/array.ts";

/** A length for each axis, or lengths by names of axes; -1 is the whole axis. */
export type ChunkTarget = readonly number[] | Readonly<Record<string, number>>;

/** Throws a TypeError or a RangeError for a value that is not a target for any array. */
export function checkTarget(to: unknown): asserts to is ChunkTarget {
  if (typeof to !== "object" || to === null) {
    const forms = "a list of lengths, or lengths by names of axes";
    throw new TypeError(`rechunk() option to takes ${forms}, not ${showValue(to)}`);
  }
  for (const [axis, length] of Object.entries(to)) {
    if (length === -1 || Number.isSafeInteger(length) && length >= 1) continue;
    const name = Array.isArray(to) ? `of axis ${axis}` : JSON.stringify(axis);
    throw new RangeError(
      `rechunk() option to: lengths must be at least 1, or -1 for the whole axis, but that ${name} is ${
        showValue(length)
      }`,
    );
  }
}

/**
 * Returns the number of items of a chunk along each axis, at most those of the array. Throws a RangeError
 * that names the array where the target has other axes.
 */
export function targetChunk(
  to: ChunkTarget,
  array: Pick<Chunked<FixedArray>, "name" | "grid" | "dimensionNames">,
): number[] {
  const { name, grid: { shape, chunk }, dimensionNames } = array;
  const whole = (length: number, axis: number) =>
    Math.max(1, Math.min(length === -1 ? Infinity : length, shape[axis]!));
  if (isList(to)) {
    // -1 stands for the only chunk of an array without axes.
    if (shape.length === 0 && to.length === 1 && to[0] === -1) return [];
    if (to.length === shape.length) return to.map(whole);
    throw new RangeError(`${name} has ${axes(shape.length)}, but to has ${axes(to.length)}`);
  }
  const names = dimensionNames ?? [];
  for (const axis of Object.keys(to)) {
    if (names.includes(axis)) continue;
    const known = names.filter((name) => name !== null).join(", ");
    const there = known === "" ? "its axes have no names" : `it has ${known}`;
    throw new RangeError(`${name} has no axis ${JSON.stringify(axis)}, ${there}`);
  }
  return shape.map((_, axis) => whole(to[names[axis] ?? ""] ?? chunk[axis]!, axis));
}

/** Prints a target as on the command line: `100,10`, `time=-1,lat=10`. */
export function printTarget(to: ChunkTarget): string {
  if (isList(to)) return to.join();
  return Object.entries(to).map(([name, length]) => `${name}=${length}`).join();
}

function isList(to: ChunkTarget): to is readonly number[] {
  return Array.isArray(to);
}

function axes(count: number): string {
  return count === 1 ? "1 axis" : `${count} axes`;
}
