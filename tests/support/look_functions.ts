/**
 * Maps that look at the characters beside each one, for tests of the kernel language.
 *
 * @module
 */

import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { type TestFunction, testFunction } from "./test_function.ts";

/** The functions by name. */
export const lookFunctions = {
  /** Makes `a` to `f` capital, and of other characters than ASCII the one before, if there is one. */
  shadow: testFunction({
    name: "shadow",
    kind: "map",
    looks: true,
    row(out: Sink, char: i32, { text, at }: { text: View; at: i32 }) {
      if (char < 0x80) return out.put(char >= 0x61 && char <= 0x66 ? char - 32 : char);
      out.put(at === 0 ? char : text.charAt(text.prev(at)));
    },
  }, (text) =>
    [...text].map((char, at, all) => {
      if (char < "\x80") return char >= "a" && char <= "f" ? char.toUpperCase() : char;
      return all[at - 1] ?? char;
    }).join("")),

  /** Drops blanks at both ends, and so looks beside a character of ASCII. */
  trim: testFunction({
    name: "trim",
    kind: "map",
    looks: true,
    row(out: Sink, char: i32, { text, at }: { text: View; at: i32 }) {
      if (char !== 0x20) return out.put(char);
      let before = at;
      while (before > 0 && text.byteAt(before - 1) === 0x20) before--;
      let after = at;
      while (after < text.size && text.byteAt(after) === 0x20) after++;
      if (before > 0 && after < text.size) out.put(char);
    },
  }, (text) => text.replace(/^ +| +$/g, "")),

  /** Marks every other character of ASCII, and the others with what follows. Has state and ends. */
  stitch: testFunction(
    {
      name: "stitch",
      kind: "map",
      args: { mark: "string", most: "i32" },
      looks: true,
      state: { count: 0 },
      row(
        out: Sink,
        char: i32,
        { text, at, mark, most, state: s }: {
          text: View;
          at: i32;
          mark: View;
          most: i32;
          state: { count: i32 };
        },
      ) {
        if (s.count === most) return out.end();
        s.count++;
        out.put(char);
        if (char > 0x7f) out.copy(text.sub(text.next(at), text.advance(at, 3)));
        else if (s.count % 2 === 0) out.copy(mark);
      },
    },
    (text, mark: string, most: number) =>
      [...text].slice(0, most < 0 ? undefined : most).map((char, index) => {
        const all = [...text];
        if (char > "\x7f") return char + all.slice(index + 1, index + 3).join("");
        return index % 2 === 1 ? char + mark : char;
      }).join(""),
  ),
} satisfies Record<string, TestFunction>;
