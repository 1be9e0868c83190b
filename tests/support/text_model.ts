/**
 * The string operations over arrays of code points, written for clarity: an oracle.
 *
 * @module
 */

import type { ExampleValue } from "../../ops/string/example.ts";
import { caseModel } from "./case_model.ts";
import { findModel } from "./find_model.ts";
import { kindModel } from "./kind_model.ts";
import { listModel } from "./list_model.ts";
import { padModel } from "./pad_model.ts";
import { partModel, partsModel } from "./part_model.ts";
import { regexModel } from "./regex_model.ts";
import { rewriteModel } from "./rewrite_model.ts";

type Result = ExampleValue;

/** Each operation on a text and its arguments; null stands for an argument that is left out. */
export const textModel: Readonly<
  // deno-lint-ignore no-explicit-any -- each operation has arguments of its own
  Record<string, (text: string, ...args: any[]) => Result>
> = {
  upper: (text) => [...text].map((char) => char.toUpperCase()).join(""),
  lower: (text) => text.toLowerCase(),
  ...caseModel,
  ...kindModel,
  nfc: (text) => text.normalize("NFC"),
  nfd: (text) => text.normalize("NFD"),
  nfkc: (text) => text.normalize("NFKC"),
  nfkd: (text) => text.normalize("NFKD"),
  estimateTokens(text) {
    const eastAsian = "\\p{Script=Han}\\p{Script=Hira}\\p{Script=Kana}\\p{Script=Hang}";
    const tokens = `[^\\P{L}${eastAsian}]{1,4}|\\p{Nd}{1,3}|[^\\p{White_Space}\\x1c-\\x1f]`;
    return (text.match(new RegExp(tokens, "gu")) ?? []).length;
  },
  length: (text) => [...text].length,
  byteLength: (text) => new TextEncoder().encode(text).length,
  slice,
  ...partModel,
  ...partsModel,
  splitPart(text, delimiter: string, index: number) {
    return delimiter === "" ? null : text.split(delimiter).at(index) ?? null;
  },
  contains: (text, target: string) => text.includes(target),
  startsWith: (text, target: string) => text.startsWith(target),
  endsWith: (text, target: string) => text.endsWith(target),
  ...findModel,
  ...listModel,
  strip: (text, chars: string | null = null) => strip(text, chars, true, true),
  lstrip: (text, chars: string | null = null) => strip(text, chars, true, false),
  rstrip: (text, chars: string | null = null) => strip(text, chars, false, true),
  replace(text, target: string, replacement: string, limit: number | null = null) {
    if (target === "") return text;
    const parts = text.split(target);
    const last = limit === null || limit < 0 ? parts.length - 1 : limit;
    return parts.map((part, i) => i === 0 ? part : (i <= last ? replacement : target) + part)
      .join("");
  },
  ...rewriteModel,
  ...padModel,
  ...regexModel,
};

/** Python's rule, position by position. */
function slice(
  text: string,
  start: number | null = null,
  stop: number | null = null,
  step: number | null = null,
): string {
  const chars = [...text];
  const by = step ?? 1;
  const [least, most] = by > 0 ? [0, chars.length] : [-1, chars.length - 1];
  const place = (position: number | null, absent: number) => {
    if (position === null) return absent;
    const counted = position < 0 ? position + chars.length : position;
    return Math.min(Math.max(counted, least), most);
  };
  const end = place(stop, by > 0 ? most : least);
  let result = "";
  for (let i = place(start, by > 0 ? least : most); by > 0 ? i < end : i > end; i += by) {
    result += chars[i];
  }
  return result;
}

function strip(text: string, chars: string | null, left: boolean, right: boolean): string {
  const goes = (char: string) => chars === null ? isSpace(char) : [...chars].includes(char);
  const kept = [...text];
  while (left && kept.length > 0 && goes(kept[0]!)) kept.shift();
  while (right && kept.length > 0 && goes(kept.at(-1)!)) kept.pop();
  return kept.join("");
}

/** Unicode's white space and the separators U+001C to U+001F, as Python has it. */
function isSpace(char: string): boolean {
  return /\p{White_Space}/u.test(char) || (char >= "\u{1c}" && char <= "\u{1f}");
}
