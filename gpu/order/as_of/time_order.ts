/**
 * The check that times are sorted, batch by batch.
 *
 * @module
 */

import { type TimeForm, Times } from "./times.ts";
import type { GroupedRows } from "../group_rows.ts";

/** A row after a row with a later time. */
export interface Unsorted {
  /** Its place among the checked times. */
  readonly row: number;
  readonly time: number | bigint;
  /** The later time before it. */
  readonly before: number | bigint;
}

/** Checks the order of all rows. */
export class TimeOrder {
  #last: Times | null = null;

  /** Returns the first of the next times that is not sorted, or null. */
  check(times: Times): Unsorted | null {
    const { length } = times;
    if (length === 0) return null;
    const last = this.#last;
    if (last !== null && times.compare(0, last, 0) < 0) {
      return { row: 0, time: times.value(0), before: last.value(0) };
    }
    const row = times.firstDescent(0, length);
    if (row >= 0) return { row, time: times.value(row), before: times.value(row - 1) };
    this.#last = times.pick(Int32Array.of(length - 1));
    return null;
  }
}

/** Checks the order of the rows of each group. */
export class GroupOrder {
  #last: Times;
  /** Whether a group has a last time. */
  #isKnown = new Uint8Array(0);

  constructor(form: TimeForm) {
    this.#last = Times.zeros(0, form);
  }

  /**
   * Returns the first of the next times that is not sorted within its group, or null. `sorted` are the
   * times in the order of `rows`; the place is that of the row in the batch.
   */
  check(sorted: Times, { order, groups, starts }: GroupedRows, numGroups: number): Unsorted | null {
    this.#growTo(numGroups);
    const last = this.#last;
    let first: Unsorted | null = null;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index]!;
      const start = starts[index]!;
      const stop = starts[index + 1]!;
      const isEarlier = this.#isKnown[group] === 1 && sorted.compare(start, last, group) < 0;
      const at = isEarlier ? start : sorted.firstDescent(start, stop);
      if (at >= 0) {
        const row = order[at]!;
        if (first === null || row < first.row) {
          const before = isEarlier ? last.value(group) : sorted.value(at - 1);
          first = { row, time: sorted.value(at), before };
        }
      }
      last.copyFrom(group, sorted, stop - 1);
      this.#isKnown[group] = 1;
    }
    return first;
  }

  #growTo(numGroups: number): void {
    if (numGroups <= this.#isKnown.length) return;
    const length = Math.max(numGroups, 2 * this.#isKnown.length, 64);
    this.#last = this.#last.resized(length);
    const isKnown = new Uint8Array(length);
    isKnown.set(this.#isKnown);
    this.#isKnown = isKnown;
  }
}
