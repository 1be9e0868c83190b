/**
 * Maps with state, and functions that can be computed from text that is still being written, for
 * tests of the kernel language.
 *
 * @module
 */

import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
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

  /** Numbers the characters from `first`, and says at `most` how many there were. */
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
