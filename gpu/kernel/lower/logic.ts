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
import { bool, not } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import { inlineTree } from "./call.ts";
import type { LowerSink } from "./sink.ts";
import { childrenOf, isViewable, mapOf } from "../tree/tree_facts.ts";

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
  tree: Tree & { node: "and" | "or" },
  onNull: NullExit,
): Scalar {
  const { builder } = context;
  const truth = truthOf(context, tree);
  if (!canBeNull(tree, context.variant)) return truth;
  const holds = builder.stable("holds", truth);
  builder.if(holds, () => {}, () => {
    builder.if(certainty(context, tree, false), () => {}, onNull);
  });
  return holds;
}

/** Whether a tree is null. */
export function nullness(context: LowerContext, tree: Tree): Scalar {
  const { builder, variant } = context;
  if (!canBeNull(tree, variant)) return bool(false);
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

/** Whether a row of a tree can be null. */
export function canBeNull(tree: Tree, variant: Variant): boolean {
  switch (tree.node) {
    case "column":
      return variant.nullable[tree.index] === true;
    case "literal":
      return tree.value === null;
    case "call":
      return tree.fn.returnsNull || childrenOf(tree).some((child) => canBeNull(child, variant));
    case "choose":
      return canBeNull(tree.yes, variant) || canBeNull(tree.no, variant);
    case "isNull":
      return false;
    case "fillNull":
      return canBeNull(tree.value, variant) && canBeNull(tree.other, variant);
    default:
      return childrenOf(tree).some((child) => canBeNull(child, variant));
  }
}

/** Whether every null of a text is found before the first byte of it is written. */
export function nullsComeFirst(tree: Tree, variant: Variant): boolean {
  if (isViewable(tree)) return true;
  switch (tree.node) {
    case "concat":
      return tree.parts.every((part) => isFoundFirst(part) || !canBeNull(part, variant));
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

/** Takes the exit if a tree is null; computes nothing else. */
export function checkNull(context: LowerContext, tree: Tree, onNull: NullExit): void {
  const { builder, variant } = context;
  if (!canBeNull(tree, variant)) return;
  switch (tree.node) {
    case "column":
      return context.checkValid(tree.index, onNull);
    case "concat":
      for (const part of tree.parts) checkNull(context, part, onNull);
      return;
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

function checkCall(
  context: LowerContext,
  tree: Tree & { node: "call" },
  onNull: NullExit,
): void {
  if (!tree.fn.returnsNull) {
    for (const child of childrenOf(tree)) checkNull(context, child, onNull);
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
