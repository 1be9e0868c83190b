/**
 * Counts rows from the front of chunks whose lengths are learned only as far as needed.
 *
 * @module
 */

import { firstWhere } from "../../base/search.ts";
import type { ChunkLengths } from "./chunk_lengths.ts";

/** A place between rows: before a row of a chunk. Behind the last chunk it is chunk numChunks, row 0. */
export interface Place {
  readonly chunk: number;
  /** From 0 to the length of the chunk. */
  readonly row: number;
}

/** Chunks learned after the first one, before the others are estimated. */
const secondStep = 5;
/** Chunks learned for each that seems to be needed: one more step costs as much as many chunks. */
const surplus = 1.1;
/** The most chunks learned at once for each known one: the known ones may be unusual. */
const mostGrowth = 100;

/** Counts rows from the front of chunks, no further than needed. */
export class ChunkSums {
  readonly #lengths: ChunkLengths;
  /** Rows before each chunk, as far as they are counted. */
  readonly #starts = [0];

  constructor(lengths: ChunkLengths) {
    this.#lengths = lengths;
  }

  /** Returns the rows before a chunk, if the chunks before it are known; all rows for chunk numChunks. */
  before(chunk: number): number | undefined {
    this.#count(chunk);
    return this.#starts[chunk];
  }

  /** Returns the place after the first `rows` rows, or the end if there are no more; Infinity: the end. */
  async behind(rows: number): Promise<Place> {
    const { numChunks } = this.#lengths;
    const end = { chunk: numChunks, row: 0 };
    if (rows === Infinity) return end;
    if (rows === 0) return { chunk: 0, row: 0 };
    const counted = await this.learn(rows);
    const starts = this.#starts;
    if (starts[counted]! < rows) return end;
    const chunk = firstWhere(1, counted, (index) => starts[index]! >= rows) - 1;
    return { chunk, row: rows - starts[chunk]! };
  }

  /** Learns lengths until `rows` rows or all chunks are counted; returns the number of counted chunks. */
  async learn(rows: number): Promise<number> {
    const { numChunks } = this.#lengths;
    for (let step = 1;;) {
      this.#count(numChunks, rows);
      const counted = this.#starts.length - 1;
      const numRows = this.#starts[counted]!;
      if (numRows >= rows || counted === numChunks) return counted;
      const stop = Math.min(numChunks, counted + step);
      await this.#lengths.learn(counted, stop);
      this.#count(stop);
      const learnt = this.#starts[stop]!;
      const needed = Math.ceil((rows - learnt) / (learnt / stop) * surplus);
      step = step === 1 ? secondStep : Math.max(1, Math.min(needed, mostGrowth * stop));
    }
  }

  /** Counts known chunks: at most `chunks` of them, and no more than have `rows` rows. */
  #count(chunks: number, rows = Infinity): void {
    const starts = this.#starts;
    while (starts.length <= chunks && starts.at(-1)! < rows) {
      const length = this.#lengths.known(starts.length - 1);
      if (length === undefined) return;
      starts.push(starts.at(-1)! + length);
    }
  }
}

/** Returns the lengths of the chunks in reverse order. */
export function reversedLengths(lengths: ChunkLengths): ChunkLengths {
  const { numChunks } = lengths;
  return {
    numChunks,
    known: (chunk) => lengths.known(numChunks - 1 - chunk),
    learn: (start, stop) => lengths.learn(numChunks - stop, numChunks - start),
  };
}
