/**
 * The row functions that make integers and floats of decimals.
 *
 * @module
 */

import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { type Overload, overload } from "../string/define/define_string_op.ts";
import { isLessU, sizeHigh, wideOf } from "./wide.ts";

const { clz, floatOf, lessU, toF64 } = numeric;

/** A whole number as an int64; null where it does not fit. */
export const wholeToInt64: Overload = overload({
  subject: "i128",
  returns: "i64",
  row: (low, high) => high === low >> 63n ? low : null,
});

/** A whole number as a uint64; null where it does not fit. */
export const wholeToUint64: Overload = overload({
  subject: "i128",
  returns: "u64",
  row: (low, high) => high === 0n ? low : null,
});

/** The bits of the quotient: more than the 53 of a float64, so that they are rounded once. */
const QUOTIENT_BITS = 57;

/**
 * Returns the float64 nearest to a decimal, ties to even. A number below 2^53 by a power of ten that a
 * float64 holds is rounded once (Clinger 1990). For others, a long division in binary gives some bits
 * more than a float64 has, the last of them set if there are others behind it, and those are rounded.
 */
export const decimalToFloat: Overload = overload({
  subject: "i128",
  returns: "f64",
  consts({ scale }) {
    const unit = 10n ** BigInt(Number(scale));
    // The highest bit of both numbers becomes bit 126, so that the doubled rest fits in 128 bits.
    const shift = 127 - unit.toString(2).length;
    const { low, high } = wideOf(unit << BigInt(shift));
    const isExact = Number(scale) <= 22;
    return {
      ...{ unitLow: low, unitHigh: high, bits: QUOTIENT_BITS },
      ...{ isExact: isExact ? 1 : 0, power: isExact ? Number(`1e${scale}`) : 1 },
      ...{ end: 2n ** 53n, most: 2n ** 63n - 1n },
      // The exponent of a float64 whose bits are those of the quotient, which is shifted by 63 bits.
      bias: BigInt(1023 + shift - (QUOTIENT_BITS - 1)),
      ...{ clz, floatOf, isLessU, lessU, sizeHigh, toF64 },
    };
  },
  row(low, high, {
    unitLow,
    unitHigh,
    bits,
    isExact,
    power,
    end,
    most,
    bias,
    clz,
    floatOf,
    isLessU,
    lessU,
    sizeHigh,
    toF64,
  }) {
    let restLow = high < 0n ? -low : low;
    let restHigh = sizeHigh(low, high);
    if (restHigh === 0n && restLow === 0n) return 0;
    if (isExact === 1 && restHigh === 0n && restLow >= 0n && restLow < end) {
      const whole = toF64(restLow) / power;
      return high < 0n ? -whole : whole;
    }
    let shift = 0n;
    if (restHigh === 0n) {
      restHigh = restLow;
      restLow = 0n;
      shift = 64n;
    }
    const zeros = clz(restHigh);
    if (zeros === 0n) {
      restLow = ((restLow >> 1n) & most) | (restHigh << 63n);
      restHigh = (restHigh >> 1n) & most;
    } else if (zeros > 1n) {
      const by = zeros - 1n;
      restHigh = (restHigh << by) | ((restLow >> 1n & most) >> (63n - by));
      restLow = restLow << by;
    }
    shift = shift + zeros - 1n;
    let quotient = 0n;
    for (let i = 0; i < bits; i++) {
      quotient = quotient << 1n;
      if (!isLessU(restLow, restHigh, unitLow, unitHigh)) {
        restHigh = restHigh - unitHigh - (lessU(restLow, unitLow) ? 1n : 0n);
        restLow = restLow - unitLow;
        quotient = quotient | 1n;
      }
      restHigh = (restHigh << 1n) | ((restLow >> 63n) & 1n);
      restLow = restLow << 1n;
    }
    if ((restLow | restHigh) !== 0n) quotient = quotient | 1n;
    const size = toF64(quotient) * floatOf((bias - shift) << 52n);
    return high < 0n ? -size : size;
  },
});
