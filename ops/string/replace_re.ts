/**
 * Defines the operation `replaceRe`, which replaces the matches of a regular expression.
 *
 * @module
 */

import { tableTest } from "./character_kinds.ts";
import {
  type CallArgs,
  defineStringOp,
  overload,
  type StringOp,
} from "./define/define_string_op.ts";
import { callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/literal.ts";
import { searchProgram } from "../regex/regex_program.ts";
import {
  compiledOnce,
  groupNumber,
  literalPattern,
  pattern,
  PATTERNS,
  type RegexArg,
  regexOf,
  regexProblem,
} from "./regex_argument.ts";
import { regexSearchConsts } from "./regex_search.ts";
import { replace } from "./replace.ts";
import { codePoints, isCharacter, textWriter } from "./translate.ts";
import type { CharSet } from "../regex/char_set.ts";
import { oneOf, type ParsedRegex } from "../regex/regex_term.ts";

/** Replaces like JavaScript's `replace` with flag `g`; the replacement must be a literal. */
export const replaceRe: StringOp<
  [pattern: RegexArg, replacement: string, flags?: string | null]
> = defineStringOp({
  name: "replaceRe",
  args: { pattern: "literal", replacement: "string", flags: "literal" },
  optional: ["flags"],
  group: "regex",
  accepts: { pattern: "regex", flags: "string" },
  summary: "The text with every match of a pattern replaced",
  details:
    "In the replacement, $1 and $<name> stand for groups, $& for the match and $$ for a dollar; a " +
    `group that did not match is empty. ${PATTERNS}`,
  differs: [
    "JavaScript: a group that does not exist is an error, and so are $` and $'",
    "Polars: an empty match right after another one is replaced too",
  ],
  examples: [
    { input: "First Last", args: [pattern(/(\w+) (\w+)/), "$2, $1"], result: "Last, First" },
    { input: "2001-03-14", args: [pattern(/(?<year>\d+)-\d+/), "$<year>"], result: "2001-14" },
    { input: "abc", args: [pattern(/x*/), "-"], result: "-a-b-c-" },
    { input: "B-52, Å 7", args: [pattern(/[0-9Å]/), "#"], result: "B-##, # #" },
    { input: "naïve 🙂", args: [pattern(/[^a-z]/), ""], result: "nave" },
    { input: "a<b", args: [pattern(/<|>/), "&lt;"], result: "a&lt;b" },
  ],
  check: (args) => regexProblem(() => constsOf(args)),
  expand: (text, args) => {
    const target = literalPattern(args);
    const replacement = plainReplacement(args);
    if (target === null || replacement === null) return undefined;
    return callNode(replace, text, [literalNode(target), literalNode(replacement)]);
  },
  choose: (args) => {
    if (replacedCharacters(args) === null) return "matches";
    return isCharacter(plainReplacement(args) ?? "") ? "character" : "characters";
  },
  overloads: {
    matches: overload({
      kind: "emit",
      args: { replacement: "string" },
      consts: constsOf,
      row(out, text, { replacement, search, registers, following, parts }) {
        let done = 0;
        let from = 0;
        while (from <= text.size && search(text, from)) {
          const start = registers.at(1);
          const stop = registers.at(0);
          out.copy(text.sub(done, start));
          for (let i = 0; i < parts.size; i += 3) {
            const first = parts.at(i + 1);
            const last = parts.at(i + 2);
            if (parts.at(i) === 0) {
              out.copy(replacement.sub(first, last));
            } else if (registers.at(first) >= 0) {
              out.copy(text.sub(registers.at(first), registers.at(last)));
            }
          }
          done = stop;
          from = following(text, start, stop);
        }
        out.copy(text.sub(done, text.size));
      },
    }),
    character: overload({
      kind: "map",
      consts: characterConsts,
      row(out, char, { isReplaced, by }) {
        out.put(isReplaced(char) ? by : char);
      },
    }),
    characters: overload({
      kind: "map",
      consts: characterConsts,
      row(out, char, { isReplaced, put }) {
        if (isReplaced(char)) put(out, 0);
        else out.put(char);
      },
    }),
  },
});

/** The longest replacement that is written character by character rather than copied. */
const MAX_WRITTEN = 10;

/** Returns the characters that a pattern matches one by one, where a short text replaces each; else null. */
function replacedCharacters(args: CallArgs): CharSet | null {
  const replacement = plainReplacement(args);
  if (replacement === null || replacement.length > MAX_WRITTEN) return null;
  return oneOf(regexOf(args).term);
}

/** Returns the characters to replace, and their replacement. */
function characterConsts(args: CallArgs) {
  const text = plainReplacement(args) ?? "";
  return {
    isReplaced: tableTest(Int32Array.from(replacedCharacters(args) ?? [])),
    by: codePoints(text)[0] ?? 0,
    put: textWriter([text]),
  };
}

/** Returns the constants: three numbers for each part, 0, start, stop or 1 and a group's registers. */
function constsOf(args: CallArgs) {
  const { replacement } = args;
  if (typeof replacement !== "string") {
    throw new TypeError("the replacement must be literal text, in which $1 stands for a group");
  }
  const parts = replacementParts(replacement, regexOf(args));
  const groups = [...new Set(parts.flatMap((part) => "group" in part ? [part.group] : []))]
    .filter((group) => group > 0);
  const table = parts.flatMap((part) => {
    if (!("group" in part)) return [0, part.start, part.stop];
    const at = groups.indexOf(part.group);
    return at < 0 ? [1, 1, 0] : [1, 2 + 2 * at, 3 + 2 * at];
  });
  const program = compiledOnce(
    args,
    `replaceRe ${groups}`,
    (regex) => searchProgram(regex, { anchored: false, start: true, groups }),
  );
  return { ...regexSearchConsts(program, "repeatedly"), parts: Int32Array.from(table) };
}

/** A part of a replacement: a byte range of it, or a group. */
type ReplacementPart =
  | { readonly start: number; readonly stop: number }
  | { readonly group: number };

/** `$$`, `$&`, `$1`, `$<name>`, and the unsupported `` $` `` and `$'`. Any other dollar is itself. */
const DOLLAR = /\$(?:\$|&|(\d{1,2})|<([^>]*)>|([`']))/g;

/**
 * Reads a replacement as JavaScript's `replace` does: `$$` is a dollar, `$&` the match, `$1` and
 * `$<name>` groups. Throws a RangeError for a group that the pattern does not have, where JavaScript
 * keeps the text or inserts nothing, and for `` $` `` and `$'`.
 */
function replacementParts(replacement: string, regex: ParsedRegex): ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  const bytesTo = (index: number) => new TextEncoder().encode(replacement.slice(0, index)).length;
  const literal = (start: number, stop: number) => {
    if (start < stop) parts.push({ start: bytesTo(start), stop: bytesTo(stop) });
  };
  let done = 0;
  for (const match of replacement.matchAll(DOLLAR)) {
    const [whole, digits, name, around] = match;
    const { index } = match;
    literal(done, index);
    done = index + whole.length;
    if (whole === "$$") literal(index, index + 1);
    else if (whole === "$&") parts.push({ group: 0 });
    else if (name !== undefined) parts.push({ group: groupNumber(regex, name) });
    else if (digits !== undefined) {
      // Two digits name a group where the pattern has that many; else only the first digit does.
      const used = digits.length === 2 && Number(digits) > regex.groupNames.length
        ? 1
        : digits.length;
      const number = Number(digits.slice(0, used));
      if (number === 0) throw new RangeError("the whole match is $&, not $0");
      parts.push({ group: groupNumber(regex, number) });
      done -= digits.length - used;
    } else {
      throw new RangeError(`$${around} is not supported, and $$ is a dollar`);
    }
  }
  literal(done, replacement.length);
  return parts;
}

/** Returns the text of a replacement that names no groups; else null. */
function plainReplacement(args: CallArgs): string | null {
  const { replacement } = args;
  if (typeof replacement !== "string") return null;
  const parts = replacementParts(replacement, regexOf(args));
  if (parts.some((part) => "group" in part)) return null;
  return replacement.replaceAll("$$", "$");
}
