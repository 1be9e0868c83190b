import { defineHelper } from "../../gpu/kernel/language/define_helper.ts";
import type { Helper } from "../../gpu/kernel/language/helper.ts";
import type { i32, Sink, View } from "../../gpu/kernel/language/row_function.ts";
import { testFunction } from "./test_function.ts";

/** Whether a character is a letter from A to Z or a to z. */
export const isLetter: Helper<(char: i32) => boolean> = defineHelper({
  args: { char: "i32" },
  returns: "bool",
  row(char: i32) {
    if (char < 0x41) return false;
    if (char <= 0x5a) return true;
    return char >= 0x61 && char <= 0x7a;
  },
});

/** The letter 13 further on; several returns, a helper below it, a loop and an assignment. */
const rotated: Helper<(char: i32, by: i32) => i32> = defineHelper({
  args: { char: "i32", by: "i32" },
  returns: "i32",
  consts: { isLetter, letters: 26 },
  row(char: i32, by: i32, c: { isLetter: typeof isLetter; letters: i32 }) {
    if (!c.isLetter(char)) return char;
    const first = char >= 0x61 ? 0x61 : 0x41;
    let at = char - first + by;
    while (at >= c.letters) at -= c.letters;
    return first + at;
  },
});

/** Where the first letter at or after a position starts, or -1: it returns out of a loop. */
const firstLetter: Helper<(text: View, from: i32) => i32> = defineHelper({
  args: { text: "string", from: "i32" },
  returns: "i32",
  consts: { isLetter },
  row(text: View, from: i32, c: { isLetter: typeof isLetter }) {
    for (let at = from; at < text.size; at = text.next(at)) {
      if (c.isLetter(text.charAt(at))) return at;
    }
    return -1;
  },
});

/** Test functions that use helpers. */
export const helperFunctions = {
  rotate: testFunction({
    name: "rotate",
    kind: "map",
    args: { by: "i32" },
    consts: { rotated },
    row(out: Sink, char: i32, by: i32, c: { rotated: typeof rotated }) {
      out.put(c.rotated(char, (by & 31) % 26));
    },
  }, (text, by: number) =>
    text.replace(/[A-Za-z]/g, (char) => {
      const first = char >= "a" ? 0x61 : 0x41;
      return String.fromCharCode(first + (char.charCodeAt(0) - first + (by & 31) % 26) % 26);
    })),

  /** The letters, each at the head of what follows it up to the next. */
  firstWord: testFunction({
    name: "firstWord",
    kind: "view",
    consts: { firstLetter, isLetter },
    row(text: View, c: { firstLetter: typeof firstLetter; isLetter: typeof isLetter }) {
      const start = c.firstLetter(text, 0);
      if (start < 0) return null;
      let stop = start;
      while (stop < text.size && c.isLetter(text.charAt(stop))) stop = text.next(stop);
      return text.sub(start, stop);
    },
  }, (text) => /[A-Za-z]+/.exec(text)?.[0] ?? null),

  /** Letters of the text that stand in the other one too, counted by position. */
  countLetters: testFunction(
    {
      name: "countLetters",
      kind: "measure",
      args: { other: "string" },
      consts: { firstLetter },
      row(text: View, other: View, c: { firstLetter: typeof firstLetter }) {
        let count = 0;
        let at = c.firstLetter(text, 0);
        while (at >= 0 && c.firstLetter(other, 0) >= 0) {
          if (other.has(text.charAt(at))) count += c.firstLetter(text, at) === at ? 1 : 100;
          at = c.firstLetter(text, at + 1);
        }
        return count;
      },
    },
    (text, other: string) =>
      (text.match(/[A-Za-z]/g) ?? []).filter((c) => other.includes(c)).length,
  ),
} as const;
