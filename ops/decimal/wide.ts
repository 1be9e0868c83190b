/**
 * Whole numbers of 128 bits in two i64, the low one first, for row functions on the digits of decimals.
 * A helper returns one half.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../gpu/kernel/fold/numeric.ts";

const { lessU } = numeric;

/** A whole number of 128 bits as row functions take it. */
export interface Wide {
  readonly low: bigint;
  readonly high: bigint;
}

/** Returns the two halves of a whole number of up to 128 bits. */
export function wideOf(value: bigint): Wide {
  return { low: BigInt.asIntN(64, value), high: BigInt.asIntN(64, value >> 64n) };
}

/** The mask of 32 bits. */
const MASK = 0xffffffffn;

/** Returns the high 64 bits of the product of two numbers without signs (Knuth, 4.3.1 M). */
export const mulHighU = defineHelper({
  args: ["i64", "i64"],
  returns: "i64",
  consts: { mask: MASK },
  row(a, b, { mask }) {
    const aLow = a & mask;
    const aHigh = (a >> 32n) & mask;
    const bLow = b & mask;
    const bHigh = (b >> 32n) & mask;
    const first = aHigh * bLow + ((aLow * bLow >> 32n) & mask);
    const second = aLow * bHigh + (first & mask);
    return aHigh * bHigh + ((first >> 32n) & mask) + ((second >> 32n) & mask);
  },
});

/** Returns the high half of a product of 128 bits, which wraps; the low half is `aLow * bLow`. */
export const productHigh = defineHelper({
  args: ["i64", "i64", "i64", "i64"],
  returns: "i64",
  consts: { mulHighU },
  row: (aLow, aHigh, bLow, bHigh, { mulHighU }) =>
    mulHighU(aLow, bLow) + aHigh * bLow + aLow * bHigh,
});

/** Returns the high half of the size of a number; the low half is `low` or `-low`. */
export const sizeHigh = defineHelper({
  args: ["i64", "i64"],
  returns: "i64",
  row: (low, high) => high >= 0n ? high : low === 0n ? -high : ~high,
});

/** Whether a number without a sign is less than another. */
export const isLessU = defineHelper({
  args: ["i64", "i64", "i64", "i64"],
  returns: "bool",
  consts: { lessU },
  row: (aLow, aHigh, bLow, bHigh, { lessU }) =>
    lessU(aHigh, bHigh) || (aHigh === bHigh && lessU(aLow, bLow)),
});

/** Whether the size of a number is less than a limit. */
export const isWithin = defineHelper({
  args: ["i64", "i64", "i64", "i64"],
  returns: "bool",
  consts: { sizeHigh, isLessU },
  row: (low, high, limitLow, limitHigh, { sizeHigh, isLessU }) =>
    isLessU(high < 0n ? -low : low, sizeHigh(low, high), limitLow, limitHigh),
});
