/**
 * Characters replaced as a map says.
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
 * A helper that finds where in a table of characters, sorted and without doubles, a character
 * stands; -1 where it does not. ASCII characters are looked up, the others are searched for.
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

/**
 * The text with each character that is a key of `map` replaced by the text that stands there, or by
 * nothing where that is null.
 */
export const translate: StringOp<[map: CharacterMap]> = defineStringOp({
  name: "translate",
  args: { map: "literal" },
  optional: [],
  group: "replace",
  accepts: { map: "names and strings" },
  summary: "The text with characters replaced as a map says; null deletes",
  details: "A key must be one character. What was put in is not looked at again.",
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

/** A character of the text becomes what stands at the place where `findKey` finds it. */
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

/** A helper that writes one of some texts, by its index. */
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

/** The code points of a text. */
export function codePoints(text: string): number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0);
}
