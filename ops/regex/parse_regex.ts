/**
 * Parses a regular expression into terms, with flags and escapes resolved.
 *
 * @module
 */

import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { type ParsedRegex, regexError, type RegexTerm } from "./regex_term.ts";
import { type SetFlags, setOfNode, wordSet } from "./regex_sets.ts";

/** The flags in force while a part is read; `(?i:...)` changes them. */
interface Flags extends SetFlags {
  readonly multiline: boolean;
}

interface Reading {
  readonly pattern: string;
  /** Every capturing group, in the order of its opening parenthesis. */
  readonly groups: readonly AST.CapturingGroup[];
}

/** The largest bound of a repetition. */
const MAX_COUNT = 999;

const WHY_FLAG: Readonly<Record<string, string>> = {
  g: "the operation decides itself whether it takes one match or all",
  y: "matches() is what matches from the start of the text",
  d: "findRe() gives positions",
  v: "its classes are not supported, u is",
};

/**
 * Parses a pattern in JavaScript's syntax. Without flag `u` the grammar is the lenient one of
 * browsers, unless the pattern has a character beyond U+FFFF. Characters are always code points.
 *
 * Throws a RangeError with the position and the reason for an invalid pattern, for a pattern that no
 * automaton can match (backreferences, lookaround), and for flags other than i, m, s and u.
 */
export function parseRegex(pattern: string, flagText: string = ""): ParsedRegex {
  const flags = readFlags(pattern, flagText);
  const root = readSyntax(pattern, flags.unicode);
  const groups: AST.CapturingGroup[] = [];
  collectGroups(root, groups);
  const term = readChoice({ pattern, groups }, root.alternatives, flags);
  return {
    pattern,
    term,
    groupNames: groups.map(({ name }) => name),
    words: wordSet(flags),
  };
}

function readFlags(pattern: string, text: string): Flags {
  for (const [index, flag] of [...text].entries()) {
    const why = WHY_FLAG[flag] ?? "i, m, s and u are the flags that there are";
    if (!"imsu".includes(flag)) {
      throw new RangeError(`the pattern /${pattern}/ cannot have flag ${flag}: ${why}`);
    }
    if (text.indexOf(flag) !== index) {
      throw new RangeError(`the pattern /${pattern}/ has flag ${flag} twice`);
    }
  }
  return {
    ignoreCase: text.includes("i"),
    multiline: text.includes("m"),
    dotAll: text.includes("s"),
    unicode: text.includes("u"),
  };
}

function readSyntax(pattern: string, isUnicode: boolean): AST.Pattern {
  const hasPairs = /[\ud800-\udfff]|\\u[dD][89a-fA-F]/.test(pattern);
  const property = isUnicode ? -1 : pattern.search(/(?<=(?:^|[^\\])(?:\\\\)*)\\[pP]\{/);
  if (property >= 0) throw regexError(pattern, property, "a property such as \\p{L} needs flag u");
  try {
    return new RegExpParser().parsePattern(pattern, 0, pattern.length, isUnicode || hasPairs);
  } catch (error) {
    if (!(error instanceof SyntaxError) || !("index" in error)) throw error;
    const reason = error.message.slice(error.message.lastIndexOf(": ") + 2);
    throw regexError(
      pattern,
      Number(error.index),
      reason.charAt(0).toLowerCase() + reason.slice(1),
    );
  }
}

function collectGroups(node: AST.Node, into: AST.CapturingGroup[]): void {
  if (node.type === "CapturingGroup") into.push(node);
  if ("alternatives" in node) {
    for (const alternative of node.alternatives) collectGroups(alternative, into);
  }
  if (node.type === "Alternative") { for (const part of node.elements) collectGroups(part, into); }
  if (node.type === "Quantifier") collectGroups(node.element, into);
}

function readChoice(
  reading: Reading,
  alternatives: readonly AST.Alternative[],
  flags: Flags,
): RegexTerm {
  const options = alternatives.map(({ elements }): RegexTerm => {
    const parts = elements.map((element) => readElement(reading, element, flags));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { term: "sequence", parts };
  });
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { term: "choice", options };
}

function readElement(reading: Reading, node: AST.Element, flags: Flags): RegexTerm {
  const refuse = (reason: string) => regexError(reading.pattern, node.start, reason);
  switch (node.type) {
    case "Character":
    case "CharacterSet":
    case "CharacterClass":
      return { term: "set", set: setOfNode(node, flags) };
    case "Group":
      return readChoice(reading, node.alternatives, modified(flags, node.modifiers));
    case "CapturingGroup": {
      const group = reading.groups.indexOf(node) + 1;
      return { term: "group", group, body: readChoice(reading, node.alternatives, flags) };
    }
    case "Quantifier":
      return readRepeat(reading, node, flags);
    case "Assertion":
      if (node.kind === "start") {
        return { term: "look", look: flags.multiline ? "lineStart" : "textStart" };
      }
      if (node.kind === "end") {
        return { term: "look", look: flags.multiline ? "lineEnd" : "textEnd" };
      }
      if (node.kind === "word") {
        return { term: "look", look: node.negate ? "noWordBoundary" : "wordBoundary" };
      }
      throw refuse(`a ${node.kind} cannot be matched by an automaton that reads the text once`);
    case "Backreference":
      throw refuse("a backreference cannot be matched in linear time");
    case "ExpressionCharacterClass":
      throw refuse("classes of flag v are not supported");
  }
}

function readRepeat(reading: Reading, node: AST.Quantifier, flags: Flags): RegexTerm {
  const { min, max, greedy, element } = node;
  const count = max === Infinity ? min : max;
  if (count > MAX_COUNT) {
    throw regexError(
      reading.pattern,
      node.element.end,
      `a repetition may have a count of up to ${MAX_COUNT}, not ${count}`,
    );
  }
  const body = readElement(reading, element, flags);
  const inside: AST.CapturingGroup[] = [];
  collectGroups(element, inside);
  const groups = inside.map((group) => reading.groups.indexOf(group) + 1);
  return { term: "repeat", body, min, max, greedy, groups };
}

function modified(flags: Flags, modifiers: AST.Modifiers | null): Flags {
  if (modifiers === null) return flags;
  const { add, remove } = modifiers;
  const changed = (name: "ignoreCase" | "multiline" | "dotAll") =>
    add[name] || (flags[name] && !(remove?.[name] ?? false));
  return {
    ...flags,
    ignoreCase: changed("ignoreCase"),
    multiline: changed("multiline"),
    dotAll: changed("dotAll"),
  };
}
