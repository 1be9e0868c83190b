/**
 * Lowers trees to 128 bits in two i64: the digits of decimals, and integers beside them.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { Scalar } from "../ir/ir.ts";
import { and, binary, convert, int, long, select } from "../ir/scalar.ts";
import type { Tree } from "../tree/tree.ts";
import { inlineTree } from "./call.ts";
import { canBeNull } from "./can_be_null.ts";
import { truthOf } from "./logic.ts";
import type { LowerContext } from "./lower_context.ts";
import type { NullExit, ScalarPair } from "./lower_value.ts";
import { Join } from "./row_builder.ts";
import { valueOf } from "./value.ts";

/** For code that is never reached. */
const NONE: ScalarPair = { low: long(0n), high: long(0n) };

/**
 * Lowers a decimal or an integer to its digits, a whole number of 128 bits. Leaves if it is null. Both
 * halves are stable.
 */
export function pairOf(context: LowerContext, tree: Tree, onNull: NullExit): ScalarPair {
  if (tree.type.kind !== "fixed") return integerPair(context, tree, onNull);
  switch (tree.node) {
    case "column":
      context.checkValid(tree.index, onNull);
      return columnPair(context, context.column(tree.index), tree.type.byteWidth);
    case "literal":
      if (tree.value === null) onNull();
      return constantPair(BigInt(tree.value ?? 0));
    case "call": {
      const result = inlineTree(context, tree, null, onNull);
      return result?.is === "wide" ? { low: result.low, high: result.high } : NONE;
    }
    case "choose":
      return chosenPair(context, tree, onNull);
    case "fillNull":
      return filledPair(context, tree, onNull);
    default:
      throw new InternalError(`${tree.node} makes no decimal`);
  }
}

function integerPair(context: LowerContext, tree: Tree, onNull: NullExit): ScalarPair {
  const { type } = tree;
  if (type.kind !== "int") throw new InternalError(`A ${type.kind} is no whole number`);
  const value = valueOf(context, tree, onNull);
  const isUnsigned = !type.signed;
  const wide = value.type === "i64"
    ? value
    : convert(isUnsigned && type.bits === 32 ? "extendU" : "extend", "i64", value);
  const low = context.builder.stable("low", wide);
  return { low, high: isUnsigned ? long(0n) : signOf(low) };
}

/** The high half of a number that has more than 128 bits: beyond all decimals of 38 digits. */
const BEYOND = 2n ** 63n - 1n;

/** Reads the row of a column of 32, 64, 128 or 256 bits. */
function columnPair(context: LowerContext, column: number, byteWidth: number): ScalarPair {
  const part = (part: number): Scalar => ({ op: "long", type: "i64", column, part });
  if (byteWidth === 16) return { low: part(0), high: part(1) };
  if (byteWidth === 32) {
    const sign = context.builder.stable("sign", signOf(part(3)));
    const isSign = (value: Scalar) => binary("==", value, sign);
    const fits = and(isSign(part(3)), and(isSign(part(2)), isSign(signOf(part(1)))));
    const high = select(fits, part(1), binary("^", sign, long(BEYOND)));
    return { low: part(0), high: context.builder.stable("high", high) };
  }
  const narrow: Scalar = byteWidth === 8
    ? { op: "long", type: "i64", column }
    : convert("extend", "i64", { op: "word", type: "i32", column, word: 0 });
  const low = context.builder.stable("low", narrow);
  return { low, high: signOf(low) };
}

/** Returns 64 bits that are the sign of the low half. */
function signOf(low: Scalar): Scalar {
  return binary(">>", low, int(63));
}

function constantPair(value: bigint): ScalarPair {
  return { low: long(value), high: long(value >> 64n) };
}

function chosenPair(
  context: LowerContext,
  tree: Tree & { node: "choose" },
  onNull: NullExit,
): ScalarPair {
  const { builder } = context;
  const test = truthOf(context, tree.test);
  if (test.op === "const") return pairOf(context, test.value === true ? tree.yes : tree.no, onNull);
  const pairs: ScalarPair[] = [];
  const branch = (side: Tree, outcome: boolean) =>
    builder.collect(() => {
      builder.facts.assume(test, outcome);
      pairs.push(pairOf(context, side, onNull));
    });
  const yes = branch(tree.yes, true);
  const no = branch(tree.no, false);
  const [a = NONE, b = NONE] = pairs;
  if (yes.statements.length + no.statements.length === 0) {
    const stable = builder.stable("test", test);
    return { low: select(stable, a.low, b.low), high: select(stable, a.high, b.high) };
  }
  const join = new Join(builder, "chosen");
  const finish = (path: typeof yes, { low, high }: ScalarPair) => () => {
    builder.splice(path);
    join.set([low, high]);
  };
  join.around(() => builder.if(test, finish(yes, a), finish(no, b)));
  return joined(join);
}

function filledPair(
  context: LowerContext,
  tree: Tree & { node: "fillNull" },
  onNull: NullExit,
): ScalarPair {
  const { builder } = context;
  if (!canBeNull(tree.value, context.variant)) return pairOf(context, tree.value, onNull);
  const join = new Join(builder, "filled");
  const set = ({ low, high }: ScalarPair) => join.set([low, high]);
  join.around(() =>
    builder.block("filled", (done) => {
      builder.block("absent", (absent) => {
        set(pairOf(context, tree.value, absent));
        done();
      });
      set(pairOf(context, tree.other, onNull));
    })
  );
  return joined(join);
}

function joined({ locals: [low, high] }: Join): ScalarPair {
  return low === undefined || high === undefined ? NONE : { low, high };
}
