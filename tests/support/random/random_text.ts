/** Random texts, and random arguments for the string operations. */

import { REGEX_ARGUMENTS } from "../models/regex_model.ts";
import type { LiteralData } from "../../../ops/syntax/literal.ts";
import type { SeededRandom } from "./seeded_random.ts";

/** An argument of a string operation; null where it is left out. */
export type Argument = LiteralData;

/** The characters of the samples: of one to four bytes, white space, and what changes its case. */
const ALPHABET = [..."aaabbA12あ Zz-- \t5²½三ǅ\n\u{85}éÉß\u{301}ﬁıİΣ中中\u{2003}🙂🙂𐐨𐐀"];
const POSITIONS = [0, 0, 1, 1, 2, 3, 5, 9, -1, -2, -3, -9, 0x7fffffff, -0x80000000];
const STEPS = [null, 1, 2, 3, 7, 0x7fffffff, -1, -2, -3, -0x80000000];
const WIDTHS = [0, 1, 2, 3, 4, 5, 8, 9, 20, 45, -1, -0x80000000];
/** Texts at the edges of what the operations do. */
export const TEXTS = [
  ...["", " ", "a", "é", "🙂", "aaa", "a-b-c", "-", "--", "  a  ", "\t中\u{2003}"],
  ...["+", "+7", "-7é", "+-1"],
];

/** Random arguments of each operation that takes some. */
export const ARGUMENTS: Readonly<Record<string, (random: SeededRandom) => readonly Argument[]>> = {
  ...REGEX_ARGUMENTS,
  slice: (random) => {
    const position = () => random.chance(0.2) ? null : random.pick(POSITIONS);
    return [position(), position(), random.pick(STEPS)];
  },
  at: (random) => [random.pick(["a", "a.b", "[0]", "é[-1].a"])],
  splitPart: (random) => [randomText(random, 2), random.pick([0, 1, 2, 3, -1, -2, -3, 100, -100])],
  split: splitArguments,
  rsplit: splitArguments,
  ngrams: (random) => [random.pick([1, 2, 3, 5, 0x7fffffff])],
  minhash: (random) => [
    random.pick([1, 2, 5]),
    random.pick([null, 1, 2, 3, 7]),
    random.pick([null, 1, 0x7fffffff, 0xffffffff]),
  ],
  partition: (random) => [randomText(random, 2)],
  rpartition: (random) => [randomText(random, 2)],
  join: (random) => [randomText(random, 2), random.chance(0.5) ? null : randomText(random, 2)],
  contains: (random) => [randomText(random, 2)],
  startsWith: (random) => [randomText(random, 2)],
  endsWith: (random) => [randomText(random, 2)],
  find: (random) => [randomText(random, 2), random.chance(0.5) ? null : random.pick(POSITIONS)],
  rfind: (random) => [randomText(random, 2)],
  count: (random) => [randomText(random, 2)],
  like: (random) => [
    [...randomText(random, 6)].map((char) => random.chance(0.4) ? random.pick(["%", "_"]) : char)
      .join(""),
    random.pick([null, null, "a", "-", "%", "_", "é", "🙂"]),
  ],
  left: (random) => [random.pick(POSITIONS)],
  right: (random) => [random.pick(POSITIONS)],
  get: (random) => [random.pick(POSITIONS)],
  removePrefix: (random) => [randomText(random, 2)],
  removeSuffix: (random) => [randomText(random, 2)],
  replaceMany: (random) => {
    const targets = Array.from({ length: random.below(6) }, () => randomText(random, 3) || "a");
    const replacement = () => randomText(random, 2);
    return [targets, random.chance(0.2) ? replacement() : targets.map(replacement)];
  },
  translate: (random) => {
    const most = random.pick([1, 3]);
    const value = () => random.chance(0.2) && most > 1 ? null : randomText(random, most) || "-";
    return [Object.fromEntries([...randomText(random, 6)].map((char) => [char, value()]))];
  },
  filterCharacters: (random) => {
    const set = random.pick(["a-z", "A-Z-", "a-", "b", " a-zé-🙂", "中🙂", "0-9 -~", "\u0000-é"]);
    const kinds = ["letter", "mark", "digit", "number", "punctuation", "symbol", "space"];
    const list = Array.from({ length: random.below(3) }, () => random.pick([...kinds, set]));
    return [random.chance(0.5) ? set : list, random.pick([null, true, false])];
  },
  replaceSlice: (random) => {
    const position = () => random.chance(0.2) ? null : random.pick(POSITIONS);
    return [randomText(random, 3), position(), position()];
  },
  wrap: (random) => [random.pick([1, 2, 3, 4, 5, 100, 0x7fffffff])],
  pad: (random) => [
    random.pick(WIDTHS),
    random.pick([null, "left", "right", "both"]),
    random.pick([null, "*", "é", "🙂"]),
  ],
  zfill: (random) => [random.pick(WIDTHS)],
  repeat: (random) => [random.pick([0, 1, 2, 3, 7, 40, -1, -0x80000000])],
  strip: (random) => [random.chance(0.3) ? null : randomText(random, 4)],
  lstrip: (random) => [random.chance(0.3) ? null : randomText(random, 4)],
  rstrip: (random) => [random.chance(0.3) ? null : randomText(random, 4)],
  replace: (random) => [
    randomText(random, 2),
    randomText(random, 3),
    random.chance(0.4) ? null : random.pick([0, 1, 2, -1, 100]),
  ],
};

function splitArguments(random: SeededRandom): readonly Argument[] {
  const delimiter = random.pick([null, null, "a", "aa", "-", " ", "é", randomText(random, 2)]);
  return [delimiter, random.pick([null, null, 0, 1, 2, -1, 100])];
}

/** A text of at most a number of characters. */
export function randomText(random: SeededRandom, most: number): string {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(ALPHABET)).join("");
}

/** Texts with nulls among them, half of them plain ASCII so that both variants run. */
export function randomTexts(random: SeededRandom, count: number): (string | null)[] {
  const isAscii = random.chance(0.5);
  return Array.from({ length: count }, () => {
    if (random.chance(0.1)) return null;
    const text = random.chance(0.2) ? random.pick(TEXTS) : randomText(random, 9);
    return isAscii ? text.replace(/[^\0-\x7f]/gu, "b") : text;
  });
}
