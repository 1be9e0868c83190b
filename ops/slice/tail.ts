/** @module */

import type { Operator } from "../../streams/operator.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { rowCount } from "./row_count.ts";
import { rowSlice } from "./row_slice.ts";
import { sliceNode } from "./slice_node.ts";

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
export function tail(numRows: number, options?: EngineOption): Operator {
  const count = rowCount(numRows);
  // A start of -0 would mean the front: no rows from the end are the rows before the first.
  const slice = count === 0 ? rowSlice(0, 0, 1) : rowSlice(-count, undefined, 1);
  return operatorOf(sliceNode(slice, "tail"), options);
}
