/**
 * The row function that tells whether a text holds a match: `matches` and `containsRe` differ in
 * their tables only.
 *
 * @module
 */

import type { Table, View } from "../../gpu/kernel/row_function.ts";
import type { RowConsts } from "../define_string_op.ts";
import type { TestProgram } from "../regex/regex_program.ts";
import { classHelper, type ClassOf } from "./regex_class.ts";

/** What the row function reads. */
export interface RegexTestConsts {
  readonly start: number;
  readonly end: number;
  readonly next: Table;
  readonly classOf: ClassOf;
}

/** The constants of a program. */
export function regexTestConsts(program: TestProgram): RowConsts {
  const { start, end, next } = program;
  return { start, end, next, classOf: classHelper(program) };
}

/** Whether the tables find a match; a negative state is an outcome, -2 that there is one. */
export function regexTestRow(text: View, c: RegexTestConsts): boolean {
  if (c.start < 0) return c.start === -2;
  let state = c.start;
  for (let at = 0; at < text.size; at = text.next(at)) {
    state = c.next.at(state + c.classOf(text.charAt(at)));
    if (state < 0) return state === -2;
  }
  return c.next.at(state + c.end) === -2;
}
