/**
 * Maps with state, maps that look at the characters beside each one, and functions that can be computed
 * from text that is still being written, for tests of the kernel language.
 */

import type { i32, Sink, View } from "../../../gpu/kernel/language/row_function.ts";
import { type TestFunction, testFunction } from "./test_function.ts";

/** The functions by name. */
export const stateFunctions = {
  /** Drops characters that follow an equal one. */
  squeeze: testFunction({
    name: "squeeze",
    kind: "map",
    state: { last: -1 },
    row(out: Sink, char: i32, { state: s }: { state: { last: i32 } }) {
      if (char === s.last) return;
      s.last = char;
      out.put(char);
    },
  }, (text) => [...text].filter((char, at, all) => char !== all[at - 1]).join("")),

  /** Numbers the characters from `first`, and writes their number at `most`. */
  enumerate: testFunction({
    name: "enumerate",
    kind: "map",
    args: { first: "i32", most: "i32" },
    state: { count: 0, isSecond: 0 },
    row(
      out: Sink,
      char: i32,
      { first, most, state: s }: { first: i32; most: i32; state: { count: i32; isSecond: i32 } },
    ) {
      s.isSecond = 1 - s.isSecond;
      if (s.count === most) {
        out.put(0x7c);
        for (let rest = s.count; rest > 0; rest >>= 1) out.put(0x30 + (rest & 1));
        return out.end();
      }
      if (s.isSecond === 1) out.put(0x61 + (((first % 7) + 7 + s.count) % 26));
      out.put(char);
      s.count++;
    },
  }, (text, first: number, most: number) => {
    let result = "";
    for (const [count, char] of [...text].entries()) {
      if (count === most) {
        const digits = count === 0 ? "" : [...count.toString(2)].reverse().join("");
        return `${result}|${digits}`;
      }
      if (count % 2 === 0) result += String.fromCharCode(0x61 + ((first % 7) + 7 + count) % 26);
      result += char;
    }
    return result;
  }),

  /** The first characters, as a view and as a map of text that is being written. */
  head: testFunction({
    name: "head",
    kind: "view",
    args: { count: "i32" },
    row: (text: View, { count }: { count: i32 }) =>
      text.sub(0, text.advance(0, count < 0 ? 0 : count)),
    written: {
      state: { position: 0 },
      row(out: Sink, char: i32, { count, state: s }: { count: i32; state: { position: i32 } }) {
        if (s.position >= count) return out.end();
        out.put(char);
        s.position++;
      },
    },
  }, (text, count: number) => [...text].slice(0, Math.max(count, 0)).join("")),

  /** The text without its first characters. */
  skip: testFunction({
    name: "skip",
    kind: "view",
    args: { count: "i32" },
    row: (text: View, { count }: { count: i32 }) =>
      text.sub(text.advance(0, count < 0 ? 0 : count), text.size),
    written: {
      state: { position: 0 },
      row(out: Sink, char: i32, { count, state: s }: { count: i32; state: { position: i32 } }) {
        if (s.position < count) s.position++;
        else out.put(char);
      },
    },
  }, (text, count: number) => [...text].slice(Math.max(count, 0)).join("")),

  /** Another text for each occurrence of one character. */
  replaceChar: testFunction(
    {
      name: "replaceChar",
      kind: "emit",
      args: { target: "string", replacement: "string" },
      row(out: Sink, text: View, { target, replacement }: { target: View; replacement: View }) {
        let from = 0;
        let at = text.find(target, 0);
        while (at >= 0) {
          out.copy(text.sub(from, at));
          out.copy(replacement);
          from = at + target.size;
          at = text.find(target, from);
        }
        out.copy(text.sub(from, text.size));
      },
      written: {
        row(out: Sink, char: i32, { target, replacement }: { target: View; replacement: View }) {
          if (char === target.charAt(0)) out.copy(replacement);
          else out.put(char);
        },
      },
    },
    (text, target: string, replacement: string) => text.split(target).join(replacement),
  ),
} satisfies Record<string, TestFunction>;

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
