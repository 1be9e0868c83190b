/**
 * The times of a whole build side, sorted by group.
 *
 * @module
 */

import type { GroupedRows } from "../group_rows.ts";
import { type AsOfRule, matchTimes } from "./match_times.ts";
import type { Times } from "./times.ts";

/** Matches the times of a probe side with those of their groups. */
export class GroupedTimes {
  readonly #rule: AsOfRule;
  readonly #times: Times;
  /** The row of the build side of each time. */
  readonly #order: Int32Array;
  /** The place at which each group begins among the times, and the end; then where each search goes on. */
  readonly #starts: Int32Array;
  readonly #stops: Int32Array;
  readonly #nexts: Int32Array;

  /** `sorted` are the times in the order of `rows`, each sorted within its group. */
  constructor(
    rule: AsOfRule,
    sorted: Times,
    { order, groups, starts }: GroupedRows,
    numGroups: number,
  ) {
    this.#rule = rule;
    this.#times = sorted;
    this.#order = order;
    this.#starts = new Int32Array(numGroups);
    this.#stops = new Int32Array(numGroups);
    for (let index = 0; index < groups.length; index++) {
      this.#starts[groups[index]!] = starts[index]!;
      this.#stops[groups[index]!] = starts[index + 1]!;
    }
    this.#nexts = this.#starts.slice();
  }

  /**
   * Writes the match of each row of a batch, or -1, to `matches`. `sorted` are the times in the order of
   * `rows`. Groups that the build side lacks have no matches. Batches come in order.
   */
  match(sorted: Times, { order, groups, starts }: GroupedRows, matches: Int32Array): void {
    const found = new Int32Array(sorted.length).fill(-1);
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index]!;
      if (group >= this.#stops.length) continue;
      const range = {
        first: this.#starts[group]!,
        next: this.#nexts[group]!,
        stop: this.#stops[group]!,
        isWhole: true,
      };
      matchTimes(this.#rule, sorted, starts[index]!, starts[index + 1]!, this.#times, range, found);
      this.#nexts[group] = range.next;
    }
    for (let at = 0; at < found.length; at++) {
      matches[order[at]!] = found[at]! < 0 ? -1 : this.#order[found[at]!]!;
    }
  }
}
