/**
 * The operator `select`, which keeps columns in a given order.
 *
 * @module
 */

import { Schema } from "apache-arrow";
import {
  checkedAs,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  pickStage,
} from "../engine/operator_kit.ts";
import { checkNames, columnIndex } from "./column_names.ts";

/**
 * Keeps the named columns, in the given order. A name that the input lacks is a TypeError, as are a
 * name given twice and no name at all.
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
  return operatorOf(nodeOf(selectKind, columns));
}

/** The kind of `select`, and of `drop` once its input is known. */
export const selectKind: NodeKind<readonly string[]> = {
  name: "select",
  rows: "same",
  boundaries: "ignored",
  summary: (columns) => columns.join(", "),
  needs: (columns) => new Set(columns),
  check(columns, input) {
    if (columns.length === 0) throw new TypeError("Select at least one column");
    const twice = columns.find((name, index) => columns.indexOf(name) !== index);
    if (twice !== undefined) throw new TypeError(`Column "${twice}" is selected twice`);
    const indices = columns.map((name) => columnIndex(input, name));
    const schema = new Schema(indices.map((index) => input.fields[index]!), input.metadata);
    return checkedAs(pickStage(schema, indices));
  },
};
