/**
 * The row functions of quotients and remainders of decimals.
 *
 * @module
 */

import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineStringOp, overload } from "../string/define/define_string_op.ts";
import type { StringOp } from "../syntax/node.ts";
import type { CallArgs } from "../syntax/overload.ts";
import { limitOf } from "./arithmetic.ts";
import { MAX_DIGITS } from "../syntax/decimal_type.ts";
import { isLessU, productHigh, sizeHigh, wideOf } from "./wide.ts";

const { clz, lessU } = numeric;

/** The result of a division: a remainder, or a rounded quotient. */
type Division = "rem" | "mod" | "floorDiv" | "away" | "even";

function constsOf(wanted: Division, { left = 0, right = 0, digits = 0, precision }: CallArgs) {
  const shift = Math.max(Number(left), Number(right));
  const factor = wideOf(10n ** BigInt(shift));
  const most = wideOf(10n ** BigInt(MAX_DIGITS - shift));
  const last = wideOf(10n ** BigInt(MAX_DIGITS - 1));
  return {
    ...{ clz, isLessU, lessU, productHigh, sizeHigh, ...limitOf(precision) },
    ...{ shiftsLeft: Number(left) > 0 ? 1 : 0, shiftsRight: Number(right) > 0 ? 1 : 0 },
    ...{ factorLow: factor.low, factorHigh: factor.high, mostLow: most.low, mostHigh: most.high },
    ...{ digits: Number(digits), lastLow: last.low, lastHigh: last.high },
    ...{ rem: wanted === "rem" ? 1 : 0, mod: wanted === "mod" ? 1 : 0 },
    ...{ floor: wanted === "floorDiv" ? 1 : 0, even: wanted === "even" ? 1 : 0 },
  };
}

/**
 * Returns the row function of a division. One operand is multiplied by a power of ten, so that both have
 * one scale; where that has more than 38 digits, there is no result. A quotient has `digits` digits more
 * than the division of both gives, which follow by long division, and is rounded.
 */
function divisionOf(wanted: Division) {
  return overload({
    subject: "i128",
    args: { other: "i128" },
    returns: "i128",
    consts: (args) => constsOf(wanted, args),
    row(low, high, {
      other,
      otherHigh,
      shiftsLeft,
      shiftsRight,
      factorLow,
      factorHigh,
      mostLow,
      mostHigh,
      digits,
      lastLow,
      lastHigh,
      limitLow,
      limitHigh,
      rem,
      mod,
      floor,
      even,
      clz,
      isLessU,
      lessU,
      productHigh,
      sizeHigh,
    }) {
      if (other === 0n && otherHigh === 0n) return null;
      let restLow = high < 0n ? -low : low;
      let restHigh = sizeHigh(low, high);
      let byLow = otherHigh < 0n ? -other : other;
      let byHigh = sizeHigh(other, otherHigh);
      if (shiftsLeft === 1) {
        if (!isLessU(restLow, restHigh, mostLow, mostHigh)) return null;
        restHigh = productHigh(restLow, restHigh, factorLow, factorHigh);
        restLow = restLow * factorLow;
      }
      if (shiftsRight === 1) {
        if (!isLessU(byLow, byHigh, mostLow, mostHigh)) return null;
        byHigh = productHigh(byLow, byHigh, factorLow, factorHigh);
        byLow = byLow * factorLow;
      }
      let wholeLow = 0n;
      let wholeHigh = 0n;
      if (restHigh === 0n && byHigh === 0n && restLow >= 0n && byLow >= 0n) {
        wholeLow = restLow / byLow;
        restLow = restLow - wholeLow * byLow;
      } else {
        const zeros = restHigh === 0n ? 64n + clz(restLow) : clz(restHigh);
        const others = byHigh === 0n ? 64n + clz(byLow) : clz(byHigh);
        let stepLow = byLow;
        let stepHigh = byHigh;
        let shift = others - zeros;
        if (shift >= 64n) {
          stepHigh = stepLow << (shift - 64n);
          stepLow = 0n;
        } else if (shift > 0n) {
          stepHigh = (stepHigh << shift) |
            (((stepLow >> 1n) & 0x7fffffffffffffffn) >> (63n - shift));
          stepLow = stepLow << shift;
        }
        for (; shift >= 0n; shift--) {
          wholeHigh = (wholeHigh << 1n) | ((wholeLow >> 63n) & 1n);
          wholeLow = wholeLow << 1n;
          if (!isLessU(restLow, restHigh, stepLow, stepHigh)) {
            restHigh = restHigh - stepHigh - (lessU(restLow, stepLow) ? 1n : 0n);
            restLow = restLow - stepLow;
            wholeLow = wholeLow | 1n;
          }
          stepLow = ((stepLow >> 1n) & 0x7fffffffffffffffn) | (stepHigh << 63n);
          stepHigh = (stepHigh >> 1n) & 0x7fffffffffffffffn;
        }
      }
      // One digit after the other: 10 * rest is 2 * (2 * 2 * rest + rest), less the divisor at each step.
      for (let i = 0; i < digits; i++) {
        if (!isLessU(wholeLow, wholeHigh, lastLow, lastHigh)) return null;
        let digit = 0n;
        let nextLow = restLow;
        let nextHigh = restHigh;
        for (let step = 0; step < 4; step++) {
          let addLow = nextLow;
          let addHigh = nextHigh;
          if (step === 2) {
            addLow = restLow;
            addHigh = restHigh;
          } else {
            digit = digit + digit;
          }
          const sumLow = nextLow + addLow;
          nextHigh = nextHigh + addHigh + (lessU(sumLow, addLow) ? 1n : 0n);
          nextLow = sumLow;
          if (!isLessU(nextLow, nextHigh, byLow, byHigh)) {
            nextHigh = nextHigh - byHigh - (lessU(nextLow, byLow) ? 1n : 0n);
            nextLow = nextLow - byLow;
            digit = digit + 1n;
          }
        }
        restLow = nextLow;
        restHigh = nextHigh;
        const tenLow = wholeLow * 10n;
        wholeHigh = productHigh(wholeLow, wholeHigh, 10n, 0n);
        wholeLow = tenLow + digit;
        if (lessU(wholeLow, tenLow)) wholeHigh = wholeHigh + 1n;
      }
      const isExact = restLow === 0n && restHigh === 0n;
      const isOther = (high < 0n) !== (otherHigh < 0n);
      let isNegative = isOther;
      if (rem === 1 || mod === 1) {
        isNegative = high < 0n;
        wholeLow = restLow;
        wholeHigh = restHigh;
        if (mod === 1 && isOther && !isExact) {
          // The sign of the divisor.
          wholeLow = byLow - restLow;
          wholeHigh = byHigh - restHigh - (lessU(byLow, restLow) ? 1n : 0n);
          isNegative = otherHigh < 0n;
        }
      } else {
        let isUp = floor === 1 && isOther && !isExact;
        if (floor === 0) {
          const twiceHigh = (restHigh << 1n) | ((restLow >> 63n) & 1n);
          const twiceLow = restLow << 1n;
          isUp = !isLessU(twiceLow, twiceHigh, byLow, byHigh);
          if (even === 1 && twiceLow === byLow && twiceHigh === byHigh) {
            isUp = (wholeLow & 1n) !== 0n;
          }
        }
        if (isUp) {
          wholeLow = wholeLow + 1n;
          if (wholeLow === 0n) wholeHigh = wholeHigh + 1n;
        }
      }
      if (!isLessU(wholeLow, wholeHigh, limitLow, limitHigh)) return null;
      if (isNegative) return [-wholeLow, wholeLow === 0n ? -wholeHigh : ~wholeHigh];
      return [wholeLow, wholeHigh];
    },
  });
}

/** An internal operation, whose row functions binding asks for by their keys. */
const INTERNAL = {
  args: {
    other: "any",
    left: "literal",
    right: "literal",
    digits: "literal",
    precision: "literal",
  },
  optional: ["left", "right", "digits", "precision"],
  choose: () => undefined,
} as const;

/** The remainder with the sign of the dividend. */
export const decimalRem: StringOp = defineStringOp({
  ...INTERNAL,
  name: "rem",
  overloads: { plain: divisionOf("rem") },
});

/** The remainder with the sign of the divisor. */
export const decimalMod: StringOp = defineStringOp({
  ...INTERNAL,
  name: "mod",
  overloads: { plain: divisionOf("mod") },
});

/** The whole quotient, rounded down. */
export const decimalFloorDiv: StringOp = defineStringOp({
  ...INTERNAL,
  name: "floorDiv",
  overloads: { plain: divisionOf("floorDiv") },
});

/** The quotient with more digits, rounded to the nearest. */
export const decimalQuotient: StringOp = defineStringOp({
  ...INTERNAL,
  name: "divide",
  overloads: { away: divisionOf("away"), even: divisionOf("even") },
});
