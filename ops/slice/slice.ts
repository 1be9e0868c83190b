/** @module */

import type { Operator } from "../../streams/operator.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { rowSlice } from "./row_slice.ts";
import { sliceNode } from "./slice_node.ts";

/**
 * Takes rows by position with Python's rules: negative positions count from the end, positions out
 * of range are clamped, crossed ones give no row. The step is positive.
 *
 * Reading stops as soon as the stop is reached. A negative position keeps at most as many rows as
 * it counts, or none where the number of rows is known beforehand. RangeError for a position that
 * is not an integer and for a step below 1.
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
  options?: EngineOption,
): Operator {
  return operatorOf(sliceNode(rowSlice(start, stop, step)), options);
}
