/**
 * The condition of a join, bound to the schemas of both sides: the values that are computed of each side,
 * the search of the build side, and the conditions that only pairs decide.
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import type { ColumnType } from "../../../gpu/column/column.ts";
import type { CompareOp } from "../../../gpu/kernel/tree/tree.ts";
import { typeName } from "../../batch/arrow_types.ts";
import { bindExpr, type BoundExpr } from "../../expr/bind.ts";
import { type CompiledExprs, compileExprs } from "../../expr/compile_exprs.ts";
import { both } from "../../expr/conditions.ts";
import { type Expr, printExpr } from "../../expr/expr.ts";
import { asOwnStream, canFail } from "../../expr/rewrite.ts";
import { ExprError } from "../../../base/errors/expr_error.ts";
import { failAt, placeOf } from "../../syntax/node_place.ts";
import { promoteKeys } from "../shared/promote_keys.ts";
import { type Conjunct, conjunctsOf } from "./conjuncts.ts";

/** The plan of a condition. */
export interface WherePlan {
  readonly left: SideProgram;
  readonly right: SideProgram;
  /** The promoted types of the equalities. */
  readonly keys: readonly ColumnType[];
  /** The values of the build side that have bounds, in the order in which they are searched. */
  readonly values: readonly ValueBounds[];
  /** The condition of the rows of the build side that can match, over its own columns; undefined: all can. */
  readonly buildFilter: Expr | undefined;
  /**
   * The conditions of pairs, over the columns of the stream and then the build side. Each sees the pairs
   * for which those before it are true. Those that can fail come last, in the order of the condition.
   */
  readonly pairs: readonly CompiledExprs[];
  /** Lines for `explain`. */
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The values that are computed of the rows of one side, over its columns: whether they can match at all
 * (if `hasMask`, which only the stream has), the values of the equalities, and those of bounds.
 */
export interface SideProgram {
  readonly compiled: CompiledExprs;
  readonly hasMask: boolean;
}

/** The bounds of one value of the build side. */
export interface ValueBounds {
  readonly label: string;
  readonly bounds: readonly Bound[];
}

/** A bound: values of the stream that are compared with one of the build side. */
export interface Bound {
  /** The number of the value among the bounds of the stream. */
  readonly output: number;
  /** Whether the value of the build side lies above the bound, not below it. */
  readonly isLower: boolean;
  /** Whether a value equal to the bound counts as below it: `>` and `<=` of the build side. */
  readonly orEqual: boolean;
}

/**
 * Binds a condition. Throws an `ExprError` for a mistake in it, with its place: an unknown column, a
 * part that is not true or false, types that have no comparison or, for equalities, no promotion.
 */
export function planWhere(
  condition: Expr,
  left: Schema,
  right: Schema,
  fuse: boolean,
): WherePlan {
  const parts = conjunctsOf(condition);
  const bind = (expr: Expr) => bindExpr(expr, left, right);
  const masks: Record<"left" | "right", BoundExpr[]> = { left: [], right: [] };
  const ofPairs: BoundExpr[] = [];
  const failing: BoundExpr[] = [];
  const keys: Key[] = [];
  const bounds: BoundPair[] = [];
  for (const part of parts) {
    if (part.kind === "equal") keys.push(bindKey(part, bind));
    else if (part.kind === "bound") bounds.push(bindBound(part, bind));
    else {
      const mask = bindMask(part.expr, bind, parts.length);
      if (part.kind !== "both") masks[part.kind].push(mask);
      else (canFail(part.expr) ? failing : ofPairs).push(mask);
    }
  }
  const values = boundedValues(bounds);
  const names = [...left.fields.map(({ name }) => name), ...right.fields.map(rightName)];
  const compile = (exprs: readonly BoundExpr[]) => compileExprs(exprs, { fuse, names });
  const side = (mask: readonly BoundExpr[], rest: readonly BoundExpr[]): SideProgram => ({
    compiled: compile([...allOf(mask), ...rest]),
    hasMask: mask.length > 0,
  });
  return {
    left: side(masks.left, [...keys.map(({ left }) => left), ...bounds.map(({ left }) => left)]),
    right: ofRight(
      side([], [...keys.map(({ right }) => right), ...values.map(({ right }) => right)]),
      left.fields.length,
    ),
    keys: keys.map(({ type }) => type),
    values,
    buildFilter: filterOf(parts),
    pairs: [...allOf(ofPairs), ...failing].map((condition) => compile([condition])),
    lines: [
      ...keys.map(({ label }) => `keys: ${label}`),
      ...masks.left.map(({ label }) => `of the stream: ${label}`),
      ...masks.right.map(({ label }) => `of the build side: ${label}`),
      ...values.map(({ label }, index) => `search: ${label}, ${howSearched(index)}`),
      ...ofPairs.map(({ label }) => `of pairs: ${label}`),
      ...failing.map(({ label }) => `of pairs, as it can fail: ${label}`),
    ],
    warnings: keys.length + values.length > 0 ? [] : [
      "nothing in the condition to search by: each row is compared with all rows of the build side",
    ],
  };
}

function rightName({ name }: { readonly name: string }): string {
  return `right.${name}`;
}

/** Returns the program of the build side, with its columns numbered from 0. */
function ofRight({ compiled, hasMask }: SideProgram, numLeft: number): SideProgram {
  const inputs = compiled.inputs.map((column) => column - numLeft);
  return { compiled: { ...compiled, inputs }, hasMask };
}

type Bind = (expr: Expr) => BoundExpr;
type Comparison = Conjunct & { readonly kind: "equal" | "bound" };

/** An equality of both sides. */
interface Key {
  readonly left: BoundExpr;
  readonly right: BoundExpr;
  readonly type: ColumnType;
  readonly label: string;
}

function bindKey({ left, right, expr }: Comparison, bind: Bind): Key {
  const [boundLeft, boundRight] = [bind(left), bind(right)];
  const pair = {
    left: { text: boundLeft.label, type: boundLeft.type },
    right: { text: boundRight.label, type: boundRight.type },
  };
  try {
    const { types: [type], parts: [part] } = promoteKeys([pair]);
    const types = `${typeName(boundLeft.type)} with ${typeName(boundRight.type)}`;
    const label = `${printExpr(expr)} (${types}, as ${typeName(type!)})`;
    return { left: boundLeft, right: boundRight, type: part!, label };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ExprError(error.message, placeOf(expr.node), { cause: error });
  }
}

/** A comparison of both sides, in their common type. */
interface BoundPair {
  readonly left: BoundExpr;
  readonly right: BoundExpr;
  readonly op: CompareOp;
  readonly label: string;
}

function bindBound({ left, right, op, expr }: Comparison, bind: Bind): BoundPair {
  const [boundLeft, boundRight, { tree, label }] = [bind(left), bind(right), bind(expr)];
  // Both sides have columns, so neither is a literal, which is compared in another way.
  if (tree.node !== "compare") throw new TypeError(`${label} is not compared`);
  return {
    left: { ...boundLeft, tree: tree.left },
    right: { ...boundRight, tree: tree.right },
    op,
    label,
  };
}

function bindMask(expr: Expr, bind: Bind, numParts: number): BoundExpr {
  const bound = bind(expr);
  if (DataType.isBool(bound.type)) return bound;
  const whose = numParts > 1 ? "Each part of the condition" : "The condition";
  return failAt(
    expr.node,
    `${whose} of a join is true or false, ${bound.label} is ${typeName(bound.type)}`,
  );
}

/** Returns the parts that read the build side alone, as one condition of its stream. */
function filterOf(parts: readonly Conjunct[]): Expr | undefined {
  const [first, ...rest] = parts.filter(({ kind }) => kind === "right")
    .map(({ expr }) => asOwnStream(expr));
  return first && rest.reduce((all, next) => all.and(next), first);
}

/** Joins conditions by `and`; returns none for none. */
function allOf(conditions: readonly BoundExpr[]): BoundExpr[] {
  const [first, ...rest] = conditions;
  if (first === undefined) return [];
  return [rest.reduce((all, next) => ({
    ...all,
    tree: both(all.tree, next.tree),
    label: `${all.label} && ${next.label}`,
  }), first)];
}

interface BoundedValue extends ValueBounds {
  readonly right: BoundExpr;
}

/** Collects the bounds of each value. Values with both bounds come first: their ranges are the narrowest. */
function boundedValues(pairs: readonly BoundPair[]): BoundedValue[] {
  const values = new Map<string, { right: BoundExpr; label: string; bounds: Bound[] }>();
  pairs.forEach(({ right, op, label }, output) => {
    const key = JSON.stringify([right.label, right.tree.type]);
    const value = values.get(key) ?? { right, label: "", bounds: [] };
    values.set(key, value);
    const isLower = op === "<" || op === "<=";
    value.bounds.push({ output, isLower, orEqual: op === "<" || op === ">=" });
    value.label += value.label === "" ? label : ` && ${label}`;
  });
  return [...values.values()].sort((first, second) => numSides(second) - numSides(first));
}

function numSides({ bounds }: ValueBounds): number {
  return new Set(bounds.map(({ isLower }) => isLower)).size;
}

function howSearched(index: number): string {
  return ["sorted", "by a tree"][index] ?? "one by one";
}
