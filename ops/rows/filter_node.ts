/** @module */

import { DataType, type Schema } from "apache-arrow";
import { typeName } from "../batch/arrow_types.ts";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import { evaluateExprs } from "./evaluate_exprs.ts";
import { bindExpr } from "../expr/bind.ts";
import type { Expr } from "../expr/expr.ts";
import { compileExprs } from "../expr/fuse.ts";
import { printExpr } from "../expr/print.ts";
import { columnsOf } from "../expr/rewrite.ts";
import { type BindContext, type OperatorNode, type Stage, withNames } from "../engine/node.ts";
import { type Compute, computeStage } from "../engine/stage.ts";
import { releaseColumn } from "../../gpu/column/column.ts";

/** The node of `filter`; the rules of the engine merge it by its `predicate`. */
export interface FilterNode extends OperatorNode {
  readonly predicate: Expr;
}

/** The node that `filter` makes. */
export function filterNode(predicate: Expr): FilterNode {
  return Object.freeze<FilterNode>({
    name: "filter",
    rows: "fewer",
    predicate,
    summary: printExpr(predicate),
    needs: (wanted) => withNames(wanted, columnsOf(predicate)),
    bind: (input, context) => bindFilter(predicate, input, context),
  });
}

/** Whether a node is a filter. */
export function isFilter(node: OperatorNode): node is FilterNode {
  return "predicate" in node;
}

function bindFilter(predicate: Expr, input: Schema, { fuse }: BindContext): Stage {
  const bound = bindExpr(predicate, input);
  if (!DataType.isBool(bound.type)) {
    throw new TypeError(
      `A filter keeps rows where its expression is true, ${bound.label} is ${typeName(bound.type)}`,
    );
  }
  const compiled = compileExprs([bound], { fuse, names: input.fields.map(({ name }) => name) });
  const compute: Compute = async (batch, context, done) => {
    const [mask] = await evaluateExprs(context, compiled, batch, done);
    try {
      const columns = batch.columns.map(({ column }) => column);
      const kept = await context.backend.filter(columns, mask!, batch.numRows);
      const output = kept.columns.map((column, index) =>
        BatchColumn.fromColumn(input.fields[index]!.type, column)
      );
      return new Batch(input, kept.numRows, output);
    } finally {
      releaseColumn(mask!);
    }
  };
  return computeStage(input, compute, compiled);
}
