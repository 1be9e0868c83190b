/**
 * Assembles the results of a probe batch from lists of pairs, in the order of the probe side.
 *
 * @module
 */

import { firstPairs, type PairList, type PairRows } from "./candidate_pairs.ts";

/** Gathers the pairs of one probe batch. */
export class PairOutput {
  readonly #space: PairRows;
  readonly #keepsAll: boolean;
  #count = 0;
  /** The first probe row that has not come out yet. */
  #nextRow = 0;

  /** Takes the memory for results. With `keepsAll`, unmatched probe rows come out too. */
  constructor(space: PairRows, keepsAll: boolean) {
    this.#space = space;
    this.#keepsAll = keepsAll;
  }

  /** Adds pairs and yields each full result, which the next one overwrites. */
  *add(pairs: PairList): Generator<PairRows, void, void> {
    if (this.#keepsAll) yield* this.#addAll(pairs);
    else yield* this.#addMatched(pairs);
  }

  /** Yields the remaining pairs. */
  *end(): Generator<PairRows, void, void> {
    if (this.#count > 0) yield this.#take();
  }

  *#addMatched({ probeRows, buildRows }: PairList): Generator<PairRows, void, void> {
    for (let from = 0; from < probeRows.length;) {
      const stop = Math.min(probeRows.length, from + this.#space.probeRows.length - this.#count);
      this.#space.probeRows.set(probeRows.subarray(from, stop), this.#count);
      this.#space.buildRows.set(buildRows.subarray(from, stop), this.#count);
      this.#count += stop - from;
      from = stop;
      if (this.#isFull) yield this.#take();
    }
  }

  *#addAll({ probeRows, buildRows, numDone }: PairList): Generator<PairRows, void, void> {
    for (let at = 0; at < probeRows.length; at++) {
      const row = probeRows[at]!;
      while (this.#nextRow < row) {
        this.#push(this.#nextRow++, -1);
        if (this.#isFull) yield this.#take();
      }
      this.#nextRow = row + 1;
      this.#push(row, buildRows[at]!);
      if (this.#isFull) yield this.#take();
    }
    while (this.#nextRow < numDone) {
      this.#push(this.#nextRow++, -1);
      if (this.#isFull) yield this.#take();
    }
  }

  #push(probeRow: number, buildRow: number): void {
    this.#space.probeRows[this.#count] = probeRow;
    this.#space.buildRows[this.#count++] = buildRow;
  }

  get #isFull(): boolean {
    return this.#count === this.#space.probeRows.length;
  }

  #take(): PairRows {
    const pairs = firstPairs(this.#space, this.#count);
    this.#count = 0;
    return pairs;
  }
}
