import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import { overload } from "../../../ops/string/define/define_string_op.ts";
import { testFunction } from "./test_function.ts";

/** Whether a character is a letter from A to Z or a to z. */
export const isLetter = defineHelper({
  args: ["i32"],
  returns: "bool",
  row(char) {
    if (char < 0x41) return false;
    if (char <= 0x5a) return true;
    return char >= 0x61 && char <= 0x7a;
  },
});

/** The letter 13 further on; several returns, a helper below it, a loop and an assignment. */
const rotated = defineHelper({
  args: ["i32", "i32"],
  returns: "i32",
  consts: { isLetter, letters: 26 },
  row(char, by, { isLetter, letters }) {
    if (!isLetter(char)) return char;
    const first = char >= 0x61 ? 0x61 : 0x41;
    let at = char - first + by;
    while (at >= letters) at -= letters;
    return first + at;
  },
});

/** The start of the first letter at or after a position, or -1: it returns out of a loop. */
const firstLetter = defineHelper({
  args: ["string", "i32"],
  returns: "i32",
  consts: { isLetter },
  row(text, from, { isLetter }) {
    for (let at = from; at < text.size; at = text.next(at)) {
      if (isLetter(text.charAt(at))) return at;
    }
    return -1;
  },
});

/** Writes letters twice, other characters once: it returns early. */
const putTwice = defineHelper({
  args: ["sink", "i32"],
  consts: { isLetter },
  row(out, char, { isLetter }) {
    out.put(char);
    if (!isLetter(char)) return;
    out.put(char);
  },
});

/** Writes the rest of a word, each letter twice: a helper below it, and a return out of a loop. */
const putWord = defineHelper({
  args: ["sink", "string", "i32"],
  consts: { isLetter, putTwice },
  row(out, text, from, { isLetter, putTwice }) {
    for (let at = from; at < text.size; at = text.next(at)) {
      if (!isLetter(text.charAt(at))) return;
      putTwice(out, text.charAt(at));
    }
    out.put(0x24);
  },
});

/** Test functions that use helpers. */
export const helperFunctions = {
  rotate: testFunction({
    name: "rotate",
    ...overload({
      kind: "map",
      args: { by: "i32" },
      consts: { rotated },
      row(out, char, { by, rotated }) {
        out.put(rotated(char, (by & 31) % 26));
      },
    }),
  }, (text, by: number) =>
    text.replace(/[A-Za-z]/g, (char) => {
      const first = char >= "a" ? 0x61 : 0x41;
      return String.fromCharCode(first + (char.charCodeAt(0) - first + (by & 31) % 26) % 26);
    })),

  /** Each character, letters twice, and after a blank the word that follows it once more. */
  stammered: testFunction({
    name: "stammered",
    ...overload({
      kind: "emit",
      args: { times: "i32" },
      consts: { putTwice, putWord },
      row(out, text, { times, putTwice, putWord }) {
        for (let at = 0; at < text.size; at = text.next(at)) {
          putTwice(out, text.charAt(at));
          if (text.charAt(at) === 0x20 && times > 1) putWord(out, text, at + 1);
        }
        if (times < 0) putWord(out, text, 0);
      },
    }),
  }, (text, times: number) => {
    const twice = (part: string) => part.replace(/[A-Za-z]/g, "$&$&");
    const word = (from: number) => {
      const letters = /^[A-Za-z]*/.exec(text.slice(from))![0];
      return twice(letters) + (from + letters.length === text.length ? "$" : "");
    };
    const all = Array.from(
      text.matchAll(/[^]/gu),
      ({ 0: char, index }) => twice(char) + (char === " " && times > 1 ? word(index + 1) : ""),
    );
    return all.join("") + (times < 0 ? word(0) : "");
  }),

  /** The letters, each before the characters up to the next letter. */
  firstWord: testFunction({
    name: "firstWord",
    ...overload({
      kind: "view",
      consts: { firstLetter, isLetter },
      row(text, { firstLetter, isLetter }) {
        const start = firstLetter(text, 0);
        if (start < 0) return null;
        let stop = start;
        while (stop < text.size && isLetter(text.charAt(stop))) stop = text.next(stop);
        return text.sub(start, stop);
      },
    }),
  }, (text) => /[A-Za-z]+/.exec(text)?.[0] ?? null),

  /** Letters of the text that stand in the other one too, counted by position. */
  countLetters: testFunction(
    {
      name: "countLetters",
      ...overload({
        kind: "measure",
        args: { other: "string" },
        consts: { firstLetter },
        row(text, { other, firstLetter }) {
          let count = 0;
          let at = firstLetter(text, 0);
          while (at >= 0 && firstLetter(other, 0) >= 0) {
            if (other.has(text.charAt(at))) count += firstLetter(text, at) === at ? 1 : 100;
            at = firstLetter(text, at + 1);
          }
          return count;
        },
      }),
    },
    (text, other: string) =>
      (text.match(/[A-Za-z]/g) ?? []).filter((c) => other.includes(c)).length,
  ),
} as const;
