/**
 * Defines the operations `toInteger` and `isInteger`, and the row function that reads 64-bit integers.
 *
 * @module
 */

import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import { byReceiver, castInstead, STRICT, type StrictOption } from "./conversion.ts";
import {
  defineStringOp,
  type Overload,
  overload,
  type StringOp,
} from "../define/define_string_op.ts";

/** Whether four bytes are digits of ASCII. */
const areDigits = defineHelper({
  returns: "bool",
  args: ["i32"],
  row: (word) =>
    ((word & -0x0f0f0f10) | (((word + 0x06060606) & -0x0f0f0f10) >>> 4)) === 0x33333333,
});

/** Returns the number of four digits, the first of which is the lowest byte. */
const numberOfDigits = defineHelper({
  returns: "i32",
  args: ["i32"],
  row(word) {
    const digits = word & 0x0f0f0f0f;
    const pairs = (digits * 10 + (digits >>> 8)) & 0x00ff00ff;
    return (pairs * 100 + (pairs >>> 16)) & 0xffff;
  },
});

/**
 * Reads decimal digits after an optional sign as an int64 or a uint64. Up to 9 digits are one digit
 * and two words of four, without a branch that follows their number. More are read in groups of four
 * into four limbs of 16 bits, whose products with a power of ten stay below 2^31.
 */
export function integerReader(signed: 0 | 1): Overload {
  return overload({
    kind: "measure",
    returns: "words",
    consts: { signed, areDigits, numberOfDigits },
    row(text, { signed, areDigits, numberOfDigits }) {
      const sign = text.byteAt(0);
      const isNegative = sign === 0x2d;
      let at = isNegative || sign === 0x2b ? 1 : 0;
      if (at === text.size) return null;
      if (text.size - at <= 9) {
        const digit = text.byteAt(at) - 0x30;
        const top = text.size - at === 9 ? digit : 0;
        const high = text.fourDigits(at, 4);
        const low = text.fourDigits(at, 0);
        if (top < 0 || top > 9 || !areDigits(high) || !areDigits(low)) return null;
        const head = top * 10000 + numberOfDigits(high);
        const size = head * 10000 + numberOfDigits(low);
        if (signed === 0 && isNegative && size !== 0) return null;
        const value = isNegative ? -size : size;
        return [value, value >> 31];
      }
      while (at < text.size - 1 && text.byteAt(at) === 0x30) at++;
      // More digits do not fit.
      if (text.size - at > (signed === 1 ? 19 : 20)) return null;
      let limb0 = 0;
      let limb1 = 0;
      let limb2 = 0;
      let limb3 = 0;
      while (at < text.size) {
        let group = 0;
        let scale = 1;
        for (; at < text.size && scale < 10000; at++) {
          const digit = text.byteAt(at) - 0x30;
          if (digit < 0 || digit > 9) return null;
          group = group * 10 + digit;
          scale *= 10;
        }
        limb0 = limb0 * scale + group;
        limb1 = limb1 * scale + (limb0 >> 16);
        limb2 = limb2 * scale + (limb1 >> 16);
        limb3 = limb3 * scale + (limb2 >> 16);
        limb0 &= 0xffff;
        limb1 &= 0xffff;
        limb2 &= 0xffff;
      }
      if (signed === 0) {
        if (isNegative && (limb0 | limb1 | limb2 | limb3) !== 0 || limb3 > 0xffff) return null;
        return [limb0 | (limb1 << 16), limb2 | (limb3 << 16)];
      }
      const low = limb0 | (limb1 << 16);
      const high = limb2 | (limb3 << 16);
      if (!isNegative) {
        if (limb3 > 0x7fff) return null;
        return [low, high];
      }
      if (limb3 > 0x8000 || (limb3 === 0x8000 && (low !== 0 || limb2 !== 0))) return null;
      return [-low, ~high + (low === 0 ? 1 : 0)];
    },
  });
}

/** Truncates a float, passed as its bits; null for NaN, infinities and values that are too large. */
const float = overload({
  kind: "measure",
  subject: "words",
  returns: "words",
  row(low, high) {
    const exponent = ((high >>> 20) & 0x7ff) - 1023;
    if (exponent < 0) return [0, 0];
    if (exponent >= 63) {
      // The least integer is a float, and the only one of its size that fits.
      if (high === -0x3c200000 && low === 0) return [0, -0x80000000];
      return null;
    }
    const fraction = (high & 0xfffff) | 0x100000;
    let wholeLow = 0;
    let wholeHigh = 0;
    const left = exponent - 52;
    if (left > 0) {
      wholeLow = low << left;
      wholeHigh = (fraction << left) | (low >>> (32 - left));
    } else if (left === 0) {
      wholeLow = low;
      wholeHigh = fraction;
    } else if (left > -32) {
      wholeLow = (low >>> -left) | (fraction << (32 + left));
      wholeHigh = fraction >>> -left;
    } else {
      wholeLow = fraction >>> (-left - 32);
    }
    if (high >= 0) return [wholeLow, wholeHigh];
    return [-wholeLow, ~wholeHigh + (wholeLow === 0 ? 1 : 0)];
  },
});

/** Reads decimal digits after an optional sign as an int64; truncates a float; counts true as 1. */
export const toInteger: StringOp<[options?: StrictOption]> = defineStringOp({
  name: "toInteger",
  group: "convert",
  summary: "Text as a 64-bit integer, or the whole part of a float; null for others",
  differs: [
    "DuckDB: try_cast also takes blanks around the digits, a fraction that it rounds, and an exponent",
    "Python: int() also takes blanks, underscores and the digits of other scripts",
  ],
  instead: castInstead("int64"),
  ...STRICT,
  details: `True is 1, and false 0. ${STRICT.details}`,
  optional: ["strict"],
  examples: [
    { input: "-42", result: -42n },
    { input: "9223372036854775808", result: null },
    { input: "4.0", result: null },
    { input: -4.9, result: -4n },
    { input: true, result: 1n },
  ],
  choose: byReceiver("text", "int", "uint64", "float", "bool"),
  overloads: {
    text: integerReader(1),
    bool: overload({ subject: "bool", returns: "i64", row: (value) => value ? 1n : 0n }),
    int: overload({
      kind: "measure",
      subject: "words",
      returns: "words",
      row: (low, high) => [low, high],
    }),
    uint64: overload({
      kind: "measure",
      subject: "words",
      returns: "words",
      row: (low, high) => high < 0 ? null : [low, high],
    }),
    float,
  },
});

/** Whether `toInteger` is not null for the text. */
export const isInteger: StringOp<[]> = defineStringOp({
  name: "isInteger",
  group: "convert",
  summary: "Whether the text is a 64-bit integer that toInteger reads",
  examples: [
    { input: "+007", result: true },
    { input: "9223372036854775808", result: false },
    { input: "", result: false },
  ],
  kind: "measure",
  returns: "bool",
  consts: { digits: Int32Array.from("9223372036854775807", Number) },
  row(text, { digits }) {
    const sign = text.byteAt(0);
    let at = sign === 0x2d || sign === 0x2b ? 1 : 0;
    if (at === text.size) return false;
    while (at < text.size - 1 && text.byteAt(at) === 0x30) at++;
    const start = at;
    if (text.size - start > 19) return false;
    // How the digits so far compare with those of the greatest integer.
    let order = 0;
    for (; at < text.size; at++) {
      const digit = text.byteAt(at) - 0x30;
      if (digit < 0 || digit > 9) return false;
      let most = digits.at(at - start);
      if (at - start === 18 && sign === 0x2d) most++;
      if (order === 0 && digit !== most) order = digit < most ? -1 : 1;
    }
    return text.size - start < 19 || order <= 0;
  },
});
