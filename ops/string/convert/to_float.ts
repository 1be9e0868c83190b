/**
 * Defines the operations `toFloat` and `isFloat`, and the test whether a decimal number fits a float.
 *
 * @module
 */

import { Float64 } from "apache-arrow";
import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../../gpu/kernel/fold/numeric.ts";
import type { Helper, i32, View } from "../../../gpu/kernel/language/row_function.ts";
import { byReceiver, castInstead, STRICT, type StrictOption } from "./conversion.ts";
import { defineStringOp, overload, type StringOp } from "../define/define_string_op.ts";

/**
 * Creates the helper that classifies text: 1 for a decimal number with an optional sign, point and
 * exponent, 2 for one of the words `nan`, `inf` and `infinity` in any case (the latter two with an
 * optional sign), and 0 for anything else. A number of at least `firstInfinite`, the least number
 * that rounds to infinity, is 0 too.
 */
export function floatKindOf(firstInfinite: bigint): Helper<(text: View) => i32> {
  const digits = String(firstInfinite);
  return defineHelper({
    args: ["string"],
    returns: "i32",
    consts: {
      limits: Int32Array.from(digits.replace(/0+$/, ""), Number),
      mostPower: digits.length - 1,
    },
    row(text, { limits, mostPower }) {
      const sign = text.byteAt(0);
      const start = sign === 0x2d || sign === 0x2b ? 1 : 0;
      let digits = 0;
      let first = -1;
      let point = -1;
      let at = start;
      for (; at < text.size; at++) {
        const byte = text.byteAt(at);
        if (byte >= 0x30 && byte <= 0x39) {
          if (byte !== 0x30 && first < 0) first = digits;
          digits++;
        } else if (byte === 0x2e && point < 0) {
          point = digits;
        } else {
          break;
        }
      }
      if (digits === 0) {
        if (point >= 0) return 0;
        const left = text.size - start;
        if (left !== 3 && left !== 8) return 0;
        const a = text.byteAt(start) | 0x20;
        const b = text.byteAt(start + 1) | 0x20;
        const d = text.byteAt(start + 2) | 0x20;
        if (left === 3 && start === 0 && a === 0x6e && b === 0x61 && d === 0x6e) return 2;
        if (a !== 0x69 || b !== 0x6e || d !== 0x66) return 0;
        if (left === 3) return 2;
        const isWord = (text.byteAt(start + 3) | 0x20) === 0x69 &&
          (text.byteAt(start + 4) | 0x20) === 0x6e && (text.byteAt(start + 5) | 0x20) === 0x69 &&
          (text.byteAt(start + 6) | 0x20) === 0x74 && (text.byteAt(start + 7) | 0x20) === 0x79;
        return isWord ? 2 : 0;
      }
      if (point < 0) point = digits;
      let exponent = 0;
      if (at < text.size) {
        if ((text.byteAt(at) | 0x20) !== 0x65) return 0;
        at++;
        const mark = text.byteAt(at);
        if (mark === 0x2d || mark === 0x2b) at++;
        if (at === text.size) return 0;
        for (; at < text.size; at++) {
          const digit = text.byteAt(at) - 0x30;
          if (digit < 0 || digit > 9) return 0;
          // No text that fits into memory makes up for a larger exponent.
          if (exponent < 100000000) exponent = exponent * 10 + digit;
        }
        if (mark === 0x2d) exponent = -exponent;
      }
      if (first < 0) return 1;
      // The power of ten of the first significant digit.
      const power = point - 1 - first + exponent;
      if (power !== mostPower) return power > mostPower ? 0 : 1;
      let index = 0;
      for (let i = start; i < text.size; i++) {
        const digit = text.byteAt(i) - 0x30;
        if (digit > 9) break;
        if (digit < 0 || (index === 0 && digit === 0)) continue;
        const limit = limits.at(index);
        if (digit !== limit) return digit < limit ? 1 : 0;
        index++;
      }
      return index < limits.size ? 1 : 0;
    },
  });
}

/** Classifies for float64; from half a unit above the greatest float64 on, numbers are infinite. */
const floatKind = floatKindOf(2n ** 1024n - 2n ** 970n);

/** Returns the bits of the float64 nearest to a 64-bit integer, ties to even. */
function fromInteger(signed: 0 | 1) {
  return overload({
    kind: "measure",
    subject: "words",
    returns: "words",
    gives: new Float64(),
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
      // The leading one becomes the highest of the 64 bits.
      while (top >= 0) {
        top = (top << 1) | (bottom >>> 31);
        bottom = bottom << 1;
        exponent--;
      }
      const rest = bottom & 0x7ff;
      let fraction = (bottom >>> 11) | (top << 21);
      // The leading one is not stored; a carry out of the fraction raises the exponent, as it must.
      let head = (exponent << 20) + ((top >>> 11) & 0xfffff);
      if (rest > 0x400 || (rest === 0x400 && (bottom & 0x800) !== 0)) {
        fraction = fraction + 1;
        if (fraction === 0) head++;
      }
      return [fraction, isNegative ? head | -0x80000000 : head];
    },
  });
}

/** Returns the float64 nearest to a decimal number or an integer, ties to even. The host reads text. */
export const toFloat: StringOp<[options?: StrictOption]> = defineStringOp({
  name: "toFloat",
  group: "convert",
  summary: "The float64 nearest to a decimal number or to an integer; null for other text",
  differs: [
    "DuckDB: try_cast also takes blanks around the number, and returns an infinity for a large one",
    "Python: float() also takes blanks and underscores, and returns an infinity for a large number",
  ],
  instead: castInstead("float64"),
  ...STRICT,
  optional: ["strict"],
  examples: [
    { input: "12.5e-3", result: 0.0125 },
    { input: "1e400", result: null },
    { input: "12,5", result: null },
    { input: 9007199254740993n, result: 9007199254740992 },
  ],
  choose: byReceiver("text", "int", "uint64", "float"),
  overloads: {
    text: overload({
      kind: "measure",
      returns: "f64",
      consts: { floatKind, toF64: numeric.toF64 },
      row(text, { floatKind, toF64 }) {
        // Up to 15 digits with a point among them are a whole number and a power of ten that a
        // float64 holds, so their quotient is rounded once (Clinger 1990): one pass over the text.
        const sign = text.byteAt(0);
        const start = sign === 0x2d || sign === 0x2b ? 1 : 0;
        let digits = text.size - start;
        if (digits <= 16) {
          let value = toF64(0);
          let scale = toF64(1);
          let point = -1;
          let at = start;
          for (; at < text.size; at++) {
            const digit = text.byteAt(at) - 0x30;
            if (digit >= 0 && digit <= 9) {
              value = value * 10 + toF64(digit);
              if (point >= 0) scale = scale * 10;
            } else if (digit === -2 && point < 0) {
              point = at;
            } else {
              break;
            }
          }
          if (point >= 0) digits--;
          if (at === text.size && digits > 0 && digits <= 15) {
            return sign === 0x2d ? -(value / scale) : value / scale;
          }
        }
        return floatKind(text) === 0 ? null : text.toFloat();
      },
    }),
    int: fromInteger(1),
    uint64: fromInteger(0),
    float: overload({
      kind: "measure",
      subject: "words",
      returns: "words",
      gives: new Float64(),
      row: (low, high) => [low, high],
    }),
  },
});

/** Whether `toFloat` is not null for the text. */
export const isFloat: StringOp<[]> = defineStringOp({
  name: "isFloat",
  group: "convert",
  summary: "Whether the text is a decimal number that toFloat reads",
  differs: ["libcudf: is_float() also takes what overflows"],
  examples: [
    { input: "-.5e3", result: true },
    { input: "inf", result: true },
    { input: "1e400", result: false },
    { input: "0x1p3", result: false },
  ],
  kind: "measure",
  returns: "bool",
  consts: { floatKind },
  row: (text, { floatKind }) => floatKind(text) !== 0,
});
