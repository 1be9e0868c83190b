/**
 * Helpers of row functions that read the tokens of JSON text.
 *
 * @module
 */

import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import { hexDigit } from "../convert/hex.ts";

/** Whether a byte is a blank between tokens. */
export const isJsonSpace = defineHelper({
  args: ["i32"],
  returns: "bool",
  row: (byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09,
});

/** Returns the UTF-16 unit that `\u` and four digits at a position stand for; -1 for other text. */
const escapedUnit = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  consts: { hexDigit },
  row(text, at, { hexDigit }) {
    let unit = text.byteAt(at) === 0x5c && text.byteAt(at + 1) === 0x75 ? 0 : -1;
    for (let i = 2; i < 6 && unit >= 0; i++) {
      const digit = hexDigit(text.byteAt(at + i));
      unit = digit < 0 ? -1 : unit * 16 + digit;
    }
    return unit;
  },
});

/**
 * Returns the character that the escape at a position stands for; -1 where it is none. Half of a
 * surrogate pair is U+FFFD.
 */
export const escapedChar = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  consts: { escapedUnit },
  row(text, at, { escapedUnit }) {
    const letter = text.byteAt(at + 1);
    if (letter === 0x75) {
      const unit = escapedUnit(text, at);
      if (unit < 0xd800 || unit > 0xdfff) return unit;
      const low = escapedUnit(text, at + 6);
      const isPair = unit < 0xdc00 && low >= 0xdc00 && low <= 0xdfff;
      return isPair ? 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff) : 0xfffd;
    }
    if (letter === 0x22 || letter === 0x5c || letter === 0x2f) return letter;
    if (letter === 0x6e) return 0x0a;
    if (letter === 0x74) return 0x09;
    if (letter === 0x72) return 0x0d;
    if (letter === 0x62) return 0x08;
    return letter === 0x66 ? 0x0c : -1;
  },
});

/** Returns the bytes of an escape that stands for a character. */
export const escapeSize = defineHelper({
  args: ["string", "i32", "i32"],
  returns: "i32",
  row(text, at, char) {
    if (text.byteAt(at + 1) !== 0x75) return 2;
    return char > 0xffff ? 12 : 6;
  },
});

/** Returns where the digits from a position on end. */
const digitsEnd = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  row(text, at) {
    let end = at;
    while (text.byteAt(end) >= 0x30 && text.byteAt(end) <= 0x39) end++;
    return end;
  },
});

/** Returns where the number at a position ends; -1 where there is none. */
export const numberEnd = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  consts: { digitsEnd },
  row(text, at, { digitsEnd }) {
    const start = text.byteAt(at) === 0x2d ? at + 1 : at;
    let end = digitsEnd(text, start);
    let isNumber = end === start + 1 || (end > start && text.byteAt(start) !== 0x30);
    if (text.byteAt(end) === 0x2e) {
      const digits = end + 1;
      end = digitsEnd(text, digits);
      if (end === digits) isNumber = false;
    }
    if ((text.byteAt(end) | 0x20) === 0x65) {
      const sign = text.byteAt(end + 1);
      const digits = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1;
      end = digitsEnd(text, digits);
      if (end === digits) isNumber = false;
    }
    return isNumber ? end : -1;
  },
});
