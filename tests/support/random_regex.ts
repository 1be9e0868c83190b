/**
 * Random patterns of what is supported, and texts that they are likely to match.
 *
 * @module
 */

import type { SeededRandom } from "./seeded_random.ts";

const CHARS = ["a", "b", "c", "A", "B", "\n", "é", "É", "ß", "k", "K", "s", "ſ", "_", "1", " "];
const CLASSES = ["[ab]", "[^a]", "[a-c]", ".", "\\w", "\\d", "\\W", "[^\\w]", "[A-Za]", "[é-ſ]"];
const LOOKS = ["^", "$", "\\b", "\\B"];
const COUNTS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?", "{1,}", "{0}", "{2,}?"];

/** Which looks and classes mean the same to JavaScript depends on the text. */
export interface RegexShape {
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
