/** Lines and their ends: the results of JavaScript's RegExp for each operation on patterns. */

import { col, type Expr } from "../../../ops/expr/expr.ts";

const CHARS = ["a", "b", "\r", "\n", "\u2028", "\u2029", "\u0085"];

/** Every text of up to three of these characters, and some with lines that end in two of them. */
export const LINE_TEXTS: readonly string[] = [
  "",
  ...CHARS,
  ...CHARS.flatMap((one) => CHARS.map((two) => one + two)),
  ...CHARS.flatMap((one) => CHARS.flatMap((two) => CHARS.map((three) => one + two + three))),
  ...["a\r\nb", "\r\na", "a\r\n", "a\r\n\r\nb", "ab\r\nab\nab\rab\u2028ab\u2029ab", "\r\n\n\r"],
];

/** Patterns about lines; the first few have all of it. */
export const LINE_PATTERNS: readonly string[] = [
  ...["^.*$", "^", "$", "a$|^b", ".+", "(?:\\n|^)b", "(?m:^)a|(?s:.)b$", "\\r?$", "$\\B"],
];

/** A call, and JavaScript's result for a text. */
interface LineCall {
  /** The call on the column `text`. */
  readonly expr: Expr;
  /** Its result for a text. */
  readonly wanted: (text: string) => string | number | boolean | string[] | null;
}

/** A call of each operation that takes a pattern. */
export function lineCalls(pattern: string, flags: string): LineCall[] {
  const text = col("text");
  const first = new RegExp(pattern, flags);
  const all = new RegExp(pattern, `${flags}g`);
  const atStart = new RegExp(pattern, `${flags}y`);
  return [
    { expr: text.containsRe(first), wanted: (text) => first.test(text) },
    {
      expr: text.matches(first),
      wanted: (text) => {
        atStart.lastIndex = 0;
        return atStart.test(text);
      },
    },
    { expr: text.findRe(first), wanted: (text) => text.search(first) },
    { expr: text.countRe(first), wanted: (text) => [...text.matchAll(all)].length },
    { expr: text.extract(first), wanted: (text) => first.exec(text)?.[0] ?? null },
    { expr: text.findAll(first), wanted: (text) => [...text.matchAll(all)].map(([all]) => all) },
    {
      expr: text.splitRe(first),
      // An empty text has one part, in contrast to JavaScript.
      wanted: (text) => text === "" ? [""] : text.split(first),
    },
    { expr: text.replaceRe(first, "<$&>"), wanted: (text) => text.replace(all, "<$&>") },
    { expr: text.replaceRe(first, "-"), wanted: (text) => text.replace(all, "-") },
    { expr: text.redact(first), wanted: (text) => text.replace(all, "X") },
  ];
}
