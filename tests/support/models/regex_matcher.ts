/** The loops of the operations of regular expressions over the same tables, in plain TypeScript. */

import { parseRegex } from "../../../ops/regex/parse_regex.ts";
import {
  type CharClasses,
  type SearchProgram,
  searchProgram,
  type TestProgram,
  testProgram,
} from "../../../ops/regex/regex_program.ts";

/** Steps that the loops have taken: one for each character, one for each move. */
export const work = { characters: 0, moves: 0 };

/** Whether the text holds a match, or begins with one. */
export function runTest(program: TestProgram, text: readonly number[]): boolean {
  let state = program.start;
  for (let at = 0; at < text.length && state >= 0; at++) {
    work.characters++;
    state = program.next[state + classOf(program, text[at]!)]!;
  }
  if (state >= 0) state = program.next[state + program.end]!;
  return state === -2;
}

/** The registers of the next match from a position on, or null. */
export function runSearch(
  program: SearchProgram,
  text: readonly number[],
  from: number,
): number[] | null {
  const { next, moves, sides, initial } = program;
  const registers = new Array<number>(program.numRegisters).fill(-9);
  registers[0] = -1;
  const before = from === 0
    ? 1
    : sides.length === 0
    ? 0
    : sides[classOf(program, text[from - 1]!)]!;
  let state = initial[before]!;
  for (let at = from; state >= 0 && at <= text.length; at++) {
    work.characters++;
    const kind = at < text.length ? classOf(program, text[at]!) : program.end;
    state = next[state + kind]!;
    if (state >= 0) continue;
    const list = -1 - state;
    for (let i = 0; i < moves[list + 1]!; i++) {
      work.moves++;
      const source = moves[list + 3 + 2 * i]!;
      registers[moves[list + 2 + 2 * i]!] = source >= 0
        ? registers[source]!
        : source === -1
        ? at
        : -1;
    }
    state = moves[list]!;
  }
  return registers[0]! < 0 ? null : registers;
}

/** A match as JavaScript shows it: where it starts, and the text of each group. */
interface PlainMatch {
  readonly start: number;
  readonly stop: number;
  readonly groups: readonly (string | undefined)[];
}

/** A pattern with all its tables. */
export class PlainRegex {
  readonly #anywhere: TestProgram;
  readonly #atStart: TestProgram;
  readonly #search: SearchProgram;
  readonly #numGroups: number;

  constructor(pattern: string, flags = "") {
    const regex = parseRegex(pattern, flags);
    this.#numGroups = regex.groupNames.length;
    const groups = regex.groupNames.map((_, index) => index + 1);
    this.#anywhere = testProgram(regex, false);
    this.#atStart = testProgram(regex, true);
    this.#search = searchProgram(regex, { anchored: false, start: true, groups });
  }

  test(text: string): boolean {
    return runTest(this.#anywhere, codesOf(text));
  }

  testStart(text: string): boolean {
    return runTest(this.#atStart, codesOf(text));
  }

  exec(text: string, from = 0): PlainMatch | null {
    const codes = codesOf(text);
    const registers = runSearch(this.#search, codes, from);
    if (registers === null) return null;
    const part = (start: number, stop: number) => String.fromCodePoint(...codes.slice(start, stop));
    const groups = Array.from({ length: this.#numGroups }, (_, group) => {
      const [start, stop] = registers.slice(2 + 2 * group, 4 + 2 * group) as [number, number];
      return start < 0 || stop < 0 ? undefined : part(start, stop);
    });
    return { start: registers[1]!, stop: registers[0]!, groups };
  }

  matchAll(text: string): PlainMatch[] {
    const matches: PlainMatch[] = [];
    const { length } = codesOf(text);
    for (let from = 0; from <= length;) {
      const match = this.exec(text, from);
      if (match === null) break;
      matches.push(match);
      from = match.stop === match.start ? match.stop + 1 : match.stop;
    }
    return matches;
  }
}

function codesOf(text: string): number[] {
  return [...text].map((char) => char.codePointAt(0)!);
}

function classOf({ ascii, ranges }: CharClasses, char: number): number {
  if (char < 128) return ascii[char]!;
  let low = 0;
  let high = ranges.length / 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (ranges[2 * middle]! <= char) low = middle;
    else high = middle;
  }
  return ranges[2 * low + 1]!;
}
