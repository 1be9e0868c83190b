/**
 * Rows by position: `slice`, `head`, `tail`, `at` and `take`.
 *
 * @module
 */

import type { Operator } from "../../streams/operator.ts";
import type { RowList } from "../../streams/rows/row_request.ts";
import { rowSlice } from "../../streams/rows/row_slice.ts";
import { type EngineOption, operatorOf } from "../engine/operator_of.ts";
import { pickNode, type PickSpec } from "./pick_kinds.ts";

/** Options of `slice`, `head`, `tail`, `at` and `take`. */
export interface SliceOptions extends EngineOption {
  /**
   * The share of the rows read that may be thrown away, from 0 to 1, where more than a million are read.
   * Default: 0.99.
   */
  readonly maxWaste?: number;
  /** Whether rows may be held in memory without a limit but the engine's. Default: false. */
  readonly hold?: boolean;
}

/** A range of positions by Python's rules; absent and null bounds are open. */
export interface RowBounds {
  /** The first position. */
  readonly start?: number | null;
  /** The position behind the last one. */
  readonly stop?: number | null;
  /** How far positions lie apart; negative: backwards. Default: 1. */
  readonly step?: number | null;
}

/**
 * Takes rows by position with Python's rules: negative positions count from the end, positions out
 * of range are clamped, crossed ones give no row. With a negative step the rows come backwards.
 *
 * Reading stops as soon as the stop is reached. A negative position keeps at most as many rows as
 * it counts, or none where the source can seek. RangeError for a position that is not an integer and
 * for a step of 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, slice, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const last = await toTable(fromBatches(letters).pipeThrough(slice(-2)));
 * assertEquals(last.toArray().map((row) => row.letter), ["c", "d"]);
 * ```
 */
export function slice(
  start?: number | null,
  stop?: number | null,
  step?: number | null,
  options?: SliceOptions,
): Operator {
  return operatorOf(pickNode(specOf(rowSlice(start, stop, step), options), "slice"), options);
}

/**
 * Takes the first `numRows` rows and stops reading. RangeError unless it is an integer of at least
 * 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, head, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const first = await toTable(fromBatches(letters).pipeThrough(head(2)));
 * assertEquals(first.toArray().map((row) => row.letter), ["a", "b"]);
 * ```
 */
export function head(numRows: number, options?: SliceOptions): Operator {
  return operatorOf(pickNode(specOf(rowSlice(0, rowCount(numRows)), options), "head"), options);
}

/**
 * Takes the last `numRows` rows. RangeError unless it is an integer of at least 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, tail, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const last = await toTable(fromBatches(letters).pipeThrough(tail(2)));
 * assertEquals(last.toArray().map((row) => row.letter), ["c", "d"]);
 * ```
 */
export function tail(numRows: number, options?: SliceOptions): Operator {
  const count = rowCount(numRows);
  // A start of -0 would mean the front: no rows is the slice 0:0.
  const slice = count === 0 ? rowSlice(0, 0) : rowSlice(-count);
  return operatorOf(pickNode(specOf(slice, options), "tail"), options);
}

/**
 * Takes one row, from the end if the position is negative. A row that does not exist is a RangeError
 * while the stream is read; a position that is not an integer is one at once.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { at, fromBatches, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const third = await toTable(fromBatches(letters).pipeThrough(at(-2)));
 * assertEquals(third.toArray().map((row) => row.letter), ["c"]);
 * ```
 */
export function at(index: number, options?: SliceOptions): Operator {
  const pick: RowList = { kind: "list", parts: [rowPosition(index)] };
  return operatorOf(pickNode(specOf(pick, options), "at"), options);
}

/**
 * Takes rows by their positions, in the order in which these are given and as often: single positions,
 * from the end if negative, and ranges by Python's rules. A single row that does not exist is a
 * RangeError while the stream is read; ranges are clamped.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, take, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c", "d"] });
 * const some = fromBatches(letters).pipeThrough(take([3, -4, { start: 1, stop: 3 }]));
 * assertEquals((await toTable(some)).toArray().map((row) => row.letter), ["d", "a", "b", "c"]);
 * ```
 */
export function take(
  rows: Iterable<number> | Iterable<number | RowBounds>,
  options?: SliceOptions,
): Operator {
  const parts = Array.from(rows as Iterable<unknown>, rowPart);
  return operatorOf(pickNode(specOf({ kind: "list", parts }, options), "take"), options);
}

function specOf(pick: PickSpec["pick"], options: SliceOptions | undefined): PickSpec {
  const { maxWaste = 0.99, hold = false } = options ?? {};
  return { pick, maxWaste, hold };
}

function rowPart(part: unknown): RowList["parts"][number] {
  if (typeof part === "number") return rowPosition(part);
  if (typeof part === "object" && part !== null) {
    const { start, stop, step } = part as RowBounds;
    return rowSlice(start, stop, step);
  }
  const what = typeof part === "object" ? "null" : `a ${typeof part}`;
  throw new TypeError(`take() takes positions and ranges { start, stop, step }, not ${what}`);
}

/** A checked position of a row. */
function rowPosition(index: number): number {
  if (Number.isSafeInteger(index)) return index;
  throw new RangeError(`A position of a row is an integer, not ${index}`);
}

/** A checked number of rows: an integer of at least 0, else a RangeError. */
function rowCount(numRows: number): number {
  if (!Number.isSafeInteger(numRows) || numRows < 0) {
    throw new RangeError(`A number of rows is an integer of at least 0, not ${numRows}`);
  }
  return numRows;
}
