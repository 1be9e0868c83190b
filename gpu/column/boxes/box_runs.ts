/**
 * Turns a box into runs: bytes that are contiguous on both sides, repeated along as few axes as
 * possible.
 *
 * @module
 */

import type { BoxCopy, BoxPlace } from "./box_copy.ts";

/** An axis along which runs repeat. Strides are in bytes and may be negative. */
export interface RunAxis {
  readonly length: number;
  readonly fromStride: number;
  readonly toStride: number;
}

/** The bytes of a box. */
export interface BoxRuns {
  readonly runBytes: number;
  /** The axes, outermost first: the one with the largest stride on the side that is written. */
  readonly axes: readonly RunAxis[];
  /** The bytes before the first run, on each side. */
  readonly from: number;
  readonly to: number;
}

/** The byte range that contains all runs. */
interface Extent {
  readonly start: number;
  readonly stop: number;
}

/**
 * Returns the runs of a box; undefined if it has no items. Drops axes of one item, and merges axes
 * along which a run, or an inner axis, continues without a gap on both sides.
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

/** Returns the byte range of the runs on the side that is read or written. */
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

/** Returns the number of bytes that the runs copy. */
export function copiedBytes({ runBytes, axes }: BoxRuns): number {
  return axes.reduce((bytes, { length }) => bytes * length, runBytes);
}

function strideOf({ strides }: BoxPlace, axis: number): number {
  return strides[axis]!;
}

function strides(bytes: number): Omit<RunAxis, "length"> {
  return { fromStride: bytes, toStride: bytes };
}

/** Whether an axis continues the one inside it without a gap, on both sides. */
function continues({ fromStride, toStride }: RunAxis, inner: RunAxis): boolean {
  return fromStride === inner.fromStride * inner.length &&
    toStride === inner.toStride * inner.length;
}
