/**
 * Lowers the operands of a node. A null operand ends the row, but a strict call beside it must fail all
 * the same, wherever it stands: the calls that may fail are computed before such a null counts.
 *
 * @module
 */

import { bool } from "../ir/scalar.ts";
import type { Scalar } from "../ir/ir.ts";
import type { Tree } from "../tree/tree.ts";
import { canFail } from "../tree/tree_facts.ts";
import { canBeNull } from "./can_be_null.ts";
import type { LowerContext } from "./lower_context.ts";
import type { NullExit } from "./lower_value.ts";

/** How operands become values. */
interface OperandLowering<Value> {
  /** Lowers the operand of an index. Takes the exit if it is null. */
  lower(index: number, onNull: NullExit): Value;
  /** Returns a value that can be read in the rest of the row. */
  keep(value: Value): Value;
}

/** Lowers operands. Takes the exit if one of them is null, once all that may fail are computed. */
export function lowerOperands<Value>(
  context: LowerContext,
  trees: readonly Tree[],
  { lower, keep }: OperandLowering<Value>,
  onNull: NullExit,
): Value[] {
  const last = trees.findLastIndex(canFail);
  if (last <= 0) return trees.map((_, index) => lower(index, onNull));
  const { builder, variant } = context;
  const values: Value[] = new Array(trees.length);
  const absent: Scalar[] = [];
  let isNever = false;
  for (const [index, tree] of trees.entries()) {
    if (!canFail(tree)) continue;
    if (index === last || !canBeNull(tree, variant)) {
      values[index] = lower(index, onNull);
      continue;
    }
    const isAbsent = builder.variable("absent", bool(true));
    builder.block("operand", (leave) => {
      values[index] = keep(lower(index, leave));
      isNever ||= builder.dead;
      builder.set(isAbsent, bool(false));
    });
    absent.push(isAbsent);
  }
  if (isNever) onNull();
  for (const isAbsent of absent) builder.if(isAbsent, onNull);
  for (const [index, tree] of trees.entries()) {
    if (!canFail(tree)) values[index] = lower(index, onNull);
  }
  return values;
}
