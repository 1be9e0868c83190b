/** The model of joins by a condition: tests every pair of rows. */

import { DataType } from "apache-arrow";
import { makeExpr } from "../../ops/expr/expr.ts";
import { parseExpr } from "../../ops/expr/parse.ts";
import { columnsOf } from "../../ops/expr/rewrite.ts";
import { add, mul, neg, sub } from "../../ops/number/arithmetic.ts";
import { childrenOf, type ExprNode, mapChildren, type StringOp } from "../../ops/syntax/node.ts";
import { modelExpr } from "../support/models/expr_model.ts";
import {
  type ModelColumn,
  ModelRowError,
  ModelTypeError,
  TooLarge,
} from "../support/models/expr_model_types.ts";
import type { WhereStep } from "./fuzz_case.ts";
import { bothSides, keyText, MOST_ROWS, promotedType } from "./join_model.ts";
import type { ModelTable } from "./model_table.ts";
import { kindOf } from "./random_expr.ts";
import type { RowPair } from "../support/models/join_pairs.ts";

/** Pairs that are asked for one by one. */
const MOST_PAIRS = 6000;

/** The name of a column of the build side among those of pairs. */
export function nameInPairs(name: string): string {
  return `right.${name}`;
}

/** A condition as an expression over pairs. */
export function overPairs(text: string): ExprNode {
  const renamed = (node: ExprNode): ExprNode =>
    node.node === "column" && node.side === "right"
      ? { node: "column", name: nameInPairs(node.name) }
      : mapChildren(node, renamed);
  return renamed(parseExpr(text).node);
}

/** The rows that a join by a condition gives and their columns. */
export function modelWhere(left: ModelTable, right: ModelTable, step: WhereStep): ModelTable {
  const numPairs = left.numRows * right.numRows;
  if (numPairs > MOST_PAIRS) throw new TooLarge("pairs");
  const all = Array.from({ length: numPairs }, (_, pair): RowPair => [
    Math.floor(pair / right.numRows),
    pair % right.numRows,
  ]);
  const named = right.columns.map((column) => ({ ...column, name: nameInPairs(column.name) }));
  const { columns } = bothSides(left, { ...right, columns: named }, all);
  const condition = overPairs(step.where);
  const parts = partsOf(condition).map((part) => partAt(part, columns));
  const holds = (pair: number) => allHold(parts, pair);
  const met = Map.groupBy(all.filter((_, pair) => holds(pair)), ([row]) => row);
  const pairs = Array.from(
    { length: left.numRows },
    (_, row): RowPair[] => met.get(row) ?? (step.how === "left" ? [[row, null]] : []),
  ).flat();
  if (pairs.length > MOST_ROWS) throw new TooLarge("rows");
  for (const columns of [left.columns, named]) checkSums(condition, columns);
  return bothSides(left, right, pairs, step.suffix);
}

/** The operations that a join computes for every row of a side, with a pair or without. */
const COMPUTED_ALWAYS: ReadonlySet<StringOp> = new Set<StringOp>([add, sub, mul, neg]);

/** Checks that no sum over columns of one side alone fails in a row that has no pair. */
function checkSums(node: ExprNode, side: readonly ModelColumn[]): void {
  for (const child of childrenOf(node)) checkSums(child, side);
  if (node.node !== "call" || !COMPUTED_ALWAYS.has(node.op)) return;
  const names = columnsOf(makeExpr(node), "left");
  if (![...names].every((name) => side.some((column) => column.name === name))) return;
  const { at } = modelExpr(node, side);
  try {
    side[0]?.values.forEach((_, row) => at(row));
  } catch (error) {
    throw error instanceof ModelRowError ? new TooLarge("a sum of a row without a pair") : error;
  }
}

/** A part of a condition: whether it is true, by the number of the pair. */
type Part = (pair: number) => boolean;

/** The parts of a condition, all of which are true of a pair that meets. */
function partsOf(node: ExprNode): ExprNode[] {
  if (node.node === "and") return [node.left, node.right].flatMap(partsOf);
  if (node.node !== "not" || node.value.node !== "or") return [node];
  const { left, right } = node.value;
  return [left, right].flatMap((value) => partsOf({ node: "not", value }));
}

/** A part that fails does so where those before it are true, unless one behind it leaves the pair out. */
function allHold(parts: readonly Part[], pair: number): boolean {
  for (const [index, part] of parts.entries()) {
    try {
      if (!part(pair)) return false;
    } catch (error) {
      const rest = parts.slice(index + 1);
      if (error instanceof ModelRowError && rest.some((later) => !holdsOrFails(later, pair))) {
        throw new TooLarge("an order of conditions");
      }
      throw error;
    }
  }
  return true;
}

function holdsOrFails(part: Part, pair: number): boolean {
  try {
    return part(pair);
  } catch {
    return true;
  }
}

function partAt(node: ExprNode, columns: readonly ModelColumn[]): Part {
  const equal = equalKeys(node, columns);
  if (equal !== undefined) return equal;
  if (comparesUnordered(node, columns)) throw new TooLarge("no order");
  const { type, at } = modelExpr(node, columns);
  if (type === null || !DataType.isBool(type)) throw new ModelTypeError("a condition");
  return (pair) => at(pair) === true;
}

/** An equality of columns that have no order, such as lists, which meet as the keys of a join do. */
function equalKeys(
  node: ExprNode,
  columns: readonly ModelColumn[],
): Part | undefined {
  if (node.node !== "compare" || node.op !== "==") return undefined;
  const [one, other] = [node.left, node.right].map((side) =>
    side.node === "column" ? columns.find(({ name }) => name === side.name) : undefined
  );
  if (one === undefined || other === undefined) return undefined;
  const isOfRight = (column: ModelColumn) => column.name.startsWith(nameInPairs(""));
  if ([one, other].every(hasOrder) || isOfRight(one) === isOfRight(other)) return undefined;
  promotedType(one.type, other.type, false);
  const keyAt = ({ values }: ModelColumn, pair: number) => keyText([values[pair]], {});
  return (pair) => keyAt(one, pair) !== null && keyAt(one, pair) === keyAt(other, pair);
}

function comparesUnordered(node: ExprNode, columns: readonly ModelColumn[]): boolean {
  const isUnordered = (child: ExprNode) =>
    child.node === "column" &&
    columns.some((column) => column.name === child.name && !hasOrder(column));
  return (node.node === "compare" && childrenOf(node).some(isUnordered)) ||
    childrenOf(node).some((child) => comparesUnordered(child, columns));
}

function hasOrder({ type }: ModelColumn): boolean {
  return !["list", undefined].includes(kindOf(type));
}
