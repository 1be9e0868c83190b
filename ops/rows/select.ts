/** @module */

import type { Operator } from "../../streams/operator.ts";
import { checkNames } from "./check_names.ts";
import { operatorOf } from "../engine/engine_option.ts";
import { selectNode } from "./select_node.ts";

/**
 * Keeps the named columns, in the order given. A name that the input lacks is a TypeError, as are
 * a name given twice and no name at all.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, select, toTable } from "../../mod.ts";
 *
 * const people = tableFromArrays({ id: [1, 2], name: ["Ada", "Alan"] });
 * const names = await toTable(fromBatches(people).pipeThrough(select("name")));
 * assertEquals(names.toArray().map((row) => row.toJSON()), [{ name: "Ada" }, { name: "Alan" }]);
 * ```
 */
export function select(...columns: readonly string[]): Operator {
  checkNames("select()", columns);
  return operatorOf(selectNode(columns));
}
