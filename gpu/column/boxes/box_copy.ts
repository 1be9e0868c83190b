/**
 * Describes copies of boxes between N-D arrays of items, the steps of splitting and combining
 * chunks. An item is a number of bytes whose meaning does not matter.
 *
 * @module
 */

/** The place of the items of a box. */
export interface BoxPlace {
  /** The bytes before the first item. */
  readonly offset: number;
  /** The bytes from an item to the next along each axis. */
  readonly strides: readonly number[];
}

/** A box of items that is copied from one place to another. */
export interface BoxCopy {
  readonly itemBytes: number;
  /** The items along each axis. */
  readonly shape: readonly number[];
  readonly from: BoxPlace;
  readonly to: BoxPlace;
}

/** Returns the strides, in bytes, of an array in C order, where the last axis is dense. */
export function denseStrides(shape: readonly number[], itemBytes: number): number[] {
  const strides = shape.map(() => itemBytes);
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    strides[axis] = strides[axis + 1]! * shape[axis + 1]!;
  }
  return strides;
}
