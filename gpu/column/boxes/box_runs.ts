/**
 * A box as runs: bytes that lie one behind the other on both sides, repeated along as few axes as
 * possible.
 *
 * @module
 */

import type { BoxCopy, BoxPlace } from "./box_copy.ts";

/** Along which runs repeat. Strides are bytes and may be negative. */
export interface RunAxis {
  readonly length: number;
  readonly fromStride: number;
  readonly toStride: number;
}

/** The bytes of a box. */
export interface BoxRuns {
  readonly runBytes: number;
  /** The outermost first: the one with the largest stride on the side that is written. */
  readonly axes: readonly RunAxis[];
  /** Bytes in front of the first run. */
  readonly from: number;
  readonly to: number;
}

/** Bytes [start, stop) in which all runs lie. */
export interface Extent {
  readonly start: number;
  readonly stop: number;
}

/**
 * The runs of a box; undefined where it has no items. Axes of one item go, and so do those along which
 * a run, or an inner axis, goes on without a gap on both sides.
 */
export function boxRuns({ itemBytes, shape, from, to }: BoxCopy): BoxRuns | undefined {
  if (itemBytes === 0 || shape.includes(0)) return undefined;
  const inward = shape
    .map((length, axis): RunAxis => ({
      length,
      fromStride: strideOf(from, axis),
      toStride: strideOf(to, axis),
    }))
    .filter(({ length }) => length > 1)
    .sort((a, b) => Math.abs(a.toStride) - Math.abs(b.toStride));
  let runBytes = itemBytes;
  const axes: RunAxis[] = [];
  for (const axis of inward) {
    const inner = axes[0];
    if (inner === undefined && continues(axis, { length: 1, ...strides(runBytes) })) {
      runBytes *= axis.length;
    } else if (inner !== undefined && continues(axis, inner)) {
      axes[0] = { ...inner, length: inner.length * axis.length };
    } else axes.unshift(axis);
  }
  return { runBytes, axes, from: from.offset, to: to.offset };
}

/** Where the runs lie on the side that is read, or on the one that is written. */
export function runsExtent(runs: BoxRuns, side: "from" | "to"): Extent {
  let start = runs[side];
  let stop = start + runs.runBytes;
  for (const axis of runs.axes) {
    const reach = (axis.length - 1) * axis[`${side}Stride`];
    if (reach < 0) start += reach;
    else stop += reach;
  }
  return { start, stop };
}

/** The number of bytes that are copied. */
export function copiedBytes({ runBytes, axes }: BoxRuns): number {
  return axes.reduce((bytes, { length }) => bytes * length, runBytes);
}

function strideOf({ strides }: BoxPlace, axis: number): number {
  return strides[axis]!;
}

function strides(bytes: number): Omit<RunAxis, "length"> {
  return { fromStride: bytes, toStride: bytes };
}

/** Whether an axis begins where the one inside of it ends, on both sides. */
function continues({ fromStride, toStride }: RunAxis, inner: RunAxis): boolean {
  return fromStride === inner.fromStride * inner.length &&
    toStride === inner.toStride * inner.length;
}
