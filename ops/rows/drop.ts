/** @module */

import { Schema } from "apache-arrow";
import type { Operator } from "../../streams/operator.ts";
import { checkNames } from "./check_names.ts";
import { columnIndex } from "./columns.ts";
import { operatorOf } from "../engine/engine_option.ts";
import { type OperatorNode, withNames } from "../engine/node.ts";
import { mapStage } from "../engine/stage.ts";

/**
 * Leaves the named columns out. A name that the input lacks is a TypeError, and so is dropping
 * every column.
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
  return operatorOf(dropNode(columns));
}

/** The node of `drop`; with its input known it is a `select`, which is why `dropped` marks it. */
export interface DropNode extends OperatorNode {
  readonly dropped: readonly string[];
}

/** Whether a node drops columns. */
export function isDrop(node: OperatorNode): node is DropNode {
  return "dropped" in node;
}

function dropNode(columns: readonly string[]): DropNode {
  return Object.freeze<DropNode>({
    dropped: columns,
    name: "drop",
    rows: "same",
    summary: columns.join(", "),
    needs: (wanted) => withNames(wanted, columns),
    bind(input) {
      const dropped = new Set(columns.map((name) => columnIndex(input, name)));
      const indices = input.fields.map((_, index) => index).filter((index) => !dropped.has(index));
      if (indices.length === 0) throw new TypeError("Dropping every column leaves nothing");
      const schema = new Schema(indices.map((index) => input.fields[index]!), input.metadata);
      return mapStage(schema, (batch) => batch.pick(schema, indices));
    },
  });
}
