/** @module */

import type { Operator } from "../../streams/operator.ts";
import { checkNames } from "./check_names.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { joinStringsNode } from "./join_strings_node.ts";

/** Options of `joinStrings`. */
export interface JoinStringsOptions extends EngineOption {
  /** Text between two rows. Nothing by default. */
  readonly separator?: string;
}

/**
 * Joins the texts of a column into one row for each batch, as SQL's `string_agg` does for each
 * group; `regroup` in front of it says what the batches are. The row has this column alone. Texts
 * that are null are left out; a batch without any other gives a null, a batch without rows nothing.
 *
 * An unknown column, and one that is not text, is a TypeError.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, joinStrings, regroup, toTable } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "b", "c"] });
 * const lines = fromBatches(letters)
 *   .pipeThrough(regroup({ rows: 2 }))
 *   .pipeThrough(joinStrings("letter", { separator: "-" }));
 * assertEquals((await toTable(lines)).toArray().map((row) => row.letter), ["a-b", "c"]);
 * ```
 */
export function joinStrings(column: string, options: JoinStringsOptions = {}): Operator {
  checkNames("joinStrings()", [column]);
  const { separator = "", engine } = options;
  if (typeof separator !== "string") {
    throw new TypeError(`joinStrings takes text as separator, not ${typeof separator}`);
  }
  if (!separator.isWellFormed()) {
    throw new TypeError("Text with a lone surrogate cannot be written as UTF-8");
  }
  const node = joinStringsNode(column, separator);
  return operatorOf(node, engine === undefined ? {} : { engine });
}
