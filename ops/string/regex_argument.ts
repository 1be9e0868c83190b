/**
 * The pattern that an operation of regular expressions is given.
 *
 * @module
 */

import { LruCache } from "../../base/lru_cache.ts";
import { parseRegex } from "../regex/parse_regex.ts";
import { literalOf, type ParsedRegex } from "../regex/regex_term.ts";
import { callNode } from "../syntax/call_node.ts";
import { isRegexData, literalNode, type RegexData } from "../syntax/literal.ts";
import type { CallArgs, StringOp, StringOpSpecBase } from "./define/define_string_op.ts";

/** A pattern: a regular expression, or its source as text. */
export type RegexArg = string | RegExp;

/** An operation that takes a pattern and its flags. */
export type PatternOp = StringOp<[pattern: RegexArg, flags?: string | null]>;

/** A pattern as examples have it: a call may write it between slashes. */
export function pattern({ source, flags }: RegExp): RegexData {
  return { regex: source, flags };
}

/** The sentence about patterns in the details of most operations; `containsRe` says more. */
export const PATTERNS = "Patterns are as in containsRe.";

/** The definition of arguments that are a pattern and its flags. */
export const PATTERN = {
  group: "regex",
  args: { pattern: "literal", flags: "literal" },
  accepts: { pattern: "regex", flags: "string" },
} as const;

/** Parsed patterns and their programs: a call asks for them several times. */
const kept = new LruCache<unknown>(64);

/** The pattern of a call; throws a RangeError or TypeError that says what is wrong with it. */
export function regexOf({ pattern, flags }: CallArgs): ParsedRegex {
  if (isRegexData(pattern)) {
    if (flags !== undefined && flags !== "") {
      throw new TypeError("the flags are given twice, behind the pattern and beside it");
    }
    return once(
      `${pattern.flags}/${pattern.regex}`,
      () => parseRegex(pattern.regex, pattern.flags),
    );
  }
  if (typeof pattern !== "string") throw new TypeError("the pattern must be text or /.../");
  if (flags !== undefined && typeof flags !== "string") {
    throw new TypeError("the flags must be text");
  }
  if (pattern.includes("\b")) {
    throw new RangeError(
      'the pattern has a backspace, which \\b is in quoted text; it is written /\\b/, or "\\\\b"',
    );
  }
  return once(`${flags ?? ""}/${pattern}`, () => parseRegex(pattern, flags));
}

/** Returns the value that is compiled for a pattern under a name, made once. */
export function compiledOnce<T>(
  args: CallArgs,
  name: string,
  compile: (regex: ParsedRegex) => T,
): T {
  // Refuses what is no pattern, such as 3n, before JSON does.
  const regex = regexOf(args);
  const key = JSON.stringify([name, args.pattern, args.flags]);
  return once(key, () => compile(regex));
}

/** The message of the error that compiling a call's pattern raises, if it does. */
export function regexProblem(compile: () => unknown): string | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return error.message;
    throw error;
  }
}

function once<T>(key: string, make: () => T): T {
  return kept.get(key, make) as T;
}

/**
 * The text that a pattern stands for, where it matches nothing else and is not empty; null for other
 * patterns. Operations on plain text are faster.
 */
export function literalPattern(args: CallArgs): string | null {
  const chars = literalOf(regexOf(args).term);
  return chars === null || chars.length === 0 ? null : String.fromCodePoint(...chars);
}

/** Has `op`, which takes plain text and is faster, compute a call whose pattern is plain text. */
export function forPlainText(op: StringOp): NonNullable<StringOpSpecBase["expand"]> {
  return (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(op, text, [literalNode(literal)]);
  };
}

/**
 * The number of a group of a pattern by its number, 0 for the whole match, or by its name. Throws a
 * RangeError for one that the pattern does not have, and a TypeError for what is neither.
 */
export function groupNumber({ pattern, groupNames }: ParsedRegex, group: unknown): number {
  if (typeof group === "string") {
    const index = groupNames.indexOf(group);
    if (index < 0) throw new RangeError(`the pattern /${pattern}/ has no group ${group}`);
    if (groupNames.indexOf(group, index + 1) >= 0) {
      throw new RangeError(`the pattern /${pattern}/ has the group ${group} twice; use its number`);
    }
    return index + 1;
  }
  const number = typeof group === "bigint" ? Number(group) : group;
  if (typeof number !== "number" || !Number.isInteger(number)) {
    throw new TypeError("the group must be a whole number or a name");
  }
  if (number >= 0 && number <= groupNames.length) return number;
  const count = groupNames.length === 1 ? "1 group" : `${groupNames.length} groups`;
  throw new RangeError(`the pattern /${pattern}/ has ${count}, there is no group ${number}`);
}
