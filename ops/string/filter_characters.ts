/**
 * Defines `filterCharacters`, and reads sets of characters. A set is text such as `a-z0-9_`, or a
 * list of such texts and of kinds.
 *
 * @module
 */

import { didYouMean, nearestName } from "../../base/nearest_name.ts";
import { tableTest } from "./character_kinds.ts";
import { type CallArgs, defineStringOp, type StringOp } from "./define/define_string_op.ts";
import { ALPHA, DECIMAL, MARK, NUMERIC, PUNCTUATION, SYMBOL } from "./generated/kind_tables.ts";
import { codePoints } from "./translate.ts";

/** A kind of characters that a set can name. */
type CharacterKind =
  | "letter"
  | "mark"
  | "digit"
  | "number"
  | "punctuation"
  | "symbol"
  | "space";

/** The code points from `first` to before `stop`. */
interface Range {
  readonly first: number;
  readonly stop: number;
}

/** Each kind: its ASCII characters, and the boundaries of all its other characters. */
const KINDS: Readonly<Record<CharacterKind, readonly [ascii: string, others: Int32Array]>> = {
  letter: ["A-Za-z", ALPHA],
  mark: ["", MARK],
  digit: ["0-9", DECIMAL],
  number: ["0-9", NUMERIC],
  punctuation: ["!-#%-*,--./:;?@[-]_{}", PUNCTUATION],
  symbol: ["$+<->^`|~", SYMBOL],
  // deno-fmt-ignore
  space: ["\t-\r\x1c- ", Int32Array.of(
    0x85, 0x86, 0xa0, 0xa1, 0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030,
    0x205f, 0x2060, 0x3000, 0x3001,
  )],
};

/**
 * Returns the boundaries of a set: ascending code points. Those at even places begin a range of the
 * set, and those at odd places end it.
 */
export function characterSet(set: string | readonly string[]): number[] {
  const bounds: number[] = [];
  for (const { first, stop } of rangesOf(set).sort((a, b) => a.first - b.first)) {
    const end = bounds.at(-1) ?? -1;
    if (first > end) bounds.push(first, stop);
    else bounds[bounds.length - 1] = Math.max(end, stop);
  }
  return bounds;
}

/** Returns the problem with a set; undefined where there is none. */
export function problemOfSet(set: unknown): string | undefined {
  const isText = (item: unknown) => typeof item === "string";
  if (!isText(set) && !(Array.isArray(set) && set.every(isText))) {
    return 'the set must be text, such as "a-z0-9", or a list such as ["letter", "_"]';
  }
  const misspelt = typeof set === "string" ? undefined : (set as string[]).find(isNearlyKind);
  if (misspelt !== undefined) {
    return `${JSON.stringify(misspelt)} is no kind of characters` +
      `${didYouMean(misspelt, Object.keys(KINDS))} (a set of these characters is ` +
      `${JSON.stringify(`${misspelt[0]}-${misspelt}`)})`;
  }
  const wrong = rangesOf(set as string | string[]).find(({ first, stop }) => stop <= first);
  if (wrong === undefined) return undefined;
  const [from, to] = [wrong.first, wrong.stop - 1].map((code) => String.fromCodePoint(code));
  return `the range ${from}-${to} ends before it starts`;
}

/** Whether an item of a list is probably a misspelt kind rather than a set of its letters. */
function isNearlyKind(item: string): boolean {
  return /^[A-Za-z]+$/.test(item) && !Object.hasOwn(KINDS, item) &&
    nearestName(item, Object.keys(KINDS)) !== undefined;
}

function rangesOf(set: string | readonly string[]): Range[] {
  if (typeof set === "string") return writtenRanges(set);
  return set.flatMap((item) => Object.hasOwn(KINDS, item) ? kindRanges(item) : writtenRanges(item));
}

function kindRanges(kind: string): Range[] {
  const [ascii, others] = KINDS[kind as CharacterKind];
  const ranges = Array.from(
    { length: others.length >> 1 },
    (_, k) => ({ first: others[2 * k]!, stop: others[2 * k + 1]! }),
  );
  return [...writtenRanges(ascii), ...ranges];
}

function writtenRanges(set: string): Range[] {
  const codes = codePoints(set);
  const ranges: Range[] = [];
  for (let i = 0; i < codes.length; i++) {
    const isRange = codes[i + 1] === 0x2d && i + 2 < codes.length;
    ranges.push({ first: codes[i]!, stop: codes[isRange ? i + 2 : i]! + 1 });
    if (isRange) i += 2;
  }
  return ranges;
}

/** Keeps the characters of a set, or with `keep: false` the others. */
export const filterCharacters: StringOp<
  [set: string | readonly string[], keep?: boolean | { readonly keep: boolean } | null]
> = defineStringOp({
  name: "filterCharacters",
  kind: "map",
  args: { set: "literal", keep: "literal" },
  defaults: { keep: true },
  group: "replace",
  accepts: { set: "string or list", keep: "bool" },
  summary: "The characters of a set; with keep: false, the others",
  details:
    "In a set, `a-z` stands for the characters from a to z; a hyphen at either end is itself. " +
    "A list holds sets and kinds: letter, mark, digit, number, punctuation, symbol, space " +
    "(Unicode's categories L, M, Nd, P and S, and the characters of isNumeric and isSpace).",
  examples: [
    { input: "+1 (555) 010-99", args: ["0-9+"], result: "+155501099" },
    { input: "+1 (555) 010-99", args: [" ()-", { keep: false }], result: "+155501099" },
    { input: "naïve 🙂", args: [["letter", "-"]], result: "naïve" },
  ],
  check: ({ set, keep }) => {
    if (keep !== undefined && typeof keep !== "boolean") return "keep must be true or false";
    return problemOfSet(set);
  },
  consts: (args) => ({ isKept: tableTest(Int32Array.from(keptCharacters(args))) }),
  row(out, char, { isKept }) {
    if (isKept(char)) out.put(char);
  },
});

/** Returns the boundaries of the set of characters that are kept. */
function keptCharacters({ set, keep }: CallArgs): number[] {
  const bounds = characterSet(set as string | string[]);
  // The complement begins at 0 unless the set does, and all other boundaries stay.
  if (keep === false) {
    if (bounds[0] === 0) bounds.shift();
    else bounds.unshift(0);
  }
  return bounds;
}
