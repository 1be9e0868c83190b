/**
 * Conditions in three-valued logic. Most places only ask whether a condition is true for certain,
 * or false for certain; that needs no third value.
 *
 * @module
 */

import type { Scalar } from "../ir/ir.ts";
import type { LowerContext, NullExit } from "./lower_context.ts";
import { shortCircuit } from "./expression.ts";
import { canBeNull, checkNull } from "./null.ts";
import { valueOf } from "./value.ts";
import { bool, not } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";

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
    const [value] = valueOf(context, tree, onNull);
    const found = value ?? bool(false);
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

/** `and`, `or` as a value: null where neither true nor false is certain. */
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
