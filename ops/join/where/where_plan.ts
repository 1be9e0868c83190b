/**
 * Binds the condition of a join to the schemas of both sides, and plans its evaluation: the values of each
 * side, the search of the build side, and the conditions that only pairs can decide.
 *
 * @module
 */

import { DataType, type Schema } from "apache-arrow";
import type { ColumnType } from "../../../gpu/column/column.ts";
import type { CompareOp } from "../../../gpu/kernel/tree/tree.ts";
import { typeName } from "../../batch/arrow_types.ts";
import { bindExpr, type BoundExpr } from "../../expr/bind.ts";
import { type CompiledExprs, compileExprs } from "../../expr/compile_exprs.ts";
import { asDecimals } from "../../expr/decimal_trees.ts";
import { both } from "../../../gpu/kernel/tree/branches.ts";
import { type Expr, printExpr } from "../../expr/expr.ts";
import { asOwnStream, canFail } from "../../expr/rewrite.ts";
import { ExprError } from "../../../base/errors/expr_error.ts";
import { failAt, placeOf } from "../../syntax/node_place.ts";
import { decimalOfKey, promoteKeys } from "../shared/promote_keys.ts";
import { type Conjunct, conjunctsOf } from "./conjuncts.ts";

/** The plan of a condition. */
export interface WherePlan {
  readonly left: SideProgram;
  readonly right: SideProgram;
  /** The promoted types of the equalities. */
  readonly keys: readonly ColumnType[];
  /** The values of the build side that have bounds, in the order of the search. */
  readonly values: readonly ValueBounds[];
  /** The condition on rows of the build side that can match, over its own columns; undefined if all can. */
  readonly buildFilter: Expr | undefined;
  /**
   * The conditions on pairs, over the columns of the stream and then the build side. Each sees only the
   * pairs for which the conditions before it are true. Those that can fail come last, in their written order.
   */
  readonly pairs: readonly CompiledExprs[];
  /** The lines for `explain`. */
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The values that are computed for the rows of one side, over its columns: whether a row can match at all
 * (if `hasMask`, which only the stream has), the values of the equalities, and those of the bounds.
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

/** A bound: a value of the stream that is compared with one of the build side. */
export interface Bound {
  /** The index of the value among the bounds of the stream. */
  readonly output: number;
  /** Whether the value of the build side must be above the bound, rather than below it. */
  readonly isLower: boolean;
  /** Whether a value equal to the bound counts as below it: for `>` and `<=` of the build side. */
  readonly orEqual: boolean;
}

/**
 * Binds a condition, and returns the function that compiles it. Throws an `ExprError` with a place for a
 * mistake in it: an unknown column, a part that is not true or false, types that cannot be compared or, for
 * equalities, cannot be promoted.
 */
export function planWhere(
  condition: Expr,
  left: Schema,
  right: Schema,
  fuse: boolean,
): () => WherePlan {
  const parts = conjunctsOf(condition);
  const bind = (expr: Expr) => bindExpr(expr, left, right);
  const masks: Record<"left" | "right", BoundExpr[]> = { left: [], right: [] };
  const ofPairs: BoundExpr[] = [];
  const failing: BoundExpr[] = [];
  const keys: Key[] = [];
  const bounds: BoundPair[] = [];
  for (const part of parts) {
    if (part.kind === "equal") keys.push(bindKey(part, bind));
    else {
      const bound = part.kind === "bound" ? bindBound(part, bind) : undefined;
      if (bound !== undefined) {
        bounds.push(bound);
        continue;
      }
      const mask = bindMask(part.expr, bind, parts.length);
      if (part.kind === "left" || part.kind === "right") masks[part.kind].push(mask);
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
  return () => ({
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
  });
}

function rightName({ name }: { readonly name: string }): string {
  return `right.${name}`;
}

/** Returns the program of the build side, whose columns are numbered from 0. */
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
    const inType = (bound: BoundExpr) => {
      const decimal = decimalOfKey(bound.type, type!);
      if (decimal === undefined) return bound;
      return { ...bound, tree: asDecimals(bound.tree, bound.type, decimal), type: decimal };
    };
    return { left: inType(boundLeft), right: inType(boundRight), type: part!, label };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ExprError(error.message, placeOf(expr.node), { cause: error });
  }
}

/** A comparison of both sides in their common type. */
interface BoundPair {
  readonly left: BoundExpr;
  readonly right: BoundExpr;
  readonly op: CompareOp;
  readonly label: string;
}

/** Returns the sides of a comparison; undefined where no type holds both, so that only pairs compare. */
function bindBound({ left, right, op, expr }: Comparison, bind: Bind): BoundPair | undefined {
  const [boundLeft, boundRight, { tree, label }] = [bind(left), bind(right), bind(expr)];
  // Both sides have columns, so a literal is no side: numbers of two types are compared by a call.
  if (tree.node !== "compare" || tree.right.node === "literal") return undefined;
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
    `${whose} of a join must be bool, but ${bound.label} is ${typeName(bound.type)}`,
  );
}

/** Returns the parts that read the build side alone, as one condition on its stream. */
function filterOf(parts: readonly Conjunct[]): Expr | undefined {
  const [first, ...rest] = parts.filter(({ kind }) => kind === "right")
    .map(({ expr }) => asOwnStream(expr));
  return first && rest.reduce((all, next) => all.and(next), first);
}

/** Combines conditions with `and`; returns an empty list for none. */
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

/** Collects the bounds of each value. Values with both bounds come first, since their ranges are narrow. */
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
