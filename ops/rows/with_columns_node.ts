/** @module */

import { Field, Schema } from "apache-arrow";
import { Batch } from "../batch/batch.ts";
import { BatchColumn } from "../batch/batch_column.ts";
import { evaluateExprs } from "./evaluate_exprs.ts";
import { bindExpr } from "../expr/bind.ts";
import type { Expr } from "../expr/expr.ts";
import { compileExprs } from "../expr/fuse.ts";
import { columnsOf, expandParts } from "../expr/rewrite.ts";
import { printExpr } from "../expr/print.ts";
import {
  type BindContext,
  type Names,
  type OperatorNode,
  type Stage,
  withNames,
} from "../engine/node.ts";
import { type Compute, computeStage } from "../engine/stage.ts";

/** The node of `withColumns`; the rules of the engine merge it by its `columns`. */
export interface WithColumnsNode extends OperatorNode {
  readonly columns: ReadonlyMap<string, Expr>;
}

/** The node that `withColumns` makes; a call that gives several columns becomes those. */
export function withColumnsNode(given: ReadonlyMap<string, Expr>): WithColumnsNode {
  const columns = expandParts(given);
  return Object.freeze<WithColumnsNode>({
    name: "withColumns",
    rows: "same",
    columns,
    summary: [...given].map(([name, expr]) => `${name} = ${printExpr(expr)}`).join(", "),
    needs: (wanted) => neededBy(columns, wanted),
    bind: (input, context) => bindColumns(columns, input, context),
  });
}

/** Whether a node adds columns. */
export function isWithColumns(node: OperatorNode): node is WithColumnsNode {
  return node.name === "withColumns" && "columns" in node;
}

function neededBy(columns: ReadonlyMap<string, Expr>, wanted: Names): Names {
  const kept = wanted && new Set([...wanted].filter((name) => !columns.has(name)));
  return withNames(kept, [...columns.values()].flatMap((expr) => [...columnsOf(expr)]));
}

function bindColumns(
  columns: ReadonlyMap<string, Expr>,
  input: Schema,
  { fuse }: BindContext,
): Stage {
  if (columns.size === 0) throw new TypeError("Name at least one column and its expression");
  const bound = [...columns.values()].map((expr) => bindExpr(expr, input));
  const compiled = compileExprs(bound, { fuse, names: input.fields.map(({ name }) => name) });
  const results = new Map([...columns.keys()].map((name, index) => {
    const { type, nullable } = bound[index]!;
    return [name, { index, field: new Field(name, type, nullable) }];
  }));
  const kept = input.fields.map((field) => results.get(field.name)?.field ?? field);
  const added = [...results.values()].map(({ field }) => field)
    .filter(({ name }) => !input.fields.some((field) => field.name === name));
  const schema = new Schema([...kept, ...added], input.metadata);
  const compute: Compute = async (batch, context, done) => {
    const columns = await evaluateExprs(context, compiled, batch, done);
    const output = schema.fields.map((field, index) => {
      const result = results.get(field.name);
      return result === undefined
        ? batch.columns[index]!.share()
        : BatchColumn.fromColumn(field.type, columns[result.index]!);
    });
    return new Batch(schema, batch.numRows, output);
  };
  return computeStage(schema, compute, compiled);
}
