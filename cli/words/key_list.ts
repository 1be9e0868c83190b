/**
 * Parses the keys of a join: `a,b=c,upper(d)=e`.
 *
 * @module
 */

import { CommandError } from "../../base/errors/command_error.ts";

/**
 * Splits keys into pairs, and keeps the blanks around them. A key without an equals sign is the same on both
 * sides. `option` and `what` describe the option in errors.
 */
export function splitKeys(
  text: string,
  option = "--on",
  what = "KEY",
): [left: string, right: string][] {
  return splitOutside(text, ",").map((part) => {
    const sides = splitOutside(part, "=");
    const [left = "", right = left] = sides;
    if (sides.length > 2 || left.trim() === "" || right.trim() === "") {
      throw new CommandError(
        `${option} takes ${what} or ${what}=RIGHT${what}, not ${JSON.stringify(part.trim())}`,
      );
    }
    return [left, right];
  });
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const quotes = `"'\``;

/**
 * Splits a text at each separator outside of brackets and quotes. A single equals sign separates; `==`,
 * `!=`, `<=` and `>=` belong to an expression.
 */
function splitOutside(text: string, separator: "," | "="): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const quote = quotes.includes(open.at(-1) ?? "-") ? open.at(-1) : undefined;
    if (quote !== undefined && char === "\\") at++;
    else if (char === open.at(-1)) open.pop();
    else if (quote !== undefined) continue;
    else if (closing[char] !== undefined) open.push(closing[char]);
    else if (quotes.includes(char) && text.includes(char, at + 1)) open.push(char);
    else if (char === separator && open.length === 0 && !isComparison(text, at)) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Whether an equals sign is part of a comparison. */
function isComparison(text: string, at: number): boolean {
  if (text[at] !== "=") return false;
  return text[at + 1] === "=" || /[=!<>]/.test(text[at - 1] ?? "");
}
