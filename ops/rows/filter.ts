/**
 * The operator `filter`, which keeps the rows for which a condition is true.
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import { releaseColumn } from "../../gpu/column/column.ts";
import { shorten } from "../../gpu/kernel/tree/describe_tree.ts";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import {
  Batch,
  BatchColumn,
  type CheckContext,
  type Checked,
  type Compute,
  computeStage,
  type EngineOption,
  firstRows,
  isOf,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  type Stage,
  type Step,
  withNames,
} from "../engine/operator_kit.ts";
import { typeName } from "../batch/arrow_types.ts";
import { bindExpr, type BoundExpr } from "../expr/bind.ts";
import { checkExpr } from "../expr/check_expr.ts";
import { checkConditions } from "../expr/quoted_text.ts";
import { depthOf, MAX_DEPTH } from "../syntax/depth.ts";
import { type Expr, makeExpr, printExpr } from "../expr/expr.ts";
import { compileExprs } from "../expr/compile_exprs.ts";
import { canFail, columnsOf, isStrictExpr } from "../expr/rewrite.ts";
import { evaluateExprs, inPlaces } from "./evaluate_exprs.ts";

/**
 * Keeps the rows for which an expression is true, not those for which it is false or null. The
 * order stays. An expression that is not boolean is a TypeError.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { expr, filter, fromBatches, toTable } from "../../mod.ts";
 *
 * const people = tableFromArrays({ name: ["Ada", "Alan", "Grace"] });
 * const kept = await toTable(
 *   fromBatches(people).pipeThrough(filter(expr('name.startsWith("A")'))),
 * );
 * assertEquals(kept.toArray().map((row) => row.name), ["Ada", "Alan"]);
 * ```
 */
export function filter(predicate: Expr, options?: EngineOption): Operator {
  checkExpr("The condition of filter()", predicate);
  checkConditions(predicate.node);
  return operatorOf(nodeOf(filterKind, predicate), options);
}

export const filterKind: NodeKind<Expr> = {
  name: "filter",
  rows: "fewer",
  boundaries: "ignored",
  summary: printExpr,
  needs: (predicate, wanted) => withNames(wanted, columnsOf(predicate)),
  check: checkFilter,
  rewrites: { pairs: [{ name: "filter after filter is one filter", rewrite: mergeFilters }] },
};

/**
 * Merges two filters, unless the second condition can fail: it must not see rows that the first one
 * drops.
 */
function mergeFilters(first: Step, second: Step<Expr>): Step[] | undefined {
  if (!isOf(first.node, filterKind)) return undefined;
  const [before, after] = [first.node.spec, second.node.spec];
  if (canFail(after) || isStrictExpr(before)) return undefined;
  const [left, right] = [before.node, after.node];
  if (Math.max(depthOf(left), depthOf(right)) >= MAX_DEPTH) return undefined;
  const predicate = makeExpr({ node: "and", left, right });
  return [{ ...second, node: nodeOf(filterKind, predicate), step: first.step }];
}

function checkFilter(predicate: Expr, input: Schema, { fuse }: CheckContext): Checked {
  const bound = bindExpr(predicate, input);
  if (!DataType.isBool(bound.type)) {
    throw new TypeError(
      `A filter needs a bool expression, but ${shorten(bound.label)} is ${typeName(bound.type)}`,
    );
  }
  return { schema: input, compile: () => compileFilter(bound, input, fuse) };
}

function compileFilter(bound: BoundExpr, input: Schema, fuse: boolean): Stage {
  const names = input.fields.map(({ name }) => name);
  const places = names.map((name) => `column ${name}`);
  const compiled = compileExprs([withoutNull(bound)], {
    fuse,
    names,
    places: [`condition ${bound.label}`],
  });
  const compute: Compute = async (batch, context) => {
    const { columns: [mask], numRows } = await evaluateExprs(context, compiled, batch);
    try {
      const rows = await firstRows(batch, numRows, context.backend);
      const columns = rows.columns.map(({ column }) => column);
      const kept = await inPlaces(places, context.backend.filter(columns, mask!, numRows));
      const output = kept.columns.map((column, index) =>
        BatchColumn.fromColumn(input.fields[index]!.type, column)
      );
      return { result: new Batch(input, kept.numRows, output), numRows };
    } finally {
      releaseColumn(mask!);
    }
  };
  return computeStage(input, compute, compiled);
}

/** Returns a condition that is false where the given one is null: both drop the row. */
function withoutNull(bound: BoundExpr): BoundExpr {
  const { tree, nullable } = bound;
  if (!nullable) return bound;
  const other: Tree = { node: "literal", value: false, type: tree.type };
  const { type } = tree;
  return { ...bound, tree: { node: "fillNull", value: tree, other, isPart: true, type } };
}
