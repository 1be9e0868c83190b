/**
 * Casts to integers. A value first becomes an int64 or a uint64, as two halves of 32 bits, and then
 * an integer of the target width.
 *
 * @module
 */

import { type Overload, overload } from "../define/define_string_op.ts";
import { integerReader } from "./to_integer.ts";

/** The least and the greatest value of the integer types of at most 32 bits, except uint32. */
const RANGES = {
  int8: [-0x80, 0x7f],
  int16: [-0x8000, 0x7fff],
  int32: [-0x80000000, 0x7fffffff],
  uint8: [0, 0xff],
  uint16: [0, 0xffff],
} as const;

/** Casts from a 64-bit integer to a type of at most 32 bits. */
function toNarrow(signed: 0 | 1, [least, most]: readonly [number, number]): Overload {
  return overload({
    kind: "measure",
    subject: "words",
    consts: { signed, least, most },
    row(low, high, { signed, least, most }) {
      if (high !== low >> 31 || low < least || low > most) return null;
      if (signed === 0 && high < 0) return null;
      return low;
    },
  });
}

const toUint32 = overload({
  kind: "measure",
  subject: "words",
  row: (low, high) => high === 0 ? low : null,
});

/** Casts between int64 and uint64: only values that both types have. */
const unlessNegative = overload({
  kind: "measure",
  subject: "words",
  returns: "words",
  row: (low, high) => high < 0 ? null : [low, high],
});

/**
 * Casts from the bits of a float64 that is a whole number. All bits of the 53-bit significand that
 * stand for less than 1 must be 0.
 */
function fromFloat(signed: 0 | 1): Overload {
  return overload({
    kind: "measure",
    subject: "words",
    returns: "words",
    consts: { signed },
    row(low, high, { signed }) {
      // Zero, of either sign.
      if (low === 0 && (high & 0x7fffffff) === 0) return [0, 0];
      const exponent = ((high >>> 20) & 0x7ff) - 1023;
      if (exponent < 0 || (signed === 0 && high < 0)) return null;
      if (exponent >= 63 + (1 - signed)) {
        // The least integer is a float, and the only one of its size that fits.
        if (signed === 1 && high === -0x3c200000 && low === 0) return [0, -0x80000000];
        return null;
      }
      const head = (high & 0xfffff) | 0x100000;
      const below = 52 - exponent;
      let wholeLow = low;
      let wholeHigh = head;
      if (below < 0) {
        wholeHigh = (head << -below) | (low >>> (32 + below));
        wholeLow = low << -below;
      } else if (below >= 32) {
        if (low !== 0 || (head & ((1 << (below - 32)) - 1)) !== 0) return null;
        wholeHigh = 0;
        wholeLow = head >>> (below - 32);
      } else if (below > 0) {
        if ((low & ((1 << below) - 1)) !== 0) return null;
        wholeHigh = head >>> below;
        wholeLow = (low >>> below) | (head << (32 - below));
      }
      if (high >= 0) return [wholeLow, wholeHigh];
      return [-wholeLow, ~wholeHigh + (wholeLow === 0 ? 1 : 0)];
    },
  });
}

const narrowed = Object.entries(RANGES).flatMap(([name, range]) => [
  [`int64>${name}`, toNarrow(1, range)],
  [`uint64>${name}`, toNarrow(0, range)],
]);

/** The casts by name, `from>to`. */
export const integerCasts: Readonly<Record<string, Overload>> = {
  "text>int64": integerReader(1),
  "text>uint64": integerReader(0),
  "float64>int64": fromFloat(1),
  "float64>uint64": fromFloat(0),
  "int64>uint64": unlessNegative,
  "uint64>int64": unlessNegative,
  "int64>uint32": toUint32,
  "uint64>uint32": toUint32,
  ...Object.fromEntries(narrowed),
};
