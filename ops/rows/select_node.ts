/** @module */

import { Schema } from "apache-arrow";
import { columnIndex } from "./columns.ts";
import type { OperatorNode } from "../engine/node.ts";
import { mapStage } from "../engine/stage.ts";

/** The node that keeps some columns. `drop` becomes one as soon as its input is known. */
export function selectNode(columns: readonly string[]): OperatorNode {
  return Object.freeze<OperatorNode>({
    name: "select",
    rows: "same",
    summary: columns.join(", "),
    needs: () => new Set(columns),
    bind(input) {
      if (columns.length === 0) throw new TypeError("Select at least one column");
      const twice = columns.find((name, index) => columns.indexOf(name) !== index);
      if (twice !== undefined) throw new TypeError(`Column "${twice}" is selected twice`);
      const indices = columns.map((name) => columnIndex(input, name));
      const schema = new Schema(indices.map((index) => input.fields[index]!), input.metadata);
      return mapStage(schema, (batch) => batch.pick(schema, indices));
    },
  });
}
