/**
 * The rewrites of a plan: peephole rules over neighbouring nodes, each sound by itself. None of
 * them changes the rows or their order.
 *
 * @module
 */

import { canFail, columnsOf, isStrictExpr, substituteColumns } from "../expr/rewrite.ts";
import { depthOf, MAX_DEPTH } from "../expr/node.ts";
import { type Expr, makeExpr } from "../expr/expr.ts";
import { filterNode, isFilter } from "../rows/filter_node.ts";
import type { Names, OperatorNode } from "./node.ts";
import { isRegroup } from "../regroup/regroup_node.ts";
import { composeSlices } from "../slice/row_slice.ts";
import { isSlice, sliceNode } from "../slice/slice_node.ts";
import { isWithColumns, withColumnsNode } from "../rows/with_columns_node.ts";

/** A node and its place in the pipeline as the user wrote it; the source is step 1. */
export interface Step {
  readonly node: OperatorNode;
  readonly step: number;
  /** The columns of its result that the steps after it need; absent for all of them. */
  readonly wanted?: Names;
}

/** One rewrite of two neighbours: what takes their place, or undefined where it does not apply. */
interface Rule {
  readonly name: string;
  rewrite(first: Step, second: Step): readonly Step[] | undefined;
}

const rules: readonly Rule[] = [
  { name: "slice after slice is one slice", rewrite: mergeSlices },
  { name: "a slice passes what keeps its rows", rewrite: liftSlice },
  { name: "of two regroups the last wins", rewrite: mergeRegroups },
  { name: "expressions of columns that are read once and never seen fuse", rewrite: mergeColumns },
  { name: "filter after filter is one filter", rewrite: mergeFilters },
];

/** Applies the rules until none applies. */
export function rewriteSteps(steps: readonly Step[]): readonly Step[] {
  for (let index = 0; index + 1 < steps.length; index++) {
    const [first, second] = [steps[index]!, steps[index + 1]!];
    for (const rule of rules) {
      const replaced = rule.rewrite(first, second);
      if (replaced === undefined) continue;
      return rewriteSteps([...steps.slice(0, index), ...replaced, ...steps.slice(index + 2)]);
    }
  }
  return steps;
}

function mergeSlices(first: Step, second: Step): Step[] | undefined {
  if (!isSlice(first.node) || !isSlice(second.node)) return undefined;
  const slice = composeSlices(first.node.slice, second.node.slice);
  return slice && [{ ...second, node: sliceNode(slice), step: first.step }];
}

function liftSlice(first: Step, second: Step): Step[] | undefined {
  return isSlice(second.node) && first.node.rows === "same" ? [second, first] : undefined;
}

function mergeRegroups(first: Step, second: Step): Step[] | undefined {
  return isRegroup(first.node) && isRegroup(second.node) ? [second] : undefined;
}

/**
 * A new column that the second operator reads once and replaces, or that nobody wants after it, is
 * never seen: its expression takes its place. Any other new column that is read has to exist first,
 * and so has a literal, which as a column keeps the type that it has by itself. What refuses rows
 * stays a step of its own, which its error names.
 */
function mergeColumns(first: Step, second: Step): Step[] | undefined {
  if (!isWithColumns(first.node) || !isWithColumns(second.node)) return undefined;
  const { wanted } = second;
  const before = first.node.columns;
  const after = second.node.columns;
  const read = [...after.values()].flatMap((expr) => [...columnsOf(expr)]);
  const fresh = read.filter((name) => before.has(name));
  const isWanted = (name: string) => wanted === undefined || wanted.has(name);
  const fuses = fresh.every((name) =>
    (after.has(name) || !isWanted(name)) &&
    fresh.lastIndexOf(name) === fresh.indexOf(name) &&
    before.get(name)!.node.node !== "literal"
  );
  if (!fuses || depthOfAll(before) + depthOfAll(after) > MAX_DEPTH) return undefined;
  if ([...before.values(), ...after.values()].some(isStrictExpr)) return undefined;
  // What is replaced keeps its place among the others.
  const stays = [...before].filter(([name]) => after.has(name) || isWanted(name));
  const merged = new Map<string, Expr>(stays);
  for (const [name, expr] of after) merged.set(name, substituteColumns(expr, before));
  return [{ ...second, node: withColumnsNode(merged), step: first.step }];
}

function depthOfAll(columns: ReadonlyMap<string, Expr>): number {
  return Math.max(...[...columns.values()].map(({ node }) => depthOf(node)));
}

/** A condition that can fail is not asked of rows that the filter before it leaves out. */
function mergeFilters(first: Step, second: Step): Step[] | undefined {
  if (!isFilter(first.node) || !isFilter(second.node)) return undefined;
  if (canFail(second.node.predicate) || isStrictExpr(first.node.predicate)) return undefined;
  const left = first.node.predicate.node;
  const right = second.node.predicate.node;
  if (Math.max(depthOf(left), depthOf(right)) >= MAX_DEPTH) return undefined;
  const predicate = makeExpr({ node: "and", left, right });
  return [{ ...second, node: filterNode(predicate), step: first.step }];
}
