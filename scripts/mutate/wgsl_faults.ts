/**
 * Finds the faults that can be planted in a hand-written WGSL kernel.
 *
 * @module
 */

import type { Fault } from "./fault.ts";

/** The replacement of each operator. Operators have blanks around them; the `<` of a type has none. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==" },
  ...{ "+": "-", "-": "+", "*": "+", "/": "*", "%": "+", "&&": "||", "||": "&&" },
  ...{ "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|", "+=": "-=", "|=": "&=" },
};

/** Returns all faults of a kernel: operators, bounds, constants and statements. */
export function wgslFaults(path: string, text: string): Fault[] {
  // Blanks of the same length keep all positions.
  const code = text.replace(/\/\/.*$/gm, (comment) => " ".repeat(comment.length))
    .replace(
      /^\s*(@group|struct|@compute|enable|const|override|alias).*$/gm,
      (line) => " ".repeat(line.length),
    );
  const faults: Fault[] = [];
  for (const { index, 0: operator } of code.matchAll(/(?<= )[-<>=!+*/%&|^]{1,2}(?= )/g)) {
    const planted = OPERATORS[operator];
    if (planted === undefined) continue;
    faults.push({ path, kind: "operator", start: index, stop: index + operator.length, planted });
  }
  for (
    const { index, 0: number, 1: digits, 2: suffix } of code.matchAll(
      /(?<![\w.])(\d+)(u?)(?![\w.])/g,
    )
  ) {
    const kind = /[<>+-]=? $/.test(code.slice(0, index)) ? "bound" : "constant";
    const planted = `${Number(digits) + 1}${suffix}`;
    faults.push({ path, kind, start: index, stop: index + number.length, planted });
  }
  for (
    const { index, 0: line } of code.matchAll(
      /(?<=^ +)(?! |let |var |return\b|\})[\w[\].(), ]+(=[^;{}]*|\([^;{}]*\));(?=$)/gm,
    )
  ) {
    faults.push({ path, kind: "statement", start: index, stop: index + line.length, planted: ";" });
  }
  return faults;
}
