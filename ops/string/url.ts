/**
 * Defines the percent-encoding of URLs, as in Python's `quote` and `unquote`.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import { defineStringOp, type StringOp } from "./define/define_string_op.ts";
import { hexDigit } from "./convert/hex.ts";

/**
 * Writes each byte other than ASCII letters, digits and `_.-~` as `%` and two hexadecimal digits,
 * like Python's `quote(text, safe="")`.
 */
export const urlEncode: StringOp<[]> = defineStringOp({
  name: "urlEncode",
  group: "convert",
  summary: "The text with each byte that a URL cannot hold as percent and two digits",
  examples: [
    { input: "a b/c", result: "a%20b%2Fc" },
    { input: "é~", result: "%C3%A9~" },
  ],
  kind: "map",
  row(out, char) {
    const letter = char | 0x20;
    const isPlain = (letter >= 0x61 && letter <= 0x7a) || (char >= 0x30 && char <= 0x39) ||
      char === 0x5f || char === 0x2e || char === 0x2d || char === 0x7e;
    if (isPlain) return out.put(char);
    // The bytes of the character, the first of which tells their number.
    let lead = char;
    let rest = 0;
    if (char >= 0x80) {
      rest = char < 0x800 ? 1 : char < 0x10000 ? 2 : 3;
      lead = (rest === 1 ? 0xc0 : rest === 2 ? 0xe0 : 0xf0) | (char >> (6 * rest));
    }
    let byte = lead;
    for (;;) {
      out.put(0x25);
      out.put((byte >> 4) + (byte < 0xa0 ? 0x30 : 0x37));
      out.put((byte & 15) + ((byte & 15) < 10 ? 0x30 : 0x37));
      if (rest === 0) break;
      rest--;
      byte = 0x80 | ((char >> (6 * rest)) & 0x3f);
    }
  },
});

/** Returns the byte that `%` and two digits at a position stand for; -1 for other text. */
const escapedByte = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  consts: { hexDigit },
  row(text, at, { hexDigit }) {
    if (text.byteAt(at) !== 0x25) return -1;
    const high = hexDigit(text.byteAt(at + 1));
    const low = hexDigit(text.byteAt(at + 2));
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  },
});

/**
 * Replaces `%` and two hexadecimal digits by the byte that they stand for, like Python's `unquote`.
 * U+FFFD stands for each longest sequence of bytes that is a truncated character.
 */
export const urlDecode: StringOp<[]> = defineStringOp({
  name: "urlDecode",
  group: "convert",
  summary: "The text with percent and two digits replaced by the byte that they stand for",
  examples: [
    { input: "a%20b%2Fc", result: "a b/c" },
    { input: "%C3%A9%", result: "é%" },
    { input: "%C3", result: "\u{fffd}" },
  ],
  kind: "emit",
  consts: { escapedByte },
  row(out, text, { escapedByte }) {
    let at = 0;
    while (at < text.size) {
      const byte = escapedByte(text, at);
      if (byte < 0x80) {
        out.put(byte < 0 ? text.charAt(at) : byte);
        at = byte < 0 ? text.next(at) : at + 3;
        continue;
      }
      at += 3;
      // How many bytes follow a lead, and the range of the first of them (table 3-7 of Unicode).
      let rest = 0;
      if (byte >= 0xc2 && byte <= 0xf4) rest = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
      let least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
      let most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
      let char = rest === 0 ? 0xfffd : byte & (0x3f >> rest);
      while (rest > 0) {
        const next = escapedByte(text, at);
        if (next < least || next > most) {
          char = 0xfffd;
          break;
        }
        char = (char << 6) | (next & 0x3f);
        at += 3;
        rest--;
        least = 0x80;
        most = 0xbf;
      }
      out.put(char);
    }
  },
});
