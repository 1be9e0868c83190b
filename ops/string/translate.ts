/**
 * Defines the operation `translate`, which replaces characters by a map.
 *
 * @module
 */

import { defineHelper } from "../../gpu/kernel/fold/define_helper.ts";
import {
  type CallArgs,
  defineStringOp,
  overload,
  type StringOp,
} from "./define/define_string_op.ts";

/**
 * Creates the helper that returns the index of a character in a sorted table without duplicates; -1
 * where it is absent. ASCII characters are looked up, the others are searched for.
 */
function findKey(keys: Int32Array) {
  const ascii = Int32Array.from({ length: 128 }, (_, char) => keys.indexOf(char));
  return defineHelper({
    args: ["i32"],
    returns: "i32",
    consts: { ascii, keys },
    row(char, { ascii, keys }) {
      if (char < 0x80) return ascii.at(char);
      let low = 0;
      let high = keys.size;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (keys.at(middle) < char) low = middle + 1;
        else high = middle;
      }
      return keys.at(low) === char ? low : -1;
    },
  });
}

/** The replacement of each character; null deletes it. */
type CharacterMap = Readonly<Record<string, string | null>>;

/** Replaces each character that is a key of `map` by its value, or removes it where that is null. */
export const translate: StringOp<[map: CharacterMap]> = defineStringOp({
  name: "translate",
  args: { map: "literal" },
  optional: [],
  group: "replace",
  accepts: { map: "names and strings" },
  summary: "The text with characters replaced by a map; null removes a character",
  details: "A key must be one character. Replacements are not searched again.",
  examples: [
    { input: "Œdipe à Colone", args: [{ "Œ": "Oe", "à": "a" }], result: "Oedipe a Colone" },
    { input: "2001-03-14", args: [{ "-": null }], result: "20010314" },
    { input: "abc", args: [{ a: "b", b: "a" }], result: "bac" },
  ],
  check: ({ map }) => problemOf(map),
  choose: ({ map }) => Object.values(map as CharacterMap).every(isCharacter) ? "one" : "any",
  overloads: {
    one: overload({
      kind: "map",
      consts: tablesOf,
      row(out, char, { findKey, chars }) {
        const key = findKey(char);
        out.put(key < 0 ? char : chars.at(key));
      },
    }),
    any: overload({
      kind: "map",
      consts: tablesOf,
      row(out, char, { findKey, putText }) {
        const key = findKey(char);
        if (key < 0) out.put(char);
        else putText(out, key);
      },
    }),
  },
});

function problemOf(map: CallArgs[string]): string | undefined {
  if (typeof map !== "object" || map === null || Array.isArray(map) || "regex" in map) {
    return 'the map must be named values, such as { "é": "e" }';
  }
  for (const [key, value] of Object.entries(map)) {
    if (!isCharacter(key)) return `the key ${JSON.stringify(key)} is not one character`;
    if (typeof value !== "string" && value !== null) {
      return `${JSON.stringify(key)} must become text or null`;
    }
  }
}

/** Whether a text is one character. */
export function isCharacter(text: string | null): boolean {
  return text !== null && text !== "" && text.length === (text.codePointAt(0)! > 0xffff ? 2 : 1);
}

/** Returns the tables of a map: `findKey` returns an index into `chars` and the texts of `putText`. */
function tablesOf({ map }: CallArgs) {
  const entries = Object.entries(map as CharacterMap)
    .map(([key, value]) => ({ key: codePoints(key)[0]!, text: value ?? "" }))
    .sort((a, b) => a.key - b.key);
  return {
    findKey: findKey(Int32Array.from(entries, ({ key }) => key)),
    chars: Int32Array.from(entries, ({ text }) => codePoints(text)[0] ?? 0),
    putText: textWriter(entries.map(({ text }) => text)),
  };
}

/** Creates the helper that writes one of several texts, by its index. */
export function textWriter(texts: readonly string[]) {
  const all = texts.map(codePoints);
  const starts = new Int32Array(all.length + 1);
  all.forEach(({ length }, index) => starts[index + 1] = starts[index]! + length);
  return defineHelper({
    args: ["sink", "i32"],
    consts: { starts, chars: Int32Array.from(all.flat()) },
    row(out, index, { starts, chars }) {
      for (let i = starts.at(index); i < starts.at(index + 1); i++) out.put(chars.at(i));
    },
  });
}

/** Returns the code points of a text. */
export function codePoints(text: string): number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0);
}
