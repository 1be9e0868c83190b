/**
 * Rows by position: `slice`, `head`, `tail`, `at` and `take`.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { checkFlag, checkNamed } from "../../base/option_kinds.ts";
import type { Operator } from "../../streams/plan/operator.ts";
import type { RowList } from "../../streams/rows/row_request.ts";
import { rowSlice } from "../../streams/rows/row_slice.ts";
import { type EngineOption, operatorOf } from "../engine/operator_of.ts";
import { refuseOptions } from "../syntax/refuse_options.ts";
import { parseRows, type RowBounds } from "./parse_rows.ts";
import { pickNode, type PickSpec } from "./pick_kinds.ts";

export type { RowBounds } from "./parse_rows.ts";

/** Options of `slice`, `head`, `tail`, `at` and `take`. */
export interface SliceOptions extends EngineOption {
  /**
   * The share of the rows read that may be thrown away, from 0 to 1, where rows cannot be skipped
   * and more than a million would be read. Beyond it, running the stream fails with a RangeError.
   * Default: 0.99.
   */
  readonly maxWaste?: number;
  /**
   * Whether any number of rows may be buffered, up to the memory that the engine may use. Necessary
   * to read all rows backwards from a source that cannot be read backwards. Default: false.
   */
  readonly hold?: boolean;
}

/**
 * Takes rows by position with Python's rules: negative positions count from the end, positions out
 * of range are clamped, and crossed bounds select no row. With a negative step the rows come
 * backwards.
 *
 * Reading stops as soon as the stop is reached. A negative position buffers at most as many rows as
 * it counts, or none if the source can seek. A negative step buffers the rows between the bounds. A
 * position that is not an integer, or a step of 0, is a RangeError. So is a slice that would buffer
 * all rows or throw nearly all away (see `SliceOptions`), once the stream is read.
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
  return operatorOfPick("slice", rowSlice(start, stop, step), options);
}

/**
 * Takes the first `numRows` rows and then stops reading. Throws a RangeError unless it is an
 * integer of at least 0.
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
  return operatorOfPick("head", rowSlice(0, rowCount(numRows)), options);
}

/**
 * Takes the last `numRows` rows. Throws a RangeError unless it is an integer of at least 0.
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
  // A start of -0 would mean the front, so no rows are the slice 0:0.
  const slice = count === 0 ? rowSlice(0, 0) : rowSlice(-count);
  return operatorOfPick("tail", slice, options);
}

/**
 * Takes one row, counted from the end if the position is negative. Throws a RangeError if the
 * position is not an integer. A row that does not exist is a RangeError while the stream is read.
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
  return operatorOfPick("at", pick, options);
}

/**
 * Takes rows by their positions, in the given order and as often as given: single positions, from
 * the end if negative, and ranges by Python's rules, as a list or as text such as `5,-1,100:110`. A
 * single row that does not exist is a RangeError while the stream is read; ranges are clamped.
 *
 * If the source cannot seek, a row is buffered until those before it in the list have come.
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
  rows: string | Iterable<number> | Iterable<number | RowBounds>,
  options?: SliceOptions,
): Operator {
  const listed = typeof rows === "string" ? rowsOfText(rows) : listOf(rows);
  const parts = Array.from(listed, rowPart);
  return operatorOfPick("take", { kind: "list", parts }, options);
}

function rowsOfText(text: string): Iterable<unknown> {
  const rows = parseRows(text);
  if (rows !== undefined) return rows;
  const quoted = JSON.stringify(text);
  throw new RangeError(
    `take() takes positions and ranges separated by commas, such as 5,-1,100:110, not ${quoted}`,
  );
}

/** Returns a list of rows. Throws a TypeError for a value that is no list: it would take no row. */
function listOf(rows: unknown): Iterable<unknown> {
  const isList = typeof rows === "object" && rows !== null && Symbol.iterator in rows;
  if (isList) return rows as Iterable<unknown>;
  throw new TypeError(`take() takes a list of positions and ranges, not ${showValue(rows)}`);
}

/** Creates the operator of a pick; `name` is the function that the user called. */
function operatorOfPick(
  name: string,
  pick: PickSpec["pick"],
  options: SliceOptions = {},
): Operator {
  checkNamed(`${name}()`, "options", options);
  refuseOptions(name, options, ["maxWaste", "hold", "engine"]);
  const { maxWaste = 0.99, hold = false } = options;
  if (typeof maxWaste !== "number" || !(maxWaste >= 0 && maxWaste <= 1)) {
    throw new RangeError(`maxWaste is a number from 0 to 1, not ${showValue(maxWaste)}`);
  }
  checkFlag("hold", hold);
  return operatorOf(pickNode({ pick, maxWaste, hold }, name), options);
}

/**
 * The names of the bounds of a range. Others are rejected: with a misspelled name a range would
 * mean every row.
 */
const bounds: ReadonlySet<string> = new Set(["start", "stop", "step"]);

function rowPart(part: unknown): RowList["parts"][number] {
  if (typeof part === "number") return rowPosition(part);
  const isRange = typeof part === "object" && part !== null && !Array.isArray(part);
  if (isRange && Object.keys(part).every((key) => bounds.has(key))) {
    const { start, stop, step } = part as RowBounds;
    return rowSlice(start, stop, step);
  }
  throw new TypeError(
    `take() takes positions and ranges { start, stop, step }, not ${kindOf(part)}`,
  );
}

/** Returns the kind of a part of a list that names no rows, for an error. */
function kindOf(part: unknown): string {
  if (part === null || part === undefined) return String(part);
  if (Array.isArray(part)) return "an array";
  return typeof part === "object" ? `{ ${Object.keys(part).join(", ")} }` : `a ${typeof part}`;
}

/** Returns a checked position of a row. */
function rowPosition(index: number): number {
  // Adding 0 makes -0 a 0.
  if (Number.isSafeInteger(index)) return index + 0;
  throw new RangeError(`A position of a row is an integer, not ${showValue(index)}`);
}

/** Returns a checked number of rows. Throws a RangeError unless it is an integer of at least 0. */
function rowCount(numRows: number): number {
  if (!Number.isSafeInteger(numRows) || numRows < 0) {
    throw new RangeError(`A number of rows is an integer of at least 0, not ${showValue(numRows)}`);
  }
  return numRows;
}
