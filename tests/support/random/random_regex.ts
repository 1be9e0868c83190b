/** Random supported patterns, and texts that they are likely to match. */

import type { SeededRandom } from "./seeded_random.ts";

const CHARS = [
  "a",
  "b",
  "c",
  "A",
  "B",
  "\n",
  "\r",
  "\u2028",
  "\u2029",
  "é",
  "É",
  "ß",
  "k",
  "K",
  "s",
  "ſ",
  "_",
  "1",
  " ",
];
const CLASSES = ["[ab]", "[^a]", "[a-c]", ".", "\\w", "\\d", "\\W", "[^\\w]", "[A-Za]", "[é-ſ]"];
const LOOKS = ["^", "$", "\\b", "\\B"];
const COUNTS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?", "{1,}", "{0}", "{2,}?"];

/** Which looks and classes mean the same to JavaScript depends on the text. */
interface RegexShape {
  /** Depth of nesting. */
  readonly depth: number;
  /** Whether characters that are not ASCII take part. */
  readonly ascii: boolean;
}

/** A random pattern. */
export function randomRegex(random: SeededRandom, shape: RegexShape): string {
  const options = Array.from({ length: random.chance(0.3) ? 2 + random.below(2) : 1 }, () => {
    const length = random.below(4);
    return Array.from({ length }, () => randomPart(random, shape)).join("");
  });
  return options.join("|");
}

function randomPart(random: SeededRandom, shape: RegexShape): string {
  const { depth } = shape;
  if (random.chance(0.08)) return random.pick(LOOKS);
  let atom = random.chance(0.6) ? randomChar(random, shape) : randomClass(random, shape);
  if (depth > 0 && random.chance(0.5)) {
    const inner = randomRegex(random, { ...shape, depth: depth - 1 });
    atom = random.chance(0.6) ? `(${inner})` : `(?:${inner})`;
  }
  return random.chance(0.45) ? atom + random.pick(COUNTS) : atom;
}

function randomChar(random: SeededRandom, { ascii }: RegexShape): string {
  return random.pick(
    CHARS.slice(0, random.chance(0.8) ? 3 : undefined)
      .filter((char) => !ascii || char < "\x80"),
  );
}

function randomClass(random: SeededRandom, { ascii }: RegexShape): string {
  return random.pick(CLASSES.filter((item) => !ascii || !/[^ -~]/.test(item)));
}

/** A random text of the characters that patterns are made of. */
export function randomSubject(random: SeededRandom, { ascii }: RegexShape): string {
  const length = random.below(12);
  return Array.from({ length }, () => randomChar(random, { depth: 0, ascii })).join("");
}

/** Characters of a text by how many repetitions stand inside of each other. */
const MAX_CHARACTERS = [Infinity, Infinity, 6];
/** Where there are more of them. */
const MIN_CHARACTERS = 4;

/**
 * The text, cut where JavaScript would need minutes or years to judge it: it goes back, and tries
 * every way in which repetitions inside of repetitions can share the characters.
 */
export function judgeable(pattern: string, text: string): string {
  const length = MAX_CHARACTERS[repetitionDepth(pattern)] ?? MIN_CHARACTERS;
  return [...text].slice(0, length).join("");
}

/** How many repetitions stand inside of each other. */
function repetitionDepth(pattern: string): number {
  const atoms = pattern.matchAll(/\[[^\]]*\]|\\.|\(\?:|[(){}*+?|]|[^]/g);
  // The depth of the content of each open group; `last` is the depth of the previous atom.
  const open: number[] = [0];
  let last = 0;
  for (const [atom] of atoms) {
    if (atom.startsWith("(")) open.push(0);
    else if (atom === ")") last = open.pop() ?? 0;
    else if (atom === "*" || atom === "+" || atom === "{") last += 1;
    else if (!/^[\d,?}]$/.test(atom)) last = 0;
    open[open.length - 1] = Math.max(open.at(-1) ?? 0, last);
  }
  return open[0] ?? 0;
}
