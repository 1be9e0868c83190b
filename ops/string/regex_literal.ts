import type { CallArgs } from "./define_string_op.ts";
import { literalOf } from "../regex/regex_term.ts";
import { regexOf } from "./regex_argument.ts";

/**
 * The text that a pattern stands for, where it matches nothing else and is not empty; null for other
 * patterns. Operations on plain text are faster.
 */
export function literalPattern(args: CallArgs): string | null {
  const chars = literalOf(regexOf(args).term);
  return chars === null || chars.length === 0 ? null : String.fromCodePoint(...chars);
}
