/**
 * Where nulls come from, and code that only looks for them.
 *
 * @module
 */

import type { Variant } from "../ir/ir.ts";
import type { LowerContext, NullExit } from "./lower_context.ts";
import { truthOf } from "./logic.ts";
import { inlineTree } from "./call.ts";
import type { LowerSink } from "./sink.ts";
import { checkValid, isFoundFirst, viewOf } from "./text.ts";
import { valueOf } from "./value.ts";
import type { Tree } from "../tree/tree.ts";
import { childrenOf, isViewable, mapOf } from "../tree/tree_facts.ts";

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
    case "add":
      return tree.type.kind === "int" ||
        childrenOf(tree).some((child) => canBeNull(child, variant));
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

/** Leaves where a tree is null; computes nothing else. */
export function checkNull(context: LowerContext, tree: Tree, onNull: NullExit): void {
  const { builder, variant } = context;
  if (!canBeNull(tree, variant)) return;
  switch (tree.node) {
    case "column":
      return checkValid(context, tree.index, onNull);
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
      if (tree.type.kind === "string") viewOf(context, tree, onNull);
      else valueOf(context, tree, onNull);
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
  } else if (tree.type.kind === "string") {
    viewOf(context, tree, onNull);
  } else {
    valueOf(context, tree, onNull);
  }
}
