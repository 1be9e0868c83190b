/**
 * The operator `rename`, which renames columns.
 *
 * @module
 */

import { Field, Schema } from "apache-arrow";
import {
  checkedAs,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  pickStage,
} from "../engine/operator_kit.ts";
import { checkNamed } from "../../base/option_kinds.ts";
import { checkNames, columnIndex } from "./column_names.ts";

/**
 * Renames columns, `{ old: "new" }`. All names change together, so that two columns may swap
 * theirs. An unknown name, or a name that would then occur twice, is a TypeError.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, rename, toTable } from "../../mod.ts";
 *
 * const people = tableFromArrays({ id: [1], name: ["Ada"] });
 * const renamed = await toTable(fromBatches(people).pipeThrough(rename({ id: "number" })));
 * assertEquals(renamed.schema.names, ["number", "name"]);
 * ```
 */
export function rename(names: Readonly<Record<string, string>>): Operator {
  checkNamed("rename()", "new names", names);
  checkNames("rename()", Object.values(names));
  return operatorOf(nodeOf(renameKind, new Map(Object.entries(names))));
}

/** New names by the old ones. */
const renameKind: NodeKind<ReadonlyMap<string, string>> = {
  name: "rename",
  rows: "same",
  boundaries: "ignored",
  summary: (names) => [...names].map(([from, to]) => `${from}=${to}`).join(", "),
  needs(names, wanted) {
    if (wanted === undefined) return undefined;
    const oldNames = new Map([...names].map(([from, to]) => [to, from]));
    return new Set([...wanted].map((name) => oldNames.get(name) ?? name).concat(...names.keys()));
  },
  check(names, input) {
    for (const from of names.keys()) columnIndex(input, from);
    const fields = input.fields.map((field) =>
      new Field(names.get(field.name) ?? field.name, field.type, field.nullable, field.metadata)
    );
    const schema = new Schema(fields, input.metadata);
    return checkedAs(pickStage(schema, fields.map((_, index) => index)));
  },
};
