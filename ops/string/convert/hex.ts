/**
 * Defines the operations that read and write integers in hexadecimal digits.
 *
 * @module
 */

import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import { byReceiver, STRICT, type StrictOption } from "./conversion.ts";
import { defineStringOp, overload, type StringOp } from "../define/define_string_op.ts";

/** Returns the value of a hexadecimal digit in either case; -1 for any other byte. */
export const hexDigit = defineHelper({
  args: ["i32"],
  returns: "i32",
  row(byte) {
    if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
    const letter = byte | 0x20;
    return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
  },
});

/** Reads like Python's `int(text, 16)`: either case, after an optional sign and an optional `0x`. */
export const hexToInteger: StringOp<[options?: StrictOption]> = defineStringOp({
  name: "hexToInteger",
  group: "convert",
  summary: "The 64-bit integer that the text writes in hexadecimal digits; null for other text",
  differs: ["libcudf: wraps around where the number does not fit"],
  examples: [
    { input: "1e240", result: 123456n },
    { input: "-0xFF", result: -255n },
    { input: "ffffffffffffffff", result: null },
  ],
  ...STRICT,
  defaults: { strict: false },
  kind: "measure",
  returns: "words",
  consts: { hexDigit },
  row(text, { hexDigit }) {
    const sign = text.byteAt(0);
    let at = sign === 0x2d || sign === 0x2b ? 1 : 0;
    if (text.byteAt(at) === 0x30 && (text.byteAt(at + 1) | 0x20) === 0x78) at += 2;
    if (at >= text.size) return null;
    let low = 0;
    let high = 0;
    for (; at < text.size; at++) {
      const digit = hexDigit(text.byteAt(at));
      // Another digit would push out some of the highest four bits.
      if (digit < 0 || (high & -0x10000000) !== 0) return null;
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    if (sign === 0x2d) {
      if (high < 0 && (high !== -0x80000000 || low !== 0)) return null;
      return [-low, ~high + (low === 0 ? 1 : 0)];
    }
    if (high < 0) return null;
    return [low, high];
  },
});

/** Writes the digits without leading zeros. */
function writeHex(signed: 0 | 1) {
  return overload({
    kind: "emit",
    subject: "words",
    consts: { signed },
    row(out, low, high, { signed }) {
      const isNegative = signed === 1 && high < 0;
      if (isNegative) out.put(0x2d);
      const bottom = isNegative ? -low : low;
      const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
      let isBegun = false;
      for (let shift = 60; shift >= 0; shift -= 4) {
        const digit = (shift >= 32 ? top >>> (shift - 32) : bottom >>> shift) & 15;
        if (digit !== 0 || shift === 0) isBegun = true;
        if (isBegun) out.put(digit < 10 ? 0x30 + digit : 0x57 + digit);
      }
    },
  });
}

/** Writes text that `hexToInteger` reads, like Python's `format(n, "x")`. */
export const integerToHex: StringOp<[]> = defineStringOp({
  name: "integerToHex",
  group: "convert",
  summary: "The integer in hexadecimal digits",
  differs: [
    "libcudf: capital digits, an even number of them, and negative numbers as two's complement",
  ],
  args: {},
  optional: [],
  examples: [{ input: 123456n, result: "1e240" }, { input: -255n, result: "-ff" }],
  choose: byReceiver("int", "uint64"),
  overloads: { int: writeHex(1), uint64: writeHex(0) },
});
