/**
 * Casts to text: values as `toString` writes them, and bytes that are valid UTF-8.
 *
 * @module
 */

import { type Overload, overload } from "../define/define_string_op.ts";
import { toString } from "./to_string.ts";

/**
 * Returns the same bytes where they are valid UTF-8: no truncated or overlong sequences, no
 * surrogates, and nothing above U+10FFFF (The Unicode Standard, table 3-7).
 */
const fromBinary = overload({
  kind: "view",
  row(text) {
    let at = 0;
    while (at < text.size) {
      const lead = text.byteAt(at);
      at++;
      if (lead < 0x80) continue;
      if (lead < 0xc2 || lead > 0xf4) return null;
      const second = text.byteAt(at);
      let least = 0x80;
      let most = 0xbf;
      if (lead === 0xe0) least = 0xa0;
      if (lead === 0xed) most = 0x9f;
      if (lead === 0xf0) least = 0x90;
      if (lead === 0xf4) most = 0x8f;
      if (second < least || second > most) return null;
      at++;
      const more = lead < 0xe0 ? 0 : lead < 0xf0 ? 1 : 2;
      for (let i = 0; i < more; i++) {
        if ((text.byteAt(at) & 0xc0) !== 0x80) return null;
        at++;
      }
    }
    return text;
  },
});

/** The casts by name, `from>to`; from times, `from` is the name of the writer. */
export const textCasts: Readonly<Record<string, Overload>> = {
  "binary>text": fromBinary,
  ...Object.fromEntries(
    Object.entries(toString.overloads).map(([key, writer]) => [`${key}>text`, writer]),
  ),
};
