/**
 * The tables of a test over the bytes of UTF-8. They take one load for each byte, and neither decode
 * characters nor look up classes. Only patterns with few states fit.
 *
 * @module
 */

import type { TestProgram } from "./regex_program.ts";
import { Outcome } from "./prune.ts";

/** Tables that test for a match. A state is the index of its first entry. */
interface ByteProgram {
  /** 256 entries for each state: the next state by byte. State 0 is no match, state 256 a match. */
  readonly next: Int32Array;
  /** The state at the start of the text. */
  readonly start: number;
  /** For state / 256: 1 where a text that ends there holds a match. It always has 1,024 entries. */
  readonly found: Int32Array;
}

const ENTRIES = 256;
/** States of 1 KB each: as large as the other tables may be. Text of one script reads a small part. */
const MAX_STATES = 1024;
const NOTHING = 0;
const FOUND = 1;

/** Returns the tables over bytes; null where they would be too large. */
export function byteProgram(program: TestProgram): ByteProgram | null {
  const { next, start, end } = program;
  const numStates = next.length / (end + 1);
  if (2 + numStates > MAX_STATES) return null;
  const writer = new ByteWriter(program);
  for (let state = 0; state < numStates; state++) writer.writeState(state);
  if (writer.numRows > MAX_STATES) return null;
  const found = new Int32Array(MAX_STATES);
  found[FOUND] = 1;
  for (let state = 0; state < numStates; state++) {
    found[2 + state] = next[state * (end + 1) + end] === Outcome.Found ? 1 : 0;
  }
  return { next: writer.table(), start: writer.rowOf(start) * ENTRIES, found };
}

class ByteWriter {
  readonly #program: TestProgram;
  /** NOTHING and FOUND, which lead to themselves; the states of the program; rows inside characters. */
  readonly #rows: number[][];
  readonly #known = new Map<string, number>();

  constructor(program: TestProgram) {
    this.#program = program;
    const own = 2 + program.next.length / (program.end + 1);
    this.#rows = Array.from({ length: own }, (_, row) => new Array(ENTRIES).fill(row));
  }

  get numRows(): number {
    return this.#rows.length;
  }

  table(): Int32Array {
    return Int32Array.from(this.#rows.flatMap((row) => row.map((next) => next * ENTRIES)));
  }

  /** Returns the row of a state of the program, or of an outcome. */
  rowOf(state: number): number {
    if (state === Outcome.None) return NOTHING;
    return state === Outcome.Found ? FOUND : 2 + state / (this.#program.end + 1);
  }

  writeState(state: number): void {
    const row = new Array<number>(ENTRIES).fill(NOTHING);
    for (let char = 0; char < 0x80; char++) row[char] = this.#after(state, char);
    for (let lead = 0xc2; lead < 0xe0; lead++) {
      row[lead] = this.#block(state, (lead & 0x1f) << 6, 1);
    }
    for (let lead = 0xe0; lead < 0xf0; lead++) {
      row[lead] = this.#block(state, (lead & 0x0f) << 12, 2);
    }
    for (let lead = 0xf0; lead < 0xf5; lead++) {
      row[lead] = this.#block(state, (lead & 0x07) << 18, 3);
    }
    this.#rows[2 + state] = row;
  }

  /** Returns the row that reads `depth` more bytes of a character; `start` is the least such character. */
  #block(state: number, start: number, depth: number): number {
    if (this.#rows.length > MAX_STATES) return NOTHING;
    const nexts = new Array<number>(64);
    const step = 1 << (6 * (depth - 1));
    const isOneClass = this.#classRun(start) === this.#classRun(start + 64 * step - 1);
    if (isOneClass) return this.#uniform(state, start, depth);
    for (let i = 0; i < 64; i++) {
      const char = start + i * step;
      nexts[i] = depth === 1 ? this.#after(state, char) : this.#block(state, char, depth - 1);
    }
    return this.#rowOfNexts(nexts);
  }

  /** Returns the row that reads the rest of a character where all candidates have one class. */
  #uniform(state: number, char: number, depth: number): number {
    let next = this.#after(state, char);
    for (let i = 0; i < depth; i++) next = this.#rowOfNexts(new Array(64).fill(next));
    return next;
  }

  /** Returns the row with these entries; equal rows are shared. */
  #rowOfNexts(nexts: readonly number[]): number {
    // Where every path ends in the same outcome, the remaining bytes do not matter.
    if (nexts.every((next) => next === NOTHING)) return NOTHING;
    if (nexts.every((next) => next === FOUND)) return FOUND;
    const key = nexts.join();
    let row = this.#known.get(key);
    if (row === undefined) {
      const entries = new Array<number>(ENTRIES).fill(NOTHING);
      for (const [index, next] of nexts.entries()) entries[0x80 + index] = next;
      row = this.#rows.push(entries) - 1;
      this.#known.set(key, row);
    }
    return row;
  }

  #after(state: number, char: number): number {
    const { next, end, ascii, ranges } = this.#program;
    const kind = char < 0x80 ? ascii[char] : ranges[2 * this.#classRun(char) + 1];
    return this.rowOf(next[state * (end + 1) + (kind ?? 0)] ?? Outcome.None);
  }

  /** Returns the index of the run of one class that a character belongs to; -1 for ASCII. */
  #classRun(char: number): number {
    const { ranges } = this.#program;
    let low = 0;
    let high = ranges.length >> 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[2 * middle] ?? 0) <= char) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
