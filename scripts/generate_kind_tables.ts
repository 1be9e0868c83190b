/**
 * Writes ops/string/generated/kind_tables.ts from the character properties of this JavaScript engine.
 *
 *     deno run --allow-write=ops/string scripts/generate_kind_tables.ts
 *
 * @module
 */

/**
 * The characters of numeric type "digit" that are not decimal digits, such as superscripts and circled
 * digits. JavaScript has no such property. From DerivedNumericType.txt of Unicode 14; characters added later
 * never have this type (UAX #44, Numeric_Type).
 */
const DIGITS: readonly (readonly [first: number, last: number])[] = [
  [0xb2, 0xb3],
  [0xb9, 0xb9],
  [0x1369, 0x1371],
  [0x19da, 0x19da],
  [0x2070, 0x2070],
  [0x2074, 0x2079],
  [0x2080, 0x2089],
  [0x2460, 0x2468],
  [0x2474, 0x247c],
  [0x2488, 0x2490],
  [0x24ea, 0x24ea],
  [0x24f5, 0x24fd],
  [0x24ff, 0x24ff],
  [0x2776, 0x277e],
  [0x2780, 0x2788],
  [0x278a, 0x2792],
  [0x10a40, 0x10a43],
  [0x10e60, 0x10e68],
  [0x11052, 0x1105a],
  [0x1f100, 0x1f10a],
];

/**
 * The letters with a numeric value: the Han characters for numbers. All other characters with one are of
 * the category N. From DerivedNumericType.txt of Unicode 14.
 */
// deno-fmt-ignore
const HAN_NUMBERS: ReadonlySet<number> = new Set([
  0x3405, 0x3483, 0x382a, 0x3b4d, 0x4e00, 0x4e03, 0x4e07, 0x4e09, 0x4e5d, 0x4e8c, 0x4e94, 0x4e96,
  0x4ebf, 0x4ec0, 0x4edf, 0x4ee8, 0x4f0d, 0x4f70, 0x5104, 0x5146, 0x5169, 0x516b, 0x516d, 0x5341,
  0x5343, 0x5344, 0x5345, 0x534c, 0x53c1, 0x53c2, 0x53c3, 0x53c4, 0x56db, 0x58f1, 0x58f9, 0x5e7a,
  0x5efe, 0x5eff, 0x5f0c, 0x5f0d, 0x5f0e, 0x5f10, 0x62fe, 0x634c, 0x67d2, 0x6f06, 0x7396, 0x767e,
  0x8086, 0x842c, 0x8cae, 0x8cb3, 0x8d30, 0x9621, 0x9646, 0x964c, 0x9678, 0x96f6, 0xf96b, 0xf973,
  0xf978, 0xf9b2, 0xf9d1, 0xf9d3, 0xf9fd, 0x20001, 0x20064, 0x200e2, 0x20121, 0x2092a, 0x20983,
  0x2098c, 0x2099c, 0x20aea, 0x20afd, 0x20b19, 0x22390, 0x22998, 0x23b1b, 0x2626d, 0x2f890,
]);

/** The classes of the case table, as ops/string/character_kinds.ts reads them. */
const CASE_CLASS = { none: 0, lower: 1, upper: 2, title: 3, evenUpper: 4, oddUpper: 5 };

const LAST = 0x10ffff;

/** Returns the boundaries of the set of characters above ASCII for which `has` holds: first in, first out, ... */
function collectBoundaries(has: (text: string, char: number) => boolean): number[] {
  const boundaries: number[] = [];
  for (let char = 0x80; char <= LAST + 1; char++) {
    const isIn = char <= LAST && has(String.fromCodePoint(char), char);
    if (isIn !== (boundaries.length % 2 === 1)) boundaries.push(char);
  }
  return boundaries;
}

/**
 * Returns the runs of characters above ASCII of one case class: the first character times eight plus the
 * class. Two classes are for alternating letters, with the capital at even or at odd code points.
 */
function collectCaseRuns(): number[] {
  const classes = Array.from(
    { length: LAST + 1 },
    (_, char) => caseClass(String.fromCodePoint(char)),
  );
  const runs: number[] = [];
  for (let first = 0x80; first <= LAST;) {
    const own = classes[first]!;
    const same = runLength(classes, first, () => own);
    const isLetter = own === CASE_CLASS.lower || own === CASE_CLASS.upper;
    const alternating = isLetter
      ? runLength(classes, first, (place) => place % 2 === 0 ? own : 3 - own)
      : 0;
    // A short alternation costs as much as the runs that it replaces.
    const alternates = alternating > same + 1;
    const isEvenUpper = (own === CASE_CLASS.upper) === (first % 2 === 0);
    const kind = !alternates ? own : isEvenUpper ? CASE_CLASS.evenUpper : CASE_CLASS.oddUpper;
    if (runs.length === 0 || (runs.at(-1)! & 7) !== kind) runs.push(first * 8 + kind);
    first += alternates ? alternating : same;
  }
  return runs;
}

function caseClass(char: string): number {
  if (/^\p{Uppercase}$/u.test(char)) return CASE_CLASS.upper;
  if (/^\p{Lowercase}$/u.test(char)) return CASE_CLASS.lower;
  return /^\p{Lt}$/u.test(char) ? CASE_CLASS.title : CASE_CLASS.none;
}

function runLength(
  classes: readonly number[],
  first: number,
  expected: (place: number) => number,
): number {
  let length = 1;
  while (first + length <= LAST && classes[first + length] === expected(length)) length++;
  return length;
}

/** Returns the source of the module with the tables. */
export function kindTablesModule(): string {
  const isDigit = (char: number) => DIGITS.some(([first, last]) => char >= first && char <= last);
  return `// deno-fmt-ignore-file
/**
 * Kinds of characters above ASCII. Written by scripts/generate_kind_tables.ts; do not edit.
 *
 * A set is a list of its boundaries: where it starts, stops, starts again, and so on. A character is in
 * the set if an odd number of boundaries is at most its code point.
 *
 * @module
 */

/** Letters: the categories Lu, Ll, Lt, Lm and Lo. */
${table("ALPHA", collectBoundaries((char) => /^\p{L}$/u.test(char)))}

/** Decimal digits: the category Nd. */
${table("DECIMAL", collectBoundaries((char) => /^\p{Nd}$/u.test(char)))}

/** Digits: decimal digits, and others such as superscripts. */
${table("DIGIT", collectBoundaries((text, char) => /^\p{Nd}$/u.test(text) || isDigit(char)))}

/** Characters with a numeric value: the categories Nd, Nl and No, and Han characters for numbers. */
${
    table(
      "NUMERIC",
      collectBoundaries((text, char) => /^\p{N}$/u.test(text) || HAN_NUMBERS.has(char)),
    )
  }

/** Marks, which combine with the character before them: the category M. */
${table("MARK", collectBoundaries((char) => /^\p{M}$/u.test(char)))}

/** Punctuation: the category P. */
${table("PUNCTUATION", collectBoundaries((char) => /^\p{P}$/u.test(char)))}

/** Symbols, such as those of currencies and of mathematics: the category S. */
${table("SYMBOL", collectBoundaries((char) => /^\p{S}$/u.test(char)))}

/** Characters that case mapping ignores: the property Case_Ignorable. */
${table("CASE_IGNORABLE", collectBoundaries((char) => /^\p{Case_Ignorable}$/u.test(char)))}

/**
 * Case: each run is its first character times eight plus its class: 0 for no case, 1 for small letters,
 * 2 for capitals, 3 for title case, 4 for alternating letters with capitals at even code points, 5 for
 * those with capitals at odd ones.
 */
${table("CASE", collectCaseRuns())}
`;
}

function table(name: string, numbers: readonly number[]): string {
  const lines: string[] = [];
  let line = " ";
  for (const number of numbers) {
    const entry = ` ${number},`;
    if (line.length + entry.length > 100) {
      lines.push(line);
      line = " ";
    }
    line += entry;
  }
  return [`export const ${name}: Int32Array = Int32Array.of(`, ...lines, line, ");"].join("\n");
}

if (import.meta.main) {
  await Deno.writeTextFile(
    new URL("../ops/string/generated/kind_tables.ts", import.meta.url),
    kindTablesModule(),
  );
}
