/**
 * The row functions that change the number of digits behind the point of a decimal.
 *
 * @module
 */

import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineStringOp, type Overload, overload } from "../string/define/define_string_op.ts";
import type { StringOp } from "../syntax/node.ts";
import { limitOf } from "./arithmetic.ts";
import { isLessU, isWithin, productHigh, sizeHigh, wideOf } from "./wide.ts";

/** The treatment of digits behind the scale: `exact` refuses a number that has some. */
export type Rounding = "exact" | "trunc" | "away" | "even" | "floor" | "ceil";

/**
 * Appends `zeros` zeros to the digits; null where the number has more than `precision` digits then.
 */
export const scaledUp: Overload = overload({
  subject: "i128",
  returns: "i128",
  consts({ zeros, precision }) {
    const { low, high } = wideOf(10n ** BigInt(Number(zeros)));
    // Only 0 has fewer digits than none.
    const limit = limitOf(Math.max(0, Number(precision) - Number(zeros)));
    return { isWithin, productHigh, factorLow: low, factorHigh: high, ...limit };
  },
  row(low, high, { limitLow, limitHigh, factorLow, factorHigh, isWithin, productHigh }) {
    if (!isWithin(low, high, limitLow, limitHigh)) return null;
    return [low * factorLow, productHigh(low, high, factorLow, factorHigh)];
  },
});

/** The greatest power of ten below 2^31; a remainder of it and 32 more bits are below 2^63. */
const STEP_DIGITS = 9;
const { lessU } = numeric;

/**
 * Drops digits, and appends `zeros` zeros; null where the number has more than `precision` digits then.
 */
export const scaledDown: Overload = overload({
  subject: "i128",
  returns: "i128",
  consts({ digits, precision, rounding, zeros = 0 }) {
    const unit = 10n ** BigInt(Number(digits));
    const [half, most] = [wideOf(unit / 2n), wideOf(unit - 1n)];
    const factor = wideOf(10n ** BigInt(Number(zeros)));
    const rounds = Math.ceil(Number(digits) / STEP_DIGITS);
    const isNearest = rounding === "away" || rounding === "even";
    return {
      ...{ isLessU, lessU, productHigh, sizeHigh, mask: 0xffffffffn },
      ...{ rounds, step: 10n ** BigInt(STEP_DIGITS) },
      last: 10n ** BigInt(Number(digits) - STEP_DIGITS * (rounds - 1)),
      ...{ exact: rounding === "exact" ? 1 : 0, even: rounding === "even" ? 1 : 0 },
      nearest: isNearest ? 1 : 0,
      ...{ floor: rounding === "floor" ? 1 : 0, ceil: rounding === "ceil" ? 1 : 0 },
      ...{ halfLow: half.low, halfHigh: half.high, mostLow: most.low, mostHigh: most.high },
      ...{ factorLow: factor.low, factorHigh: factor.high, ...limitOf(precision) },
    };
  },
  row(low, high, {
    rounds,
    step,
    last,
    exact,
    even,
    nearest,
    floor,
    ceil,
    halfLow,
    halfHigh,
    mostLow,
    mostHigh,
    factorLow,
    factorHigh,
    limitLow,
    limitHigh,
    mask,
    isLessU,
    lessU,
    productHigh,
    sizeHigh,
  }) {
    const isNegative = high < 0n;
    const size = isNegative ? -low : low;
    // The addend that makes the quotient, rounded down, the wanted one.
    let addLow = 0n;
    let addHigh = 0n;
    if (nearest === 1) {
      addLow = halfLow;
      addHigh = halfHigh;
    }
    if ((floor === 1 && isNegative) || (ceil === 1 && !isNegative)) {
      addLow = mostLow;
      addHigh = mostHigh;
    }
    const sumLow = size + addLow;
    const sumHigh = sizeHigh(low, high) + addHigh + (lessU(sumLow, size) ? 1n : 0n);
    let word0 = sumLow & mask;
    let word1 = (sumLow >> 32n) & mask;
    let word2 = sumHigh & mask;
    let word3 = (sumHigh >> 32n) & mask;
    let rest = 0n;
    for (let i = 0; i < rounds; i++) {
      const divisor = i === rounds - 1 ? last : step;
      if (word3 === 0n && word2 === 0n && word1 >> 31n === 0n) {
        // The rest of most numbers fits in 63 bits.
        const whole = (word1 << 32n) | word0;
        const quotient = whole / divisor;
        rest = rest | (whole - quotient * divisor);
        word1 = quotient >> 32n;
        word0 = quotient & mask;
      } else {
        const from2 = ((word3 % divisor) << 32n) | word2;
        const from1 = ((from2 % divisor) << 32n) | word1;
        const from0 = ((from1 % divisor) << 32n) | word0;
        word3 = word3 / divisor;
        word2 = from2 / divisor;
        word1 = from1 / divisor;
        word0 = from0 / divisor;
        rest = rest | (from0 % divisor);
      }
    }
    if (exact === 1 && rest !== 0n) return null;
    // A tie went up, away from an even digit.
    if (even === 1 && rest === 0n) word0 = word0 & ~1n;
    const wholeLow = (word1 << 32n) | word0;
    const wholeHigh = (word3 << 32n) | word2;
    const scaledHigh = productHigh(wholeLow, wholeHigh, factorLow, factorHigh);
    const scaledLow = wholeLow * factorLow;
    if (!isLessU(scaledLow, scaledHigh, limitLow, limitHigh)) return null;
    if (isNegative) return [-scaledLow, scaledLow === 0n ? -scaledHigh : ~scaledHigh];
    return [scaledLow, scaledHigh];
  },
});

/** An internal operation that rounds, whose row functions binding asks for by their keys. */
const roundingOf = (name: string): StringOp =>
  defineStringOp({
    name,
    args: { digits: "literal", precision: "literal", rounding: "literal", zeros: "literal" },
    optional: ["digits", "precision", "rounding", "zeros"],
    choose: () => undefined,
    overloads: { up: scaledUp, down: scaledDown },
  });

/** The row functions of `round`. */
export const decimalRound: StringOp = roundingOf("round");
/** The row functions of `floor`. */
export const decimalFloor: StringOp = roundingOf("floor");
/** The row functions of `ceil`. */
export const decimalCeil: StringOp = roundingOf("ceil");
/** The row functions of `trunc`. */
export const decimalTrunc: StringOp = roundingOf("trunc");
