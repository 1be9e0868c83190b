/**
 * Casts to floats, which row functions assemble from their bits: exact, or null. Only text is
 * rounded, to the nearest float of the target width.
 *
 * @module
 */

import { type Overload, overload } from "../define/define_string_op.ts";
import { floatKindOf, toFloat } from "./to_float.ts";

/** Casts from a 64-bit integer to the bits of the float64 with the same value; null without one. */
function fromInteger(signed: 0 | 1): Overload {
  return overload({
    kind: "measure",
    subject: "words",
    returns: "words",
    consts: { signed },
    row(low, high, { signed }) {
      if (low === 0 && high === 0) return [0, 0];
      const isNegative = signed === 1 && high < 0;
      let top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
      let bottom = isNegative ? -low : low;
      let exponent = 1023 + 63;
      if (top === 0) {
        top = bottom;
        bottom = 0;
        exponent -= 32;
      }
      // The leading one becomes the highest of the 64 bits, of which 53 are kept.
      while (top >= 0) {
        top = (top << 1) | (bottom >>> 31);
        bottom = bottom << 1;
        exponent--;
      }
      if ((bottom & 0x7ff) !== 0) return null;
      const head = (exponent << 20) | ((top >>> 11) & 0xfffff);
      return [(bottom >>> 11) | (top << 21), isNegative ? head | -0x80000000 : head];
    },
  });
}

/** Formats narrower than float64: bits of the fraction, bias of the exponent, bit of the sign. */
const FORMATS = {
  float32: { fraction: 23, bias: 127, sign: 31 },
  float16: { fraction: 10, bias: 15, sign: 15 },
} as const;

/** Casts from the bits of a float64 to those of a narrower float. NaN stays NaN. */
function toNarrow({ fraction, bias, sign }: (typeof FORMATS)[keyof typeof FORMATS]): Overload {
  return overload({
    kind: "measure",
    subject: "words",
    consts: { fraction, bias, sign },
    row(low, high, { fraction, bias, sign }) {
      const minus = (high >>> 31) << sign;
      const infinity = (2 * bias + 1) << fraction;
      const stored = (high >>> 20) & 0x7ff;
      const rest = high & 0xfffff;
      if (stored === 0x7ff) {
        const isNaN = rest !== 0 || low !== 0;
        return minus | infinity | (isNaN ? 1 << (fraction - 1) : 0);
      }
      if (stored === 0) return rest === 0 && low === 0 ? minus : null;
      const exponent = stored - 1023;
      if (exponent > bias) return null;
      // Below the normal range each step down costs a bit.
      const lost = exponent < 1 - bias ? 1 - bias - exponent : 0;
      const dropped = 52 - fraction + lost;
      if (dropped > 52) return null;
      const head = rest | 0x100000;
      let kept = 0;
      if (dropped < 32) {
        if ((low & ((1 << dropped) - 1)) !== 0) return null;
        kept = (head << (32 - dropped)) | (low >>> dropped);
      } else {
        if (low !== 0 || (head & ((1 << (dropped - 32)) - 1)) !== 0) return null;
        kept = head >>> (dropped - 32);
      }
      // The leading one, which is not stored, makes the exponent one greater.
      return minus | (lost > 0 ? kept : ((exponent + bias - 1) << fraction) + kept);
    },
  });
}

/** Reads text as the nearest float of 32 or 16 bits; null if that float is infinite. */
function fromText(bits: 16 | 32, firstInfinite: bigint): Overload {
  return overload({
    kind: "measure",
    returns: "f64",
    consts: { kindOf: floatKindOf(firstInfinite), bits },
    row: (text, { kindOf, bits }) => kindOf(text) === 0 ? null : text.toNarrowFloat(bits),
  });
}

/** The casts by name, `from>to`. */
export const floatCasts: Readonly<Record<string, Overload>> = {
  "text>float64": toFloat.overloads.text!,
  "text>float32": fromText(32, 2n ** 128n - 2n ** 103n),
  "text>float16": fromText(16, 65520n),
  "int64>float64": fromInteger(1),
  "uint64>float64": fromInteger(0),
  "float64>float32": toNarrow(FORMATS.float32),
  "float64>float16": toNarrow(FORMATS.float16),
};
