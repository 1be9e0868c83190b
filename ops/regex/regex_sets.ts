import type { AST } from "@eslint-community/regexpp";
import { foldedSet } from "./case_fold.ts";
import { type CharSet, complementOf, setOfRanges, unionOf } from "./char_set.ts";
import { platformSet } from "./platform_set.ts";

/** The flags that decide what a set holds. */
export interface SetFlags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly unicode: boolean;
}

/** What takes part in a class or stands for one. */
type SetNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

const ASCII_WORD = setOfRanges([[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]);
const LINE_ENDS = setOfRanges([[0x0a, 0x0a], [0x0d, 0x0d], [0x2028, 0x2029]]);

/** The classes of flag `u`: Unicode's own (UTS 18, annex C), which differs from JavaScript's. */
const UNICODE = {
  digit: "\\p{Nd}",
  space: "\\p{White_Space}",
  word: "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]",
} as const;

const ASCII = {
  digit: setOfRanges([[0x30, 0x39]]),
  space: setOfRanges([[0x09, 0x0d], [0x20, 0x20]]),
  word: ASCII_WORD,
} as const;

/** The code points that a node matches, those of equal case included under flag `i`. */
export function setOfNode(node: SetNode, flags: SetFlags): CharSet {
  const set = plainSet(node, flags);
  const folded = flags.ignoreCase ? foldedSet(set, flags.unicode) : set;
  return node.type === "CharacterClass" && node.negate ? complementOf(folded) : folded;
}

/** The characters of words. */
export function wordSet({ unicode }: SetFlags): CharSet {
  return unicode ? platformSet(UNICODE.word) : ASCII_WORD;
}

/** What a node names, before case is looked at; a class without its negation. */
function plainSet(node: SetNode | AST.ClassRangesCharacterClassElement, flags: SetFlags): CharSet {
  switch (node.type) {
    case "Character":
      return [node.value, node.value + 1];
    case "CharacterClassRange":
      return [node.min.value, node.max.value + 1];
    case "CharacterClass":
      return unionOf((node.elements as AST.ClassRangesCharacterClassElement[])
        .map((element) => plainSet(element, flags)));
    case "CharacterSet":
      return namedSet(node, flags);
  }
}

function namedSet(node: AST.CharacterSet, flags: SetFlags): CharSet {
  switch (node.kind) {
    case "any":
      return flags.dotAll ? complementOf([]) : complementOf(LINE_ENDS);
    case "property":
      return platformSet(node.raw);
    default: {
      const set = flags.unicode ? platformSet(UNICODE[node.kind]) : ASCII[node.kind];
      if (!node.negate) return set;
      return complementOf(flags.ignoreCase ? foldedSet(set, flags.unicode) : set);
    }
  }
}
