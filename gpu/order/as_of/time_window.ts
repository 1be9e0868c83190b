/**
 * The rows of a sorted build side that a sorted probe side may still match, while both are read.
 *
 * @module
 */

import { type AsOfRule, type BuildRange, matchTimes } from "./match_times.ts";
import { type TimeForm, Times } from "./times.ts";

/**
 * A window on the times of the build side: the batch that was pushed last, after at most one row of an
 * earlier batch. The owner of the rows pushes a batch whenever `match` ends early, and keeps its last row
 * if `push` says so.
 */
export class TimeWindow {
  readonly #rule: AsOfRule;
  readonly #form: TimeForm;
  #times: Times;
  #range: BuildRange = { first: 0, next: 0, stop: 0, isWhole: false };

  /** Creates an empty window of times of a form. */
  constructor(rule: AsOfRule, form: TimeForm) {
    this.#rule = rule;
    this.#form = form;
    this.#times = Times.zeros(0, form);
  }

  /** The number of rows of the window. */
  get length(): number {
    return this.#times.length;
  }

  /**
   * Replaces the window by a batch, after its own last row if that may still match. Returns whether it
   * kept that row. Call it when `match` ended early. `forward` matches no earlier row. A time that waits
   * for more rows can match only the last one: it is later than all of them, or nearest to their last
   * time, of which more rows may follow.
   */
  push(batch: Times): boolean {
    const last = this.#times.length - 1;
    const keepsLast = this.#rule.direction !== "forward" && last >= 0;
    const parts = keepsLast ? [this.#times.pick(Int32Array.of(last)), batch] : [batch];
    this.#times = Times.concat(parts, this.#form);
    this.#range = { first: 0, next: 0, stop: this.#times.length, isWhole: false };
    return keepsLast;
  }

  /** Ends the build side. */
  end(): void {
    this.#range = { ...this.#range, isWhole: true };
  }

  /** Matches times of the probe side with rows of the window, as `matchTimes` does. */
  match(probe: Times, start: number, stop: number, matches: Int32Array): number {
    return matchTimes(this.#rule, probe, start, stop, this.#times, this.#range, matches);
  }
}
