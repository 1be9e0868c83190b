import type { SeededRandom } from "../random/seeded_random.ts";
import { randomRegex } from "../random/random_regex.ts";

type Result = string | number | boolean | null | readonly string[];

/** Patterns that mean the same to JavaScript with flag u, in which characters are code points. */
const PATTERNS = [
  "[a-c]+",
  "(a|b)*c|-",
  "^.",
  ".$",
  "(?m:^a|b$)",
  "[^a]",
  "x*",
  "é|🙂",
  "(.)(.)?",
  "[é-🙂]{2,}?",
  "(?<n>[A-Z])?a",
  "\\p{L}+",
];

/** Random arguments of the operations on patterns. */
export const REGEX_ARGUMENTS: Readonly<
  Record<string, (random: SeededRandom) => readonly (string | number | null)[]>
> = {
  matches: (random) => [randomPattern(random), "u"],
  containsRe: (random) => [randomPattern(random), "u"],
  countRe: (random) => [randomPattern(random), "u"],
  findAll: (random) => [randomPattern(random), "u"],
  splitRe: (random) => [randomPattern(random), "u"],
  findRe: (random) => [randomPattern(random), "u"],
  extract: (random) => [randomPattern(random), random.pick([null, 0]), "u"],
  replaceRe: (random) => [randomPattern(random), random.pick(["", "<$&>", "$$é"]), "u"],
  redact: (random) => [randomPattern(random), random.pick([null, "", "é$&"]), "u"],
};

function randomPattern(random: SeededRandom): string {
  if (random.chance(0.6)) return random.pick(PATTERNS);
  return randomRegex(random, { depth: 1, ascii: false }).replaceAll(/\\[wWdDbB]/g, "b");
}

/** The results of JavaScript's own regular expressions. */
export const regexModel: Readonly<
  // deno-lint-ignore no-explicit-any -- each operation has arguments of its own
  Record<string, (text: string, ...args: any[]) => Result>
> = {
  matches: (text, pattern: string) => new RegExp(`^(?:${pattern})`, "u").test(text),
  containsRe: (text, pattern: string) => new RegExp(pattern, "u").test(text),
  countRe: (text, pattern: string) => [...text.matchAll(new RegExp(pattern, "gu"))].length,
  findAll: (text, pattern: string) => text.match(new RegExp(pattern, "gu")) ?? [],
  splitRe(text, pattern: string) {
    // JavaScript returns the groups as parts, too, and for an empty text sometimes none.
    const plain = pattern.replaceAll(/\((?!\?)|\(\?<\w+>/g, "(?:");
    return text === "" ? [""] : text.split(new RegExp(plain, "u"));
  },
  findRe(text, pattern: string) {
    const match = new RegExp(pattern, "u").exec(text);
    return match === null ? -1 : [...text.slice(0, match.index)].length;
  },
  extract(text, pattern: string, group: number | null) {
    const match = new RegExp(pattern, "u").exec(text);
    return match?.[group ?? Math.min(1, match.length - 1)] ?? null;
  },
  replaceRe: (text, pattern: string, replacement: string) =>
    text.replace(new RegExp(pattern, "gu"), replacement),
  redact: (text, pattern: string, replacement: string | null) =>
    text.replace(new RegExp(pattern, "gu"), () => replacement ?? "X"),
};
