/**
 * The rows of a sorted build side that a sorted probe side may still meet, as both stream by.
 *
 * @module
 */

import { type AsOfRule, type BuildRange, matchTimes } from "./match_times.ts";
import { type TimeForm, Times } from "./times.ts";

/**
 * A window on the times of the build side: the piece that was pushed last, behind at most one row of
 * the pieces before it. A pure machine; who owns the rows pushes a piece whenever `match` ends early,
 * and keeps the row that `push` says.
 */
export class TimeWindow {
  readonly #rule: AsOfRule;
  readonly #form: TimeForm;
  #times: Times;
  #range: BuildRange = { first: 0, next: 0, stop: 0, isWhole: false };

  /** Empty, with times of a form. */
  constructor(rule: AsOfRule, form: TimeForm) {
    this.#rule = rule;
    this.#form = form;
    this.#times = Times.zeros(0, form);
  }

  /** Rows of the window. */
  get length(): number {
    return this.#times.length;
  }

  /**
   * Replaces the window by a piece, behind its own last row where that may still be met; says whether
   * it is. To be called when `match` ended early. `forward` meets no row that was seen. A time that
   * waits for others meets no row but the last one: it comes after all of them, or is nearest to their
   * last time, of which more rows may follow.
   */
  push(piece: Times): boolean {
    const last = this.#times.length - 1;
    const keepsLast = this.#rule.direction !== "forward" && last >= 0;
    const parts = keepsLast ? [this.#times.pick(Int32Array.of(last)), piece] : [piece];
    this.#times = Times.concat(parts, this.#form);
    this.#range = { first: 0, next: 0, stop: this.#times.length, isWhole: false };
    return keepsLast;
  }

  /** Says that there are no more pieces. */
  end(): void {
    this.#range = { ...this.#range, isWhole: true };
  }

  /** Matches times of the probe side, as `matchTimes` does; rows are those of the window. */
  match(probe: Times, start: number, stop: number, matches: Int32Array): number {
    return matchTimes(this.#rule, probe, start, stop, this.#times, this.#range, matches);
  }
}
