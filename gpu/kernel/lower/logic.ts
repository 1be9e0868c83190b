/**
 * Nulls, and conditions in three-valued logic. Most code only asks whether a condition is certainly
 * true, or certainly false; that needs no third value.
 *
 * @module
 */

import type { Scalar, Variant } from "../ir/ir.ts";
import type { LowerContext } from "./lower_context.ts";
import type { NullExit } from "./lower_value.ts";
import { shortCircuit } from "./expression.ts";
import { and, bool, not, or } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import { inlineTree } from "./call.ts";
import type { LowerSink } from "./sink.ts";
import { canFail, childrenOf, isViewable, mapOf } from "../tree/tree_facts.ts";
import { canBeNull } from "./can_be_null.ts";
import { lowerOperands } from "./operands.ts";

/** Whether a condition is true, not false and not null. */
export function truthOf(context: LowerContext, tree: Tree): Scalar {
  return certainty(context, tree, true);
}

function certainty(context: LowerContext, tree: Tree, wanted: boolean): Scalar {
  switch (tree.node) {
    case "not":
      return certainty(context, tree.value, !wanted);
    case "and":
    case "or": {
      if (hidesFailure(context, tree)) {
        const { isUnknown, value } = bothSides(context, tree);
        return and(not(isUnknown), wanted ? value : not(value));
      }
      const fn = (tree.node === "and") === wanted ? "&&" : "||";
      const left = certainty(context, tree.left, wanted);
      return shortCircuit(context, fn, left, () => certainty(context, tree.right, wanted));
    }
    default:
      return leafCertainty(context, tree, wanted);
  }
}

function leafCertainty(context: LowerContext, tree: Tree, wanted: boolean): Scalar {
  const { builder } = context;
  const holds = (onNull: NullExit): Scalar => {
    const found = context.trees.valueOf(context, tree, onNull);
    return wanted ? found : not(found);
  };
  if (!canBeNull(tree, context.variant)) return holds(() => {});
  const result = builder.reserve("holds", "bool");
  const collected = builder.collect(() =>
    builder.block("unknown", (leave) => {
      builder.set(result, holds(leave));
      builder.facts.imply(result, true);
    })
  );
  builder.declare(result);
  builder.splice(collected);
  return result;
}

/** Lowers `and`, `or` to a value: null if neither true nor false is certain. */
export function logicValue(
  context: LowerContext,
  tree: Logic,
  onNull: NullExit,
): Scalar {
  const { builder } = context;
  if (hidesFailure(context, tree)) {
    const { isUnknown, value } = bothSides(context, tree);
    builder.if(isUnknown, onNull);
    return value;
  }
  const truth = truthOf(context, tree);
  if (!canBeNull(tree, context.variant)) return truth;
  const holds = builder.stable("holds", truth);
  builder.if(holds, () => {}, () => {
    builder.if(certainty(context, tree, false), () => {}, onNull);
  });
  return holds;
}

type Logic = Tree & { node: "and" | "or" };

/**
 * Whether the right side may fail in rows whose left side is null. The right side is computed for them,
 * though it does not always matter.
 */
function hidesFailure({ variant }: LowerContext, { left, right }: Logic): boolean {
  return canFail(right) && canBeNull(left, variant);
}

/** A condition in three-valued logic. */
interface Condition {
  readonly isUnknown: Scalar;
  /** Any value if it is unknown. */
  readonly value: Scalar;
}

/** Computes the right side of `and`, `or` in every row in which the left side does not decide. */
function bothSides(context: LowerContext, { node, left, right }: Logic): Condition {
  const { builder } = context;
  const decides = ({ isUnknown, value }: Condition) =>
    and(not(isUnknown), node === "or" ? value : not(value));
  const isUnknown = builder.variable("isUnknown", bool(false));
  const value = builder.variable("both", bool(node === "or"));
  const first = conditionOf(context, left);
  builder.if(decides(first), () => {}, () => {
    const second = conditionOf(context, right);
    const isDecided = builder.stable("decided", decides(second));
    builder.set(isUnknown, and(not(isDecided), or(first.isUnknown, second.isUnknown)));
    builder.set(value, node === "or" ? isDecided : not(isDecided));
  });
  return { isUnknown, value };
}

function conditionOf(context: LowerContext, tree: Tree): Condition {
  const { builder } = context;
  const isUnknown = builder.variable("isUnknown", bool(true));
  const value = builder.variable("side", bool(false));
  builder.block("unknown", (leave) => {
    builder.set(value, context.trees.valueOf(context, tree, leave));
    builder.set(isUnknown, bool(false));
  });
  return { isUnknown, value };
}

/** Whether a tree is null. */
export function nullness(context: LowerContext, tree: Tree): Scalar {
  const { builder, variant } = context;
  if (!canBeNull(tree, variant) && !canFail(tree)) return bool(false);
  if (tree.node === "literal") return bool(true);
  if (tree.node === "column") {
    return not({ op: "valid", type: "bool", column: context.column(tree.index) });
  }
  const isNull = builder.variable("isNull", bool(true));
  builder.block("null", (leave) => {
    checkNull(context, tree, leave);
    builder.set(isNull, bool(false));
    builder.facts.imply(isNull, false);
  });
  return isNull;
}

/** Whether the position of a part of a concatenation is known before anything is written. */
export function isFoundFirst(part: Tree): boolean {
  return isViewable(part) && part.node !== "choose" && part.node !== "fillNull";
}

/** Whether every null of a text is found before the first byte of it is written. */
export function nullsComeFirst(tree: Tree, variant: Variant): boolean {
  if (isViewable(tree)) return true;
  switch (tree.node) {
    case "concat":
      return tree.parts.every((part) =>
        isFoundFirst(part) || !canBeNull(part, variant) && !canFail(part)
      );
    case "call":
      return !tree.fn.returnsNull && (mapOf(tree) === null || nullsComeFirst(tree.text, variant));
    case "choose":
      return nullsComeFirst(tree.yes, variant) && nullsComeFirst(tree.no, variant);
    case "fillNull":
      return nullsComeFirst(tree.value, variant) && nullsComeFirst(tree.other, variant);
    default:
      return false;
  }
}

const nowhere: LowerSink = {
  put: () => {},
  copy: () => {},
  repeat: () => {},
  hostCall: () => {},
};

/** Takes the exit if a tree is null; computes nothing else but calls that may fail. */
export function checkNull(context: LowerContext, tree: Tree, onNull: NullExit): void {
  const { builder, variant } = context;
  if (!canBeNull(tree, variant) && !canFail(tree)) return;
  switch (tree.node) {
    case "column":
      return context.checkValid(tree.index, onNull);
    case "concat":
      return checkNulls(context, tree.parts, onNull);
    case "choose":
      return builder.if(
        truthOf(context, tree.test),
        () => checkNull(context, tree.yes, onNull),
        () => checkNull(context, tree.no, onNull),
      );
    case "fillNull":
      return builder.block("known", (known) => {
        builder.block("absent", (absent) => {
          checkNull(context, tree.value, absent);
          known();
        });
        checkNull(context, tree.other, onNull);
      });
    case "call":
      return checkCall(context, tree, onNull);
    default:
      checkValue(context, tree, onNull);
  }
}

function checkNulls(context: LowerContext, trees: readonly Tree[], onNull: NullExit): void {
  const lower = (index: number, exit: NullExit) => checkNull(context, trees[index]!, exit);
  lowerOperands(context, trees, { lower, keep: () => {} }, onNull);
}

/**
 * Computes the calls of trees that may fail, if a null of another tree may end the row before they are
 * computed.
 */
export function failFirst(context: LowerContext, trees: readonly Tree[]): void {
  const { builder, variant } = context;
  const failing = trees.filter(canFail);
  const isHidden = (tree: Tree) =>
    trees.some((other) => other !== tree && canBeNull(other, variant));
  if (!failing.some(isHidden)) return;
  for (const tree of failing) builder.block("fails", (leave) => checkNull(context, tree, leave));
}

function checkCall(
  context: LowerContext,
  tree: Tree & { node: "call" },
  onNull: NullExit,
): void {
  if (!tree.fn.returnsNull) {
    checkNulls(context, childrenOf(tree), onNull);
  } else if (tree.fn.kind === "emit") {
    inlineTree(context, tree, nowhere, onNull);
  } else {
    checkValue(context, tree, onNull);
  }
}

/** Computes a value, of which only the nulls count. */
function checkValue(context: LowerContext, tree: Tree, onNull: NullExit): void {
  const { trees } = context;
  if (tree.type.kind === "string") trees.viewOf(context, tree, onNull);
  else if (tree.type.kind === "fixed") trees.pairOf(context, tree, onNull);
  else trees.valueOf(context, tree, onNull);
}
