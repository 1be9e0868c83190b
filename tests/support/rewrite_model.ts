/**
 * What the operations that write text anew give, over arrays of code points.
 *
 * @module
 */

import { isSpace } from "./list_model.ts";

/** Each of them on a text and its arguments; null stands for an argument that is left out. */
export const rewriteModel = {
  replaceSlice(
    text: string,
    replacement: string,
    start: number | null = null,
    stop: number | null = null,
  ): string {
    const chars = [...text];
    const place = (at: number) => Math.min(Math.max(at < 0 ? chars.length + at : at, 0), 2 ** 31);
    const from = place(start ?? 0);
    const to = Math.max(from, place(stop ?? chars.length));
    return [...chars.slice(0, from), replacement, ...chars.slice(to)].join("");
  },
  replaceMany(
    text: string,
    targets: readonly string[],
    replacements: string | readonly string[],
  ): string {
    let result = "";
    for (let at = 0; at < text.length;) {
      const index = targets.findIndex((target) => text.startsWith(target, at));
      const char = String.fromCodePoint(text.codePointAt(at)!);
      const to = typeof replacements === "string" ? replacements : replacements[index];
      result += index < 0 ? char : to;
      at += (targets[index] ?? char).length;
    }
    return result;
  },
  translate(text: string, map: Readonly<Record<string, string | null>>): string {
    return [...text].map((char) => Object.hasOwn(map, char) ? map[char] ?? "" : char).join("");
  },
  filterCharacters(text: string, set: string | string[], keep: boolean | null = null): string {
    const classes = [set].flat().map((item) => CLASSES[item] ?? classOf(item));
    const isIn = new RegExp(`^(${classes.join("|")})$`, "u");
    return [...text].filter((char) => isIn.test(char) === (keep ?? true)).join("");
  },
  collapseSpace: (text: string): string =>
    [...text].map((char) => isSpace(char) ? " " : char).join("").split(" ")
      .filter((word) => word !== "").join(" "),
  reverse: (text: string): string => [...text].reverse().join(""),
  wrap(text: string, width: number): string {
    return text.split("\n").flatMap((line) => linesOf([...line], width)).join("\n");
  },
};

const CLASSES: Readonly<Record<string, string>> = {
  letter: "\\p{L}",
  mark: "\\p{M}",
  digit: "\\p{Nd}",
  number: "\\p{N}|三",
  punctuation: "\\p{P}",
  symbol: "\\p{S}",
  space: "\\p{White_Space}|[\\x1c-\\x1f]",
};

/** A set as a class of a regular expression. */
function classOf(set: string): string {
  const escaped = (char: string) => `\\u{${char.codePointAt(0)!.toString(16)}}`;
  const source = set.replace(/[^]/gu, (char) => char === "-" ? "-" : escaped(char));
  return `[${source.replace(/^-/u, "\\-")}]`;
}

/** The last blank that leaves at most `width` characters before it goes, else the first one. */
function linesOf(chars: string[], width: number): string[] {
  if (chars.length <= width) return [chars.join("")];
  const last = chars.lastIndexOf(" ", Math.max(width, 0));
  const at = last < 0 ? chars.indexOf(" ") : last;
  if (at < 0) return [chars.join("")];
  return [chars.slice(0, at).join(""), ...linesOf(chars.slice(at + 1), width)];
}
