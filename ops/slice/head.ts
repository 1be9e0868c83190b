/** @module */

import type { Operator } from "../../streams/operator.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { rowCount } from "./row_count.ts";
import { rowSlice } from "./row_slice.ts";
import { sliceNode } from "./slice_node.ts";

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
export function head(numRows: number, options?: EngineOption): Operator {
  return operatorOf(sliceNode(rowSlice(0, rowCount(numRows), 1), "head"), options);
}
