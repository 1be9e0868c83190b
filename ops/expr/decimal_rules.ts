/**
 * The digits of results of operations on decimals, and the row functions that compute them.
 *
 * @module
 */

import {
  decimalDifference,
  decimalNegation,
  decimalProduct,
  decimalSize,
  decimalSum,
} from "../decimal/arithmetic.ts";
import { decimalFloorDiv, decimalMod, decimalQuotient, decimalRem } from "../decimal/division.ts";
import {
  decimalCeil,
  decimalFloor,
  decimalRound,
  decimalTrunc,
  type Rounding,
} from "../decimal/scale.ts";
import { add, mul, neg, sub } from "../number/arithmetic.ts";
import { divide } from "../number/divide.ts";
import { floorDiv, mod, rem } from "../number/division.ts";
import { abs } from "../number/limits.ts";
import { ceil, floor, round, trunc } from "../number/rounding.ts";
import { argsByName } from "../syntax/call_node.ts";
import {
  type Digits,
  MAX_DIGITS,
  productDigits,
  roundedDigits,
  sumDigits,
} from "../syntax/decimal_type.ts";
import type { CallNode, StringOp } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import type { CallArgs } from "../syntax/overload.ts";
import { printNode } from "../syntax/print.ts";
import type { Operand } from "./decimal_trees.ts";

/** A row function, and the digits of its result. */
interface Rule {
  readonly op: StringOp;
  readonly key: string;
  readonly args: CallArgs;
  readonly digits: Digits;
}

/** Returns how an operation is computed on its operands. */
type RuleFor = (node: CallNode, operands: readonly Operand[]) => Rule;

/** The rules, by the operation that is called. */
export const DECIMAL_RULES: ReadonlyMap<unknown, RuleFor> = new Map<unknown, RuleFor>([
  [add, (_, operands) => sum(decimalSum, operands)],
  [sub, (_, operands) => sum(decimalDifference, operands)],
  [mul, product],
  [neg, (_, [operand]) => plain(decimalNegation, operand!)],
  [abs, (_, [operand]) => plain(decimalSize, operand!)],
  [rem, (_, operands) => remainder(decimalRem, operands)],
  [mod, (_, operands) => remainder(decimalMod, operands)],
  [floorDiv, (_, operands) => wholeQuotient(operands)],
  [divide, quotient],
  [round, rounded],
  [floor, (_, [operand]) => rounding(decimalFloor, operand!, "floor")],
  [ceil, (_, [operand]) => rounding(decimalCeil, operand!, "ceil")],
  [trunc, (_, [operand]) => rounding(decimalTrunc, operand!, "trunc")],
]);

function sum(op: StringOp, [a, b]: readonly Operand[]): Rule {
  const digits = sumDigits(a!.digits, b!.digits);
  const { precision, scale } = digits;
  const args = { left: scale - a!.digits.scale, right: scale - b!.digits.scale, precision };
  return { op, key: "plain", args, digits };
}

function product(node: CallNode, [a, b]: readonly Operand[]): Rule {
  const digits = productDigits(a!.digits, b!.digits);
  const { precision, scale } = digits;
  if (scale > MAX_DIGITS) {
    const isLiteral = node.args[0]!.node === "literal";
    const wider = b!.digits.scale > a!.digits.scale && !isLiteral ? node.args[0]! : node.text;
    const narrower = `${printNode(wider, Infinity)}.round(6)`;
    return failAt(
      node,
      `Cannot compute ${printNode(node)}: it has ${scale} digits behind the point, more than ` +
        `${MAX_DIGITS}; ${narrower} has fewer`,
    );
  }
  return { op: decimalProduct, key: "plain", args: { precision }, digits };
}

function remainder(op: StringOp, [a, b]: readonly Operand[]): Rule {
  const scale = Math.max(a!.digits.scale, b!.digits.scale);
  const whole = Math.max(...[a!, b!].map(({ digits }) => digits.precision - digits.scale));
  const precision = Math.min(MAX_DIGITS, Math.max(1, whole + scale));
  const args = { left: scale - a!.digits.scale, right: scale - b!.digits.scale, precision };
  return { op, key: "plain", args, digits: { precision, scale } };
}

function wholeQuotient([a, b]: readonly Operand[]): Rule {
  const scale = Math.max(a!.digits.scale, b!.digits.scale);
  // One more where it is rounded down to a number of more digits.
  const whole = a!.digits.precision - a!.digits.scale + b!.digits.scale + 1;
  const precision = Math.min(MAX_DIGITS, Math.max(1, whole));
  const args = { left: scale - a!.digits.scale, right: scale - b!.digits.scale, precision };
  return { op: decimalFloorDiv, key: "plain", args, digits: { precision, scale: 0 } };
}

/** The digits behind the point of a quotient, if it has no scale. */
const QUOTIENT_SCALE = 6;

function quotient({ op, args }: CallNode, [a, b]: readonly Operand[]): Rule {
  const given = argsByName(op, args);
  const scale = Number(given.scale ?? Math.max(a!.digits.scale, QUOTIENT_SCALE));
  const whole = a!.digits.precision - a!.digits.scale + b!.digits.scale;
  const precision = Math.min(MAX_DIGITS, Math.max(1, whole + scale));
  const digits = scale + b!.digits.scale - a!.digits.scale;
  return {
    op: decimalQuotient,
    key: given.ties === "even" ? "even" : "away",
    args: { digits: Math.max(0, digits), right: Math.max(0, -digits), precision },
    digits: { precision, scale },
  };
}

function plain(op: StringOp, { digits }: Operand): Rule {
  return { op, key: "plain", args: {}, digits };
}

function rounded({ op, args }: CallNode, [operand]: readonly Operand[]): Rule {
  const { digits = 0, ties } = argsByName(op, args);
  return rounding(decimalRound, operand!, ties === "even" ? "even" : "away", Number(digits));
}

function rounding(op: StringOp, operand: Operand, how: Rounding, places = 0): Rule {
  const { scale } = operand.digits;
  const digits = roundedDigits(operand.digits, places, how !== "trunc");
  const dropped = scale - places;
  const { precision } = digits;
  return dropped <= 0 ? { op, key: "up", args: { zeros: 0, precision }, digits } : {
    op,
    key: "down",
    args: { digits: dropped, precision, rounding: how, zeros: Math.max(0, -places) },
    digits,
  };
}
