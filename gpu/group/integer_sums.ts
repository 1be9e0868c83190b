/**
 * Exact sums of integers. Each is kept as three words of 32 bits, in float64 that cannot round before
 * the next carry.
 *
 * @module
 */

import { GroupOverflowError } from "../../base/errors/value_error.ts";
import { bitAt } from "../column/bitmap.ts";
import { type HostColumn, viewAs } from "../column/column.ts";
import { intsIn } from "../column/numbers.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";
import { firstBytes, FLOAT64, grown, INT64, valueColumn } from "./group_values.ts";

const WORD = 0x1_0000_0000;
/** The rows between two carries: the sum of as many words is below 2^53. */
const CARRY_ROWS = 1 << 20;

/** The exact sums of integers or bools, and the numbers of their values. */
class IntegerSums {
  /** The low and the high words of each sum, and the carries of the high ones. */
  #low = new Float64Array(0);
  #high = new Float64Array(0);
  #top = new Float64Array(0);
  #counts = new Float64Array(0);
  #rowsSinceCarry = 0;

  get numBytes(): number {
    return 4 * this.#low.byteLength;
  }

  /** Adds the values that are not null. */
  add({ groups, numGroups, inputs: [input] }: GroupedInput): void {
    this.#grow(numGroups);
    for (let start = 0; start < groups.length;) {
      const stop = Math.min(groups.length, start + CARRY_ROWS - this.#rowsSinceCarry);
      this.#addRows(groups, input!, start, stop);
      this.#rowsSinceCarry += stop - start;
      if (this.#rowsSinceCarry === CARRY_ROWS) this.#carry();
      start = stop;
    }
  }

  /** Completes the sums, so that they can be read. */
  finish(numGroups: number): void {
    this.#grow(numGroups);
    this.#carry();
  }

  /** Returns the number of values of a group. */
  count(group: number): number {
    return this.#counts[group]!;
  }

  /** Returns the sum of a group. */
  sum(group: number): bigint {
    const high = (BigInt(this.#top[group]!) << 32n) + BigInt(this.#high[group]!);
    return (high << 32n) + BigInt(this.#low[group]!);
  }

  /** Returns the sum of a group, rounded to a float64. */
  float(group: number): number {
    const high = this.#top[group]! * WORD + this.#high[group]!;
    const isExact = Math.abs(high) < 2 ** 20;
    return isExact ? high * WORD + this.#low[group]! : Number(this.sum(group));
  }

  /** Writes the low 64 bits of the sum of a group; returns whether the others are its sign. */
  write(group: number, words: Int32Array, signed: boolean): boolean {
    const [high, top] = [this.#high[group]!, this.#top[group]!];
    words[2 * group] = this.#low[group]!;
    words[2 * group + 1] = high;
    return top === (signed && high >= WORD / 2 ? -1 : 0);
  }

  /** Marks the groups that have a value with 1. */
  valid(numGroups: number): Uint8Array {
    return Uint8Array.from({ length: numGroups }, (_, group) => this.count(group) > 0 ? 1 : 0);
  }

  #grow(numGroups: number): void {
    this.#low = grown(this.#low, numGroups);
    this.#high = grown(this.#high, numGroups);
    this.#top = grown(this.#top, numGroups);
    this.#counts = grown(this.#counts, numGroups);
  }

  #addRows(groups: Int32Array, input: HostColumn, start: number, stop: number): void {
    const { type, data, nullCount } = input;
    const validity = nullCount === 0 ? null : input.validity;
    const [low, high, counts] = [this.#low, this.#high, this.#counts];
    const isWide = type.kind === "int" && type.bits === 64;
    // A narrow value is one float64 with its own sign.
    const values = type.kind === "int" && !isWide ? intsIn(type, data) : null;
    const lows = isWide ? viewAs(Uint32Array, data) : null;
    const highs = isWide && type.signed ? viewAs(Int32Array, data) : lows;
    for (let row = start; row < stop; row++) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      const group = groups[row]!;
      counts[group]!++;
      if (values !== null) low[group]! += values[row]!;
      else if (lows === null) low[group]! += bitAt(data, row);
      else {
        low[group]! += lows[2 * row]!;
        high[group]! += highs![2 * row + 1]!;
      }
    }
  }

  /** Moves what exceeds a word to the next one. */
  #carry(): void {
    const [low, high, top] = [this.#low, this.#high, this.#top];
    for (let group = 0; group < low.length; group++) {
      const carry = Math.floor(low[group]! / WORD);
      low[group]! -= carry * WORD;
      const sum = high[group]! + carry;
      const topCarry = Math.floor(sum / WORD);
      high[group] = sum - topCarry * WORD;
      top[group]! += topCarry;
    }
    this.#rowsSinceCarry = 0;
  }
}

/**
 * Sums of integers in 64 bits; null without values. A sum that does not fit is a GroupOverflowError, or null if
 * the state is lenient.
 */
export class IntegerSumState implements GroupState {
  readonly #sums = new IntegerSums();
  readonly #signed: boolean;
  readonly #isLenient: boolean;

  /** The result is signed or not. */
  constructor(signed: boolean, isLenient = false) {
    this.#signed = signed;
    this.#isLenient = isLenient;
  }

  get numBytes(): number {
    return this.#sums.numBytes;
  }

  add(rows: GroupedInput): void {
    this.#sums.add(rows);
  }

  finish(numGroups: number): HostColumn {
    const sums = this.#sums;
    sums.finish(numGroups);
    const words = new Int32Array(2 * numGroups);
    const isValid = sums.valid(numGroups);
    for (let group = 0; group < numGroups; group++) {
      if (sums.write(group, words, this.#signed)) continue;
      if (!this.#isLenient) throw new GroupOverflowError(group, sums.sum(group));
      isValid[group] = 0;
      words.fill(0, 2 * group, 2 * group + 2);
    }
    const type = { ...INT64, signed: this.#signed };
    return valueColumn(type, firstBytes(words, words.length), numGroups, isValid);
  }
}

/** Means of integers: the exact sum, rounded to a float64, divided by the number of values. */
export class IntegerMeanState implements GroupState {
  readonly #sums = new IntegerSums();

  get numBytes(): number {
    return this.#sums.numBytes;
  }

  add(rows: GroupedInput): void {
    this.#sums.add(rows);
  }

  finish(numGroups: number): HostColumn {
    const sums = this.#sums;
    sums.finish(numGroups);
    const means = Float64Array.from(
      { length: numGroups },
      (_, group) => sums.float(group) / sums.count(group),
    );
    return valueColumn(FLOAT64, firstBytes(means, numGroups), numGroups, sums.valid(numGroups));
  }
}
