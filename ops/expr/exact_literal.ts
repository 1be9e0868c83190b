/**
 * Numbers beside decimals that are written out: literals, and sums, differences, products and quotients of
 * literals. They are computed as decimals: 1 - 0.9 is 0.1.
 *
 * @module
 */

import { decimalOf, decimalOfText, type DecimalValue, digitsOf } from "../decimal/literal.ts";
import { add, div, mul, neg, sub } from "../number/arithmetic.ts";
import { MAX_DIGITS } from "../syntax/decimal_type.ts";
import type { ExprNode } from "../syntax/node.ts";

/** Returns the decimal that a node without columns is; undefined for others, and for more than 38 digits. */
export function exactLiteral(node: ExprNode): DecimalValue | undefined {
  const value = literalValue(node);
  return value !== undefined && digitsOf(value).precision <= MAX_DIGITS ? value : undefined;
}

/** Returns the same without a limit of digits. */
export function literalValue(node: ExprNode): DecimalValue | undefined {
  if (node.node === "literal") {
    const { value, written } = node;
    if (written !== undefined) return decimalOfText(written);
    return typeof value === "number" || typeof value === "bigint" ? decimalOf(value) : undefined;
  }
  if (node.node !== "call" || ![add, sub, mul, div, neg].includes(node.op)) return undefined;
  const [other] = node.args;
  const left = exactLiteral(node.text);
  if (left === undefined) return undefined;
  if (other === undefined) return node.op === neg ? negative(left) : undefined;
  const right = exactLiteral(other);
  if (right === undefined) return undefined;
  switch (node.op) {
    case add:
      return sum(left, right);
    case sub:
      return sum(left, negative(right));
    case mul:
      return { unscaled: left.unscaled * right.unscaled, scale: left.scale + right.scale };
    default:
      return quotient(left, right);
  }
}

function negative({ unscaled, scale }: DecimalValue): DecimalValue {
  return { unscaled: -unscaled, scale };
}

function sum(a: DecimalValue, b: DecimalValue): DecimalValue {
  const scale = Math.max(a.scale, b.scale);
  const at = (value: DecimalValue) => value.unscaled * 10n ** BigInt(scale - value.scale);
  return { unscaled: at(a) + at(b), scale };
}

/** Returns a quotient whose digits end within 38 places; undefined for others, and for the divisor 0. */
function quotient(a: DecimalValue, b: DecimalValue): DecimalValue | undefined {
  if (b.unscaled === 0n) return undefined;
  const over = a.unscaled * 10n ** BigInt(b.scale);
  const under = b.unscaled * 10n ** BigInt(a.scale);
  for (let scale = 0; scale <= MAX_DIGITS; scale++) {
    const scaled = over * 10n ** BigInt(scale);
    if (scaled % under === 0n) return { unscaled: scaled / under, scale };
  }
  return undefined;
}
