/**
 * Sets of bytes that loops look for: loops that pass over bytes up to one of a few, and loops that
 * follow states from one that most bytes lead back to. Such loops read text a word at a time for a
 * byte of the set, instead of byte by byte.
 *
 * @module
 */

import type { Follow, RowKernel, Space, Stmt } from "../../../ir/ir.ts";
import { answersOf, type ByteInterval, intervalsWith } from "../../../ir/byte_intervals.ts";
import { visit } from "../../../ir/visit.ts";
import type { PrintedSpace } from "./scalar.ts";
import { breakOutOfSteps, type Steps } from "./steps.ts";

type Loop = Stmt & { do: "loop" };

/** A search for a byte of a set in the data of a column. */
export interface ByteSet {
  readonly does: "bytes";
  readonly column: number;
  /** The bytes of the set; if it is inverted, those that are not in it. */
  readonly intervals: readonly ByteInterval[];
  readonly isInverted: boolean;
  readonly backward: false;
}

/** A state that all bytes lead back to, except those of a set. */
export interface Rest {
  readonly state: number;
  readonly set: ByteSet;
}

/** The most intervals for which a word is tested. */
const MAX_INTERVALS = 4;

/** The number of ASCII characters of a set from which too few bytes are skipped. */
const MANY_CHARACTERS = 64;

/** The sets that the loops of a kernel look for. */
export class ByteSets {
  readonly #tables: RowKernel["tables"];
  /** The first values of locals, if these are constants. */
  readonly #first = new Map<string, number>();

  constructor({ body, tables }: Pick<RowKernel, "body" | "tables">) {
    this.#tables = tables;
    visit(body, {
      stmt: (stmt) => {
        if (stmt.do !== "let" || stmt.value.op !== "const") return;
        this.#first.set(stmt.name, Number(stmt.value.value));
      },
    });
  }

  /**
   * Returns the set of the bytes at which a loop stops, if it does nothing before; null for other
   * loops.
   */
  stopsOf({ idiom }: Loop): ByteSet | null {
    if (idiom?.does !== "skip" || idiom.backward) return null;
    const answers = answersOf(idiom.stops);
    return answers && setOf(idiom.column, answers);
  }

  /**
   * Returns the state in which a loop begins, if few bytes lead to others; null for other loops.
   */
  restOf({ idiom }: Loop): Rest | null {
    if (idiom?.does !== "follow") return null;
    const state = this.#first.get(idiom.state);
    if (state === undefined || state < idiom.firstOpen) return null;
    const set = setOf(idiom.column, this.#leaving(idiom, state));
    return set && { state, set };
  }

  /** Returns whether each byte leads from a state to another one. */
  #leaving({ table }: Follow, state: number): boolean[] {
    const next = this.#tables[table]!;
    return Array.from({ length: 256 }, (_, byte) => (next[state + byte] ?? 0) !== state);
  }
}

/** Returns the set of the bytes with the answer `true`, if it is useful. */
function setOf(column: number, answers: readonly boolean[]): ByteSet | null {
  if (answers.slice(0, 0x80).filter((answer) => answer).length >= MANY_CHARACTERS) return null;
  const [inside, outside] = [true, false].map((answer) => intervalsWith(answers, answer));
  const isInverted = outside!.length < inside!.length;
  const intervals = isInverted ? outside! : inside!;
  if (intervals.length === 0 || intervals.length > MAX_INTERVALS) return null;
  return { does: "bytes", column, intervals, isInverted, backward: false };
}

/** Returns a key that tells sets apart. */
export function setKey({ column, intervals, isInverted }: ByteSet): string {
  const bytes = intervals.map(({ low, high }) => `${low}-${high}`);
  return `${column} ${isInverted ? "not " : ""}${bytes.join()}`;
}

/**
 * Prints `in_set` of a number, which returns the highest bits of the bytes of a word that are in
 * the set.
 */
export function printInSet({ intervals, isInverted }: ByteSet, number: number | string): string {
  const ascii = intervals.filter(({ low }) => low < 0x80)
    .map(({ low, high }) => printInterval(low, Math.min(high, 0x7f)));
  const others = intervals.filter(({ high }) => high >= 0x80)
    .map(({ low, high }) => printInterval(Math.max(low, 0x80) - 0x80, high - 0x80));
  const sides = [
    ascii.length === 0 ? null : `((${ascii.join(" | ")}) & ~bytes)`,
    others.length === 0 ? null : `((${others.join(" | ")}) & bytes)`,
  ].filter((side) => side !== null);
  const isIn = sides.join(" | ");
  return `
fn in_set${number}(bytes: u32) -> u32 {
  let low = bytes & 0x7f7f7f7fu;
  return ${isInverted ? `~(${isIn})` : `(${isIn})`} & 0x80808080u;
}
`;
}

/**
 * Prints the highest bits of those bytes whose other bits, `low`, are in an interval; no sum has a
 * carry.
 */
function printInterval(first: number, last: number): string {
  const each = (byte: number) => `0x${(byte * 0x01010101).toString(16)}u`;
  if (first === last) return `~((low ^ ${each(first)}) + 0x7f7f7f7fu)`;
  const reaches = `(low + ${each(0x80 - first)})`;
  const isBeyond = `(low + ${each(0x7f - last)})`;
  if (last === 0x7f) return first === 0 ? "0x80808080u" : reaches;
  return first === 0 ? `~${isBeyond}` : `(${reaches} & ~${isBeyond})`;
}

/** The functions with which rows look for a byte of a set, one for each set. */
export class SetSearches {
  readonly #sets = new Map<string, ByteSet>();
  readonly #steps: Steps | null;

  /** `steps` as in `BodyOptions`. */
  constructor(steps: Steps | null) {
    this.#steps = steps;
  }

  /**
   * Prints a call for the first place from one to another that has a byte of the set, or the one
   * after both.
   */
  call(set: ByteSet, first: string, last: string): string {
    const key = setKey(set);
    if (!this.#sets.has(key)) this.#sets.set(key, set);
    const number = [...this.#sets.keys()].indexOf(key);
    return `next_of_set${number}(${first}, ${last}${this.#steps?.argument ?? ""})`;
  }

  /** Prints the functions. */
  print(spaceOf: (space: Space) => PrintedSpace): string {
    return [...this.#sets.values()].map((set, number) => {
      const { word } = spaceOf({ space: "column", column: set.column });
      return printInSet(set, `_of${number}`) + printNext(number, word, this.#steps);
    }).join("");
  }
}

function printNext(number: number, word: PrintedSpace["word"], steps: Steps | null): string {
  return `
// The first place from \`first\` to \`last\` that has a byte of the set, or the one after both.
fn next_of_set${number}(first: i32, last: i32${steps?.parameter ?? ""}) -> i32 {
  var mask = 0xffffffffu << ((bitcast<u32>(first) & 3u) * 8u);
  for (var at = first & ~3; at <= last; at = at + 4) {
${breakOutOfSteps(steps)}\
    let found = in_set_of${number}(${word("(bitcast<u32>(at) >> 2u)")}) & mask;
    if (found != 0u) { return min(at + bitcast<i32>(countTrailingZeros(found) >> 3u), last + 1); }
    mask = 0xffffffffu;
  }
  return max(first, last + 1);
}
`;
}
