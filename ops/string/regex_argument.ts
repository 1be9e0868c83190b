/**
 * The pattern argument of the operations on regular expressions.
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

/** Returns a pattern as the examples of operations hold it. */
export function pattern({ source, flags }: RegExp): RegexData {
  return { regex: source, flags };
}

/** The sentence about patterns in the details of most operations; `containsRe` has the whole text. */
export const PATTERNS = "Patterns are as in containsRe.";

/** The part of a definition that declares a pattern and its flags. */
export const PATTERN = {
  group: "regex",
  args: { pattern: "literal", flags: "literal" },
  accepts: { pattern: "regex", flags: "string" },
} as const;

/** A cache of parsed patterns and their programs, since a call asks for them several times. */
const kept = new LruCache<unknown>(64);

/** Returns the parsed pattern of a call; throws a RangeError or TypeError for an invalid one. */
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

/** Returns the value compiled under a name for the pattern of a call; it is compiled once. */
export function compiledOnce<T>(
  args: CallArgs,
  name: string,
  compile: (regex: ParsedRegex) => T,
): T {
  // Refuses values that are not patterns, such as 3n, before JSON.stringify does.
  const regex = regexOf(args);
  const key = JSON.stringify([name, args.pattern, args.flags]);
  return once(key, () => compile(regex));
}

/** Returns the message of the error from compiling the pattern of a call; undefined without one. */
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
 * Returns the one text that a pattern matches, where it is not empty; null for other patterns.
 * Operations on plain text are faster.
 */
export function literalPattern(args: CallArgs): string | null {
  const chars = literalOf(regexOf(args).term);
  return chars === null || chars.length === 0 ? null : String.fromCodePoint(...chars);
}

/** Returns an `expand` that rewrites a call with a plain-text pattern to `op`, which is faster. */
export function forPlainText(op: StringOp): NonNullable<StringOpSpecBase["expand"]> {
  return (text, args) => {
    const literal = literalPattern(args);
    return literal === null ? undefined : callNode(op, text, [literalNode(literal)]);
  };
}

/**
 * Returns the number of a group, given its number, 0 for the whole match, or its name. Throws a
 * RangeError for a group that the pattern does not have, and a TypeError for any other value.
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
