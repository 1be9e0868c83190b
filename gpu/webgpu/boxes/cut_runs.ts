/**
 * Cuts the runs of a box where the windows of a column end: a kernel sees one window of each side.
 *
 * @module
 */

import { type BoxRuns, type RunAxis, runsExtent } from "../../column/boxes/box_runs.ts";

type Side = "from" | "to";

/** Runs whose bytes all lie in one window. */
interface WindowRuns {
  readonly runs: BoxRuns;
  readonly window: number;
}

/**
 * Cuts runs so that each part lies in one window of a side. `bounds` are the first bytes of the
 * windows, and the end of the last one. A box in C order becomes at most two parts for each axis
 * and window.
 */
export function* cutRuns(
  runs: BoxRuns,
  side: Side,
  bounds: readonly number[],
): Generator<WindowRuns, void, void> {
  const { start, stop } = runsExtent(runs, side);
  const window = bounds.findLastIndex((bound) => bound <= start);
  const end = bounds[window + 1]!;
  if (stop <= end) {
    yield { runs, window };
    return;
  }
  for (const part of parts(runs, side, end)) yield* cutRuns(part, side, bounds);
}

/** Splits runs that lie on both sides of a byte in two: smaller ones, or ones with fewer axes. */
function parts(runs: BoxRuns, side: Side, bound: number): [BoxRuns, BoxRuns] {
  const stride = `${side}Stride` as const;
  const longest = Math.max(0, ...runs.axes.map((axis) => Math.abs(axis[stride])));
  // Without strides, every run lies on both sides.
  if (longest === 0) return cutRun(runs, bound - runs[side]);
  const at = runs.axes.findIndex((axis) => Math.abs(axis[stride]) === longest);
  return cutAxis(runs, at, itemsBefore(runs, side, runs.axes[at]!, bound));
}

/** Returns the number of items of an axis before a byte: at least one, and not all. */
function itemsBefore(runs: BoxRuns, side: Side, axis: RunAxis, bound: number): number {
  const stride = axis[`${side}Stride`];
  if (stride < 0) return axis.length >> 1;
  const firstStop = runsExtent(runs, side).stop - (axis.length - 1) * stride;
  return Math.max(1, Math.floor((bound - firstStop) / stride) + 1);
}

function cutRun(runs: BoxRuns, bytes: number): [BoxRuns, BoxRuns] {
  const { runBytes, from, to } = runs;
  return [
    { ...runs, runBytes: bytes },
    { ...runs, runBytes: runBytes - bytes, from: from + bytes, to: to + bytes },
  ];
}

function cutAxis(runs: BoxRuns, at: number, items: number): [BoxRuns, BoxRuns] {
  const axis = runs.axes[at]!;
  const having = (length: number) =>
    runs.axes.flatMap((other, k) => k !== at ? [other] : length === 1 ? [] : [{ ...axis, length }]);
  return [
    { ...runs, axes: having(items) },
    {
      ...runs,
      axes: having(axis.length - items),
      from: runs.from + items * axis.fromStride,
      to: runs.to + items * axis.toStride,
    },
  ];
}
