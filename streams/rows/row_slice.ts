/**
 * The arithmetic of slices: Python's `start:stop:step`, and slices of slices.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import type { RowRun } from "./row_run.ts";

/**
 * Every step-th row from max(skip, n - last) to min(first, n - drop) of a stream of n rows. Each slice of
 * Python can be written so, and nearly each slice of a slice.
 */
export interface RowSlice {
  /** Tells a slice from a list. */
  readonly kind: "slice";
  /** The number of rows left out at the front: an integer of at least 0. */
  readonly skip: number;
  /** The most rows taken from the end; Infinity: all. */
  readonly last: number;
  /** The end of the rows taken, counted from the front; Infinity: none. */
  readonly first: number;
  /** The number of rows left out at the end: an integer of at least 0. */
  readonly drop: number;
  /** Not 0; negative: backwards, from the last of these rows on. */
  readonly step: number;
}

type Bounds = Omit<RowSlice, "kind">;

const all: Bounds = { skip: 0, last: Infinity, first: Infinity, drop: 0, step: 1 };

/**
 * Returns a slice by Python's rules: negative positions count from the end, positions out of range are
 * clamped, open ones are null or undefined. A position that is not an integer and a step of 0 are
 * RangeErrors.
 */
export function rowSlice(
  start?: number | null,
  stop?: number | null,
  step?: number | null,
): RowSlice {
  const given = { start, stop, step: step ?? 1 };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || Number.isSafeInteger(value)) continue;
    const bound = Number.isInteger(value) ? " below 2^53" : "";
    throw new RangeError(`The ${name} of a slice is an integer${bound}, not ${showValue(value)}`);
  }
  if (given.step === 0) throw new RangeError("The step of a slice cannot be 0");
  return given.step > 0
    ? frozen({ ...startFrom(start), ...stopBefore(stop), step: given.step })
    : frozen({ ...startBack(start), ...stopBehind(stop), step: given.step });
}

function startFrom(start: number | null | undefined): Pick<Bounds, "skip" | "last"> {
  if (start === undefined || start === null) return { skip: 0, last: Infinity };
  return start < 0 ? { skip: 0, last: -start } : { skip: Math.abs(start), last: Infinity };
}

function stopBefore(stop: number | null | undefined): Pick<Bounds, "first" | "drop"> {
  if (stop === undefined || stop === null) return { first: Infinity, drop: 0 };
  return stop < 0 ? { first: Infinity, drop: -stop } : { first: Math.abs(stop), drop: 0 };
}

function startBack(start: number | null | undefined): Pick<Bounds, "first" | "drop"> {
  if (start === undefined || start === null) return { first: Infinity, drop: 0 };
  return start < 0 ? { first: Infinity, drop: -start - 1 } : { first: start + 1, drop: 0 };
}

function stopBehind(stop: number | null | undefined): Pick<Bounds, "skip" | "last"> {
  if (stop === undefined || stop === null) return { skip: 0, last: Infinity };
  return stop < 0 ? { skip: 0, last: -stop - 1 } : { skip: stop + 1, last: Infinity };
}

function frozen(bounds: Bounds): RowSlice {
  return Object.freeze({ kind: "slice", ...bounds });
}

/** Returns the rows that a slice takes of `numRows` rows. */
export function resolveSlice({ skip, last, first, drop, step }: RowSlice, numRows: number): RowRun {
  const start = Math.max(skip, numRows - last, 0);
  const stop = Math.min(first, numRows - drop);
  if (stop <= start) return { start: 0, step, count: 0 };
  const count = Math.ceil((stop - start) / Math.abs(step));
  return { start: step > 0 ? start : stop - 1, step, count };
}

/** Returns the most rows that a slice takes of any stream; Infinity if there is no limit. */
export function mostRows({ skip, last, first, drop, step }: RowSlice): number {
  return Math.ceil(Math.max(0, Math.min(first - skip, last - drop)) / Math.abs(step));
}

/** Whether a slice takes no row of any stream. */
export function isEmptySlice(slice: RowSlice): boolean {
  return mostRows(slice) === 0;
}

/** Whether a slice takes each row. */
export function isWholeSlice({ skip, last, first, drop, step }: RowSlice): boolean {
  return skip === 0 && drop === 0 && last === Infinity && first === Infinity && step === 1;
}

/**
 * Returns the slice that takes the rows which `second` takes of those which `first` takes; undefined where
 * that depends on the number of rows, or where positions would not be exact.
 */
export function composeSlices(first: RowSlice, second: RowSlice): RowSlice | undefined {
  if (first.step < 0) {
    const mirrored = composeSlices(mirror(first), second);
    return mirrored && mirror(mirrored);
  }
  const { step } = first;
  const most = mostRows(first);
  // Ignore bounds that have no effect.
  const secondLast = second.last >= most ? Infinity : second.last;
  const secondFirst = second.first >= most ? Infinity : second.first;
  const countsFromEnd = secondLast < Infinity || second.drop > 0 || second.step < 0;
  if (step > 1 && countsFromEnd) return undefined;
  const isTailOfHead = secondLast < Infinity && first.first < Infinity;
  const isHeadOfTail = secondFirst < Infinity && first.last < Infinity;
  if (isTailOfHead || isHeadOfTail) return undefined;
  const bounds = {
    skip: first.skip + step * second.skip,
    last: Math.min(
      first.last - step * second.skip,
      secondLast < Infinity ? first.drop + secondLast : Infinity,
    ),
    first: Math.min(
      first.first - second.drop,
      secondFirst < Infinity ? first.skip + step * secondFirst : Infinity,
    ),
    drop: first.drop + second.drop,
    step: step * second.step,
  };
  const isExact = Object.values(bounds).every((bound) =>
    Math.abs(bound) === Infinity || Number.isSafeInteger(bound)
  );
  return isExact ? frozen(bounds) : undefined;
}

/** Returns the slice that takes the same rows when all rows are in reverse order. */
export function mirror({ skip, last, first, drop, step }: RowSlice): RowSlice {
  return frozen({ skip: drop, last: first, first: last, drop: skip, step: -step });
}

/** Prints a slice as a person writes it: `-1000:`, `9:4:-1`; with two bounds `max(5, -10):20`. */
export function printSlice(slice: RowSlice): string {
  if (isEmptySlice(slice)) return "0:0";
  const { skip, last, first, drop, step } = slice;
  const [start, stop] = step > 0
    ? [
      bound("max", skip > 0 ? skip : undefined, last < Infinity ? -last : undefined),
      bound("min", first < Infinity ? first : undefined, drop > 0 ? -drop : undefined),
    ]
    : [
      bound(
        "min",
        first < Infinity ? first - 1 : undefined,
        drop > 0 ? -drop - 1 : undefined,
      ),
      bound("max", skip > 0 ? skip - 1 : undefined, last < Infinity ? -last - 1 : undefined),
    ];
  return `${start}:${stop}${step === 1 ? "" : `:${step}`}`;
}

function bound(which: string, front: number | undefined, end: number | undefined): string {
  if (front !== undefined && end !== undefined) return `${which}(${front}, ${end})`;
  return String(front ?? end ?? "");
}

/** The slice that takes every row. */
export const wholeSlice: RowSlice = frozen(all);
