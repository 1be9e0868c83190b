/**
 * Writes ops/string/case_tables.ts from the case mappings of this JavaScript engine.
 *
 *     deno run --allow-write=ops/string scripts/generate_case_tables.ts
 *
 * @module
 */

/** Code points first, first + step, ... last, each of which maps to itself plus delta. */
interface Run {
  readonly first: number;
  last: number;
  /** 0 for a character that becomes several; delta is then where they stand in the specials. */
  step: number;
  readonly delta: number;
}

/** The mappings of one case. */
export interface CaseTables {
  readonly runs: readonly number[];
  readonly specials: readonly number[];
}

/** Collects the mappings that `map` gives for single code points from 0x80 on. */
export function collectCaseTables(map: (text: string) => string): CaseTables {
  const runs: Run[] = [];
  const specials: number[] = [];
  for (let char = 0x80; char <= 0x10ffff; char++) {
    if (char >= 0xd800 && char <= 0xdfff) continue;
    const [first = char, second = 0, third = 0] = codePoints(map(String.fromCodePoint(char)));
    if (second !== 0) {
      runs.push({ first: char, last: char, step: 0, delta: specials.length });
      specials.push(first, second, third);
    } else if (first !== char) {
      extendRuns(runs, char, first - char);
    }
  }
  return {
    runs: runs.flatMap(({ first, last, step, delta }) => [first, last, step, delta]),
    specials,
  };
}

/** Adds a mapping to the last run where it continues it, else starts another run. */
function extendRuns(runs: Run[], char: number, delta: number): void {
  const run = runs.at(-1);
  const gap = run === undefined ? 0 : char - run.last;
  const fits = run !== undefined && run.step !== 0 && run.delta === delta && gap <= 2 &&
    (run.first === run.last || gap === run.step);
  if (!fits) {
    runs.push({ first: char, last: char, step: 1, delta });
    return;
  }
  run.step = gap;
  run.last = char;
}

function codePoints(text: string): number[] {
  return [...text].map((char) => char.codePointAt(0) ?? 0);
}

/** The module that holds both tables. */
export function caseTablesModule(upper: CaseTables, lower: CaseTables): string {
  return `// deno-fmt-ignore-file
/**
 * Case mappings of Unicode above ASCII. Written by scripts/generate_case_tables.ts; do not edit.
 *
 * A run is four numbers, first, last, step, delta: each of the characters first, first + step, ...
 * last becomes itself plus delta. Where step is 0 the one character becomes several, which stand in
 * the specials at delta: three numbers, 0 for a third that is not there. Runs are sorted and do not
 * overlap.
 *
 * @module
 */

/** Tables for \`upper\`. */
export const UPPER: { readonly runs: Int32Array; readonly specials: Int32Array } = {
${table("runs", upper.runs, 4)}
${table("specials", upper.specials, 3)}
};

/** Tables for \`lower\`. */
export const LOWER: { readonly runs: Int32Array; readonly specials: Int32Array } = {
${table("runs", lower.runs, 4)}
${table("specials", lower.specials, 3)}
};
`;
}

function table(name: string, numbers: readonly number[], width: number): string {
  const lines: string[] = [];
  let line = "   ";
  for (let i = 0; i < numbers.length; i += width) {
    const entry = `${numbers.slice(i, i + width).join(",")},`;
    if (line.length + entry.length > 98) {
      lines.push(line);
      line = "   ";
    }
    line += ` ${entry}`;
  }
  return [`  ${name}: Int32Array.of(`, ...lines, line, "  ),"].join("\n");
}

if (import.meta.main) {
  const module = caseTablesModule(
    collectCaseTables((text) => text.toUpperCase()),
    collectCaseTables((text) => text.toLowerCase()),
  );
  await Deno.writeTextFile(new URL("../ops/string/case_tables.ts", import.meta.url), module);
}
