/**
 * The row functions of sums, products and comparisons of decimals: exact on their digits, in 128 bits.
 *
 * @module
 */

import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import type { StringOp } from "../syntax/node.ts";
import type { CallArgs } from "../syntax/overload.ts";
import { MAX_DIGITS } from "../syntax/decimal_type.ts";
import { isLessU, isWithin, mulHighU, productHigh, sizeHigh, wideOf } from "./wide.ts";

const { addOverflowsU, lessU, mulOverflows, mulOverflowsU } = numeric;

const PAIR = { subject: "i128", args: { other: "i128" } } as const;

/** An internal operation, whose row functions binding asks for by their keys. */
const INTERNAL = {
  args: { other: "any", left: "literal", right: "literal", precision: "literal" },
  optional: ["left", "right", "precision"],
  choose: () => undefined,
} as const;

/** Returns the least number with more digits than `digits`, a power of ten. */
export function limitOf(digits: unknown) {
  const { low, high } = wideOf(10n ** BigInt(Number(digits)));
  return { limitLow: low, limitHigh: high };
}

/** Returns which operand is multiplied by a power of ten, and that power. */
function shiftOf({ left = 0, right = 0 }: CallArgs) {
  const [shiftsLeft, shiftsRight] = [Number(left) > 0 ? 1 : 0, Number(right) > 0 ? 1 : 0];
  const { low, high } = wideOf(10n ** BigInt(Math.max(Number(left), Number(right))));
  return { shiftsLeft, shiftsRight, factorLow: low, factorHigh: high };
}

/**
 * Returns the constants of a sum. An operand that is multiplied must be within a limit, which is twice as
 * large where the other one has the other sign: then the sum may have 38 digits though it has more.
 */
function sumConsts(args: CallArgs) {
  const rest = 10n ** BigInt(MAX_DIGITS - Math.max(Number(args.left), Number(args.right)));
  const [near, far] = [wideOf(rest), wideOf(2n * rest)];
  return {
    ...{ isWithin, lessU, productHigh, ...shiftOf(args), ...limitOf(args.precision) },
    ...{ nearLow: near.low, nearHigh: near.high, farLow: far.low, farHigh: far.high },
  };
}

/** Returns the row function of `a + b`, or of `a - b`. */
function sumOf(subtracts: 0 | 1) {
  return overload({
    ...PAIR,
    returns: "i128",
    consts: (args) => ({ ...sumConsts(args), subtracts }),
    row(low, high, {
      other,
      otherHigh,
      subtracts,
      shiftsLeft,
      shiftsRight,
      factorLow,
      factorHigh,
      nearLow,
      nearHigh,
      farLow,
      farHigh,
      limitLow,
      limitHigh,
      isWithin,
      lessU,
      productHigh,
    }) {
      let aLow = low;
      let aHigh = high;
      let bLow = other;
      let bHigh = otherHigh;
      if (subtracts === 1) {
        bLow = -other;
        bHigh = other === 0n ? -otherHigh : ~otherHigh;
      }
      const isSame = (aHigh < 0n) === (bHigh < 0n);
      const mostLow = isSame ? nearLow : farLow;
      const mostHigh = isSame ? nearHigh : farHigh;
      if (shiftsLeft === 1) {
        if (!isWithin(aLow, aHigh, mostLow, mostHigh)) return null;
        aHigh = productHigh(low, high, factorLow, factorHigh);
        aLow = low * factorLow;
      }
      if (shiftsRight === 1) {
        if (!isWithin(bLow, bHigh, mostLow, mostHigh)) return null;
        bHigh = productHigh(bLow, bHigh, factorLow, factorHigh);
        bLow = bLow * factorLow;
      }
      const sumLow = aLow + bLow;
      const sumHigh = aHigh + bHigh + (lessU(sumLow, aLow) ? 1n : 0n);
      // The sum wraps if it has another sign than both.
      if (isSame && (sumHigh < 0n) !== (high < 0n)) return null;
      return isWithin(sumLow, sumHigh, limitLow, limitHigh) ? [sumLow, sumHigh] : null;
    },
  });
}

/**
 * The sum and the difference of two decimals, `left` and `right` being the zeros that are appended to
 * each, of which one has none.
 */
export const decimalSum: StringOp = defineStringOp({
  ...INTERNAL,
  name: "add",
  overloads: { plain: sumOf(0) },
});

/** The difference, as `decimalSum`. */
export const decimalDifference: StringOp = defineStringOp({
  ...INTERNAL,
  name: "sub",
  overloads: { plain: sumOf(1) },
});

/** The product of two decimals. */
export const decimalProduct: StringOp = defineStringOp({
  ...INTERNAL,
  name: "mul",
  overloads: {
    plain: overload({
      ...PAIR,
      returns: "i128",
      consts: ({ precision }) => ({
        ...{ addOverflowsU, isLessU, isWithin, mulHighU, mulOverflows, mulOverflowsU, sizeHigh },
        ...limitOf(precision),
      }),
      row(low, high, {
        other,
        otherHigh,
        limitLow,
        limitHigh,
        addOverflowsU,
        isLessU,
        isWithin,
        mulHighU,
        mulOverflows,
        mulOverflowsU,
        sizeHigh,
      }) {
        // Most products fit in 64 bits.
        if (high === low >> 63n && otherHigh === other >> 63n && !mulOverflows(low, other)) {
          const product = low * other;
          const sign = product >> 63n;
          return isWithin(product, sign, limitLow, limitHigh) ? [product, sign] : null;
        }
        const aLow = high < 0n ? -low : low;
        const bLow = otherHigh < 0n ? -other : other;
        const aHigh = sizeHigh(low, high);
        const bHigh = sizeHigh(other, otherHigh);
        if (aHigh !== 0n && bHigh !== 0n) return null;
        const upper = aHigh !== 0n ? aHigh : bHigh;
        const lower = aHigh !== 0n ? bLow : aLow;
        const carried = mulHighU(aLow, bLow);
        if (mulOverflowsU(upper, lower) || addOverflowsU(carried, upper * lower)) return null;
        const sizeLow = aLow * bLow;
        const top = carried + upper * lower;
        if (!isLessU(sizeLow, top, limitLow, limitHigh)) return null;
        if ((high < 0n) === (otherHigh < 0n)) return [sizeLow, top];
        return [-sizeLow, sizeLow === 0n ? -top : ~top];
      },
    }),
  },
});

/** The most of 128 bits with a sign. */
const MOST = 2n ** 127n - 1n;

/**
 * Compares two decimals, of which one is multiplied by a power of ten: -1, 0 or 1.
 *
 * @internal
 */
export const compareDecimals: StringOp = defineStringOp({
  ...INTERNAL,
  name: "compareDecimals",
  overloads: {
    plain: overload({
      ...PAIR,
      consts(args) {
        const shift = shiftOf(args);
        const most = wideOf(
          MOST / 10n ** BigInt(Math.max(Number(args.left), Number(args.right))) + 1n,
        );
        return { ...shift, mostLow: most.low, mostHigh: most.high, isWithin, lessU, productHigh };
      },
      row(low, high, {
        other,
        otherHigh,
        shiftsLeft,
        shiftsRight,
        factorLow,
        factorHigh,
        mostLow,
        mostHigh,
        isWithin,
        lessU,
        productHigh,
      }) {
        let aLow = low;
        let aHigh = high;
        let bLow = other;
        let bHigh = otherHigh;
        // A product of more than 128 bits is beyond the other one.
        if (shiftsLeft === 1) {
          if (!isWithin(low, high, mostLow, mostHigh)) return high < 0n ? -1 : 1;
          aHigh = productHigh(low, high, factorLow, factorHigh);
          aLow = low * factorLow;
        }
        if (shiftsRight === 1) {
          if (!isWithin(other, otherHigh, mostLow, mostHigh)) return otherHigh < 0n ? 1 : -1;
          bHigh = productHigh(other, otherHigh, factorLow, factorHigh);
          bLow = other * factorLow;
        }
        if (aHigh !== bHigh) return aHigh < bHigh ? -1 : 1;
        return aLow === bLow ? 0 : lessU(aLow, bLow) ? -1 : 1;
      },
    }),
  },
});

/** The number with the other sign. */
export const decimalNegation: StringOp = defineStringOp({
  ...INTERNAL,
  name: "neg",
  overloads: {
    plain: overload({
      subject: "i128",
      returns: "i128",
      row: (low, high) => [-low, low === 0n ? -high : ~high],
    }),
  },
});

/** The number without its sign. */
export const decimalSize: StringOp = defineStringOp({
  ...INTERNAL,
  name: "abs",
  overloads: {
    plain: overload({
      subject: "i128",
      returns: "i128",
      consts: { sizeHigh },
      row: (low, high, { sizeHigh }) => [high < 0n ? -low : low, sizeHigh(low, high)],
    }),
  },
});

/** -1, 0 or 1. */
export const decimalSign: StringOp = defineStringOp({
  ...INTERNAL,
  name: "sign",
  overloads: {
    plain: overload({
      subject: "i128",
      row: (low, high) => high < 0n ? -1 : high === 0n && low === 0n ? 0 : 1,
    }),
  },
});
