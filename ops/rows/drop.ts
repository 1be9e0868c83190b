/**
 * The operator `drop`, which removes columns.
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
  withNames,
} from "../engine/operator_kit.ts";
import { checkNames, columnIndex } from "./column_names.ts";
import { selectKind } from "./select.ts";

/**
 * Removes the named columns. A name that the input lacks is a TypeError, and so is dropping every
 * column.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { drop, fromBatches, toTable } from "../../mod.ts";
 *
 * const people = tableFromArrays({ id: [1, 2], name: ["Ada", "Alan"] });
 * const names = await toTable(fromBatches(people).pipeThrough(drop("id")));
 * assertEquals(names.schema.names, ["name"]);
 * ```
 */
export function drop(...columns: readonly string[]): Operator {
  checkNames("drop()", columns);
  return operatorOf(nodeOf(dropKind, columns));
}

const dropKind: NodeKind<readonly string[]> = {
  name: "drop",
  rows: "same",
  boundaries: "ignored",
  summary: (columns) => columns.join(", "),
  needs: (columns, wanted) => withNames(wanted, columns),
  check(columns, input) {
    const dropped = new Set(columns.map((name) => columnIndex(input, name)));
    const indices = input.fields.map((_, index) => index).filter((index) => !dropped.has(index));
    if (indices.length === 0) throw new TypeError("Cannot drop every column");
    const schema = new Schema(indices.map((index) => input.fields[index]!), input.metadata);
    return checkedAs(pickStage(schema, indices));
  },
  rewrites: {
    // A select of the other columns needs no dropped column, so that it need not be read.
    onSchema: (_, { fields }) => nodeOf(selectKind, fields.map(({ name }) => name)),
  },
};
