/**
 * Row functions that convert a count of one unit of time to another.
 *
 * @module
 */

import { type Overload, overload } from "../string/define/define_string_op.ts";
import type { TimeUnitName } from "./time_units.ts";

/** The units, largest first, each with the number of it in the unit before, in factors below 32768. */
const LADDER: readonly (readonly [unit: TimeUnitName, factors: readonly number[]])[] = [
  ["day", []],
  ["s", [21600, 4]],
  ["ms", [1000]],
  ["us", [1000]],
  ["ns", [1000]],
];

/** Returns the factors from a unit to a smaller one; none if the second unit is not smaller. */
export function unitFactors(from: TimeUnitName, to: TimeUnitName): readonly number[] {
  const place = (unit: TimeUnitName) => LADDER.findIndex(([name]) => name === unit);
  return LADDER.slice(place(from) + 1, place(to) + 1).flatMap(([, factors]) => factors);
}

/**
 * Creates the row function that divides a count by `divisors`, then multiplies it by `factors`, all
 * of them below 32768. It uses long division and multiplication of four limbs of 16 bits. Null where
 * a division leaves a remainder, and where the result does not fit into 64 bits.
 */
export function scaleCount(divisors: readonly number[], factors: readonly number[]): Overload {
  return overload({
    kind: "measure",
    subject: "words",
    returns: "words",
    consts: { scale: Int32Array.of(...divisors, ...factors), divisors: divisors.length },
    row(low, high, { scale, divisors }) {
      const isNegative = high < 0;
      const bottom = isNegative ? -low : low;
      const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
      let limb0 = bottom & 0xffff;
      let limb1 = bottom >>> 16;
      let limb2 = top & 0xffff;
      let limb3 = top >>> 16;
      for (let i = 0; i < divisors; i++) {
        const by = scale.at(i);
        const from2 = ((limb3 % by) << 16) | limb2;
        const from1 = ((from2 % by) << 16) | limb1;
        const from0 = ((from1 % by) << 16) | limb0;
        if (from0 % by !== 0) return null;
        limb3 = limb3 / by;
        limb2 = from2 / by;
        limb1 = from1 / by;
        limb0 = from0 / by;
      }
      for (let i = divisors; i < scale.size; i++) {
        const by = scale.at(i);
        limb0 = limb0 * by;
        limb1 = limb1 * by + (limb0 >>> 16);
        limb2 = limb2 * by + (limb1 >>> 16);
        limb3 = limb3 * by + (limb2 >>> 16);
        if (limb3 > 0x7fff) return null;
        limb0 &= 0xffff;
        limb1 &= 0xffff;
        limb2 &= 0xffff;
      }
      const scaledLow = limb0 | (limb1 << 16);
      const scaledHigh = limb2 | (limb3 << 16);
      if (!isNegative) return [scaledLow, scaledHigh];
      return [-scaledLow, ~scaledHigh + (scaledLow === 0 ? 1 : 0)];
    },
  });
}
