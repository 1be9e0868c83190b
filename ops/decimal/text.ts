/**
 * The row functions that read decimals from text, and write them.
 *
 * @module
 */

import { numeric } from "../../gpu/kernel/fold/numeric.ts";
import { defineStringOp, type Overload, overload } from "../string/define/define_string_op.ts";
import type { StringOp } from "../syntax/node.ts";
import { mulHighU, sizeHigh } from "./wide.ts";

const { lessU, toI32, toI64 } = numeric;

/**
 * Reads a decimal number with an optional sign, point and exponent; null where it has digits beyond the
 * `scale`, or more than `precision` digits. The zeros at its end count only once others follow.
 */
export const textToDecimal: Overload = overload({
  kind: "measure",
  returns: "i128",
  consts: ({ precision, scale, decimal }) => ({
    ...{ precision: Number(precision), scale: Number(scale), mulHighU, lessU, toI64 },
    // Numbers of up to 18 digits, which fit in 63 bits, are below it, or have too many.
    limit: 10n ** BigInt(Math.min(18, Number(precision))),
    point: decimal === "," ? 0x2c : 0x2e,
    // Up to this one, ten times a number and 9 fit in 63 bits.
    most: 10n ** 17n,
  }),
  row(text, { precision, scale, point, most, limit, mulHighU, lessU, toI64 }) {
    const sign = text.byteAt(0);
    const start = sign === 0x2d || sign === 0x2b ? 1 : 0;
    // Few digits, and no more behind the point than there may be, are one number of 64 bits.
    if (text.size - start + scale <= 18) {
      let value = 0n;
      let place = -1;
      let end = start;
      for (; end < text.size; end++) {
        const byte = text.byteAt(end);
        const digit = byte - 0x30;
        if (digit >= 0 && digit <= 9) value = value * 10n + toI64(digit);
        else if (byte === point && place < 0) place = end;
        else break;
      }
      const numBehind = place < 0 ? 0 : text.size - 1 - place;
      const numDigits = text.size - start - (place < 0 ? 0 : 1);
      if (end === text.size && numDigits > 0 && numBehind <= scale) {
        for (let i = numBehind; i < scale; i++) value = value * 10n;
        if (value >= limit) return null;
        const whole = sign === 0x2d ? -value : value;
        return [whole, whole >> 63n];
      }
    }
    let at = start;
    let low = 0n;
    let high = 0n;
    // The significant digits, the zeros behind them, the digits behind the point, and all digits.
    let significant = 0;
    let zeros = 0;
    let behind = 0;
    let count = 0;
    let isBehind = 0;
    for (; at < text.size; at++) {
      const byte = text.byteAt(at);
      if (byte === point && isBehind === 0) {
        isBehind = 1;
        continue;
      }
      const digit = byte - 0x30;
      if (digit < 0 || digit > 9) break;
      count++;
      behind += isBehind;
      if (digit === 0) {
        if (significant > 0) zeros++;
        continue;
      }
      significant += zeros + 1;
      // 38 digits are the most of a decimal.
      if (significant > 38) return null;
      for (; zeros >= 0; zeros--) {
        if (high === 0n && low >= 0n && low < most) {
          low = low * 10n;
        } else {
          high = high * 10n + mulHighU(low, 10n);
          low = low * 10n;
        }
      }
      zeros = 0;
      const added = low + toI64(digit);
      if (lessU(added, low)) high = high + 1n;
      low = added;
    }
    if (count === 0) return null;
    let exponent = 0;
    if (at < text.size) {
      if ((text.byteAt(at) | 0x20) !== 0x65) return null;
      at++;
      const mark = text.byteAt(at);
      if (mark === 0x2d || mark === 0x2b) at++;
      if (at === text.size) return null;
      for (; at < text.size; at++) {
        const digit = text.byteAt(at) - 0x30;
        if (digit < 0 || digit > 9) return null;
        // No text that fits into memory makes up for a larger exponent.
        if (exponent < 100000000) exponent = exponent * 10 + digit;
      }
      if (mark === 0x2d) exponent = -exponent;
    }
    if (significant === 0) return [0n, 0n];
    let shift = zeros - behind + exponent + scale;
    if (shift < 0 || significant + shift > precision) return null;
    for (; shift > 0; shift--) {
      high = high * 10n + mulHighU(low, 10n);
      low = low * 10n;
    }
    if (sign === 0x2d) return [-low, low === 0n ? -high : ~high];
    return [low, high];
  },
});

/** Writes all digits, those behind the point too: `-0.50`. */
export const decimalToText: Overload = overload({
  kind: "emit",
  subject: "i128",
  consts: ({ scale, decimal }) => ({
    ...{ scale: Number(scale), point: decimal === "," ? 0x2c : 0x2e },
    ...{ sizeHigh, toI32, mask: 0xffffffffn, step: 10n ** 9n },
  }),
  row(out, low, high, { scale, point, sizeHigh, toI32, mask, step }) {
    if (high < 0n) out.put(0x2d);
    const size = high < 0n ? -low : low;
    const top = sizeHigh(low, high);
    let word0 = size & mask;
    let word1 = (size >> 32n) & mask;
    let word2 = top & mask;
    let word3 = (top >> 32n) & mask;
    // Five groups of nine digits, the lowest first.
    let group0 = 0;
    let group1 = 0;
    let group2 = 0;
    let group3 = 0;
    let group4 = 0;
    // The groups that are written: those up to the first digit, and up to the point.
    let count = (scale + 9) / 9;
    for (let i = 0; i < 5; i++) {
      let rest = 0n;
      if (word3 === 0n && word2 === 0n && word1 >> 31n === 0n) {
        // The rest of most numbers fits in 63 bits.
        const whole = (word1 << 32n) | word0;
        const quotient = whole / step;
        rest = whole - quotient * step;
        word1 = quotient >> 32n;
        word0 = quotient & mask;
      } else {
        const from2 = ((word3 % step) << 32n) | word2;
        const from1 = ((from2 % step) << 32n) | word1;
        const from0 = ((from1 % step) << 32n) | word0;
        word3 = word3 / step;
        word2 = from2 / step;
        word1 = from1 / step;
        word0 = from0 / step;
        rest = from0 % step;
      }
      const group = toI32(rest);
      if (i === 0) group0 = group;
      if (i === 1) group1 = group;
      if (i === 2) group2 = group;
      if (i === 3) group3 = group;
      if (i === 4) group4 = group;
      if (i >= count) count = i + 1;
      if (word0 === 0n && word1 === 0n && word2 === 0n && word3 === 0n) break;
    }
    let isBegun = false;
    let place = 9 * count - 1;
    for (let i = count - 1; i >= 0; i--) {
      const group = i === 4
        ? group4
        : i === 3
        ? group3
        : i === 2
        ? group2
        : i === 1
        ? group1
        : group0;
      for (let divisor = 100000000; divisor > 0; divisor = divisor / 10) {
        const digit = (group / divisor) % 10;
        if (digit !== 0 || place <= scale) isBegun = true;
        if (isBegun) {
          if (scale > 0 && place === scale - 1) out.put(point);
          out.put(0x30 + digit);
        }
        place--;
      }
    }
  },
});

const { highOf, lowOf } = numeric;

/** The row function of `format`, for a scale. */
export const decimalFormat: StringOp = defineStringOp({
  name: "format",
  args: { pattern: "literal", scale: "literal" },
  choose: () => undefined,
  overloads: {
    plain: overload({
      kind: "emit",
      subject: "i128",
      consts: ({ pattern, scale }) => ({
        ...{ pattern: String(pattern), scale: Number(scale), highOf, lowOf },
      }),
      row(out, low, high, { pattern, scale, highOf, lowOf }) {
        out.putFormattedDecimal(
          pattern,
          lowOf(low),
          highOf(low),
          lowOf(high),
          highOf(high),
          scale,
        );
      },
    }),
  },
});
