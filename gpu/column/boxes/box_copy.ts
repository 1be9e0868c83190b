/**
 * Copies of boxes between N-D arrays of items: what splitting and combining chunks consists of. An
 * item is some bytes whose meaning does not matter.
 *
 * @module
 */

/** Where the items of a box lie. */
export interface BoxPlace {
  /** Bytes in front of the first item. */
  readonly offset: number;
  /** Bytes from an item to the next along each axis. */
  readonly strides: readonly number[];
}

/** A box of items that is copied from one place to another. */
export interface BoxCopy {
  readonly itemBytes: number;
  /** Items along each axis. */
  readonly shape: readonly number[];
  readonly from: BoxPlace;
  readonly to: BoxPlace;
}

/** Strides of an array in C order (the last axis is dense), in bytes. */
export function denseStrides(shape: readonly number[], itemBytes: number): number[] {
  const strides = shape.map(() => itemBytes);
  for (let axis = shape.length - 2; axis >= 0; axis--) {
    strides[axis] = strides[axis + 1]! * shape[axis + 1]!;
  }
  return strides;
}
