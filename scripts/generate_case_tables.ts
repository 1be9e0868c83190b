/**
 * Writes ops/string/generated/case_tables.ts from the case mappings of this JavaScript engine.
 *
 *     deno run --allow-write=ops/string scripts/generate_case_tables.ts
 *
 * @module
 */

import { titleCase } from "./title_case.ts";

/** Code points first, first + step, ..., last, each of which maps to itself plus delta. */
interface Run {
  readonly first: number;
  last: number;
  /** 0 for a character that becomes several; delta is then their index in the specials. */
  step: number;
  readonly delta: number;
}

/** Collects mappings of code points from 0x80 on; those to several characters go to `specials`. */
class CaseTables {
  readonly specials: number[] = [];

  /** Returns the runs of the mappings of `map` that differ from those of `known`. */
  collect(map: (text: string) => string, known: (text: string) => string): number[] {
    const runs: Run[] = [];
    for (let char = 0x80; char <= 0x10ffff; char++) {
      if (char >= 0xd800 && char <= 0xdfff) continue;
      const text = String.fromCodePoint(char);
      const mapped = map(text);
      if (mapped === known(text)) continue;
      const [first = char, second = 0, third = 0] = codePoints(mapped);
      if (second !== 0) {
        runs.push({ first: char, last: char, step: 0, delta: this.specials.length });
        this.specials.push(first, second, third);
      } else {
        extendRuns(runs, char, first - char);
      }
    }
    return runs.flatMap(({ first, last, step, delta }) => [first, last, step, delta]);
  }
}

/** Adds a mapping to the last run if it continues that, else starts another run. */
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

/** Returns the source of the module with the tables. */
export function caseTablesModule(): string {
  const tables = new CaseTables();
  const toUpper = (text: string) => text.toUpperCase();
  const upper = tables.collect(toUpper, (text) => text);
  const lower = tables.collect((text) => text.toLowerCase(), (text) => text);
  const title = tables.collect(titleCase, toUpper);
  return `// deno-fmt-ignore-file
/**
 * Case mappings of Unicode above ASCII. Written by scripts/generate_case_tables.ts; do not edit.
 *
 * A run is four numbers, first, last, step, delta: each of the characters first, first + step, ...,
 * last maps to itself plus delta. If step is 0, its one character maps to two or three, which are in
 * the specials from index delta: three numbers, 0 for an absent third. Runs are sorted and do not
 * overlap.
 *
 * @module
 */

/** The runs of characters with a capital. */
${table("UPPER", upper, 4)}

/** The runs of characters with a small letter. */
${table("LOWER", lower, 4)}

/** The runs of characters whose title case differs from their capital. */
${table("TITLE", title, 4)}

/** The characters to which a single one maps, three numbers for each. */
${table("SPECIALS", tables.specials, 3)}
`;
}

function table(name: string, numbers: readonly number[], width: number): string {
  const lines: string[] = [];
  let line = " ";
  for (let i = 0; i < numbers.length; i += width) {
    const entry = `${numbers.slice(i, i + width).join(",")},`;
    if (line.length + entry.length > 98) {
      lines.push(line);
      line = " ";
    }
    line += ` ${entry}`;
  }
  return [`export const ${name}: Int32Array = Int32Array.of(`, ...lines, line, ");"].join("\n");
}

if (import.meta.main) {
  const path = new URL("../ops/string/generated/case_tables.ts", import.meta.url);
  await Deno.writeTextFile(path, caseTablesModule());
}
