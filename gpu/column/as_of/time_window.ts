/**
 * The rows of a sorted build side that a sorted probe side may still meet, as both stream by.
 *
 * @module
 */

import { type AsOfRule, type BuildRange, matchTimes } from "./match_times.ts";
import { type TimeForm, Times } from "./times.ts";

/**
 * A window on the times of the build side: the piece that was pushed last, behind at most two rows of
 * the pieces before it. A pure machine; who owns the rows pushes a piece whenever `match` ends early,
 * and keeps those that `push` says.
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

  /** Whether the last piece has been pushed. */
  get isWhole(): boolean {
    return this.#range.isWhole;
  }

  /**
   * Replaces the window by the rows that it gives, and the piece behind them. To be called when
   * `match` ended early: the rows are those that the time at which it ended may still meet.
   */
  push(piece: Times): Int32Array {
    const kept = this.#keptRows();
    const parts = kept.length === 0 ? [piece] : [this.#times.pick(kept), piece];
    this.#times = Times.concat(parts, this.#form);
    this.#range = { first: 0, next: 0, stop: this.#times.length, isWhole: false };
    return kept;
  }

  /** Says that there are no more pieces. */
  end(): void {
    this.#range = { ...this.#range, isWhole: true };
  }

  /** Matches times of the probe side, as `matchTimes` does; rows are those of the window. */
  match(probe: Times, start: number, stop: number, matches: Int32Array): number {
    return matchTimes(this.#rule, probe, start, stop, this.#times, this.#range, matches);
  }

  /** The waiting time comes after all rows, or lies among them if `nearest` has yet to see the end of
   * the rows with one time. */
  #keptRows(): Int32Array {
    const { next, stop } = this.#range;
    if (stop === 0 || this.#rule.direction === "forward") return new Int32Array(0);
    if (next === 0 || next === stop) return Int32Array.of(stop - 1);
    return Int32Array.of(next - 1, stop - 1);
  }
}
