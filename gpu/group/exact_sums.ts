/**
 * Exact sums of floats, rounded once, as Python's `math.fsum`. So no order of rows, no batch and no
 * thread changes a bit.
 *
 * A sum is a pair of float64, whose exact sum it is. Each value is added by two TwoSum steps (Knuth, The
 * Art of Computer Programming, volume 2, 4.2.2), which split a sum of two floats in the rounded sum and
 * its error. 106 bits are enough for nearly all data. The rest of a sum that needs more is a big integer
 * in units of the least float.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import type { Floats } from "../column/numbers.ts";
import { grown } from "./group_values.ts";
import { fixedOf, LEAST_EXPONENT, nearestFloat } from "../column/fixed_point.ts";

/** The flags of a group. */
const SEEN = 1;
const NAN = 2;
const PLUS = 4;
const MINUS = 8;

/** The greatest factor whose product with another one splits exactly, and the least. */
const MOST_FACTOR = 2 ** 500;
const LEAST_FACTOR = 2 ** -480;
/** Splits a float64 in two of 26 bits (Dekker). */
const SPLIT = 2 ** 27 + 1;

/** The exact sums of the floats of each group. */
export class ExactSums {
  #sums = new Float64Array(0);
  #errors = new Float64Array(0);
  #flags = new Uint8Array(0);
  readonly #rests = new Map<number, bigint>();
  /** The rests are in units of 2^-unit. */
  readonly unit: number;

  /** Sums of products need twice the range of exponents. */
  constructor(of: "values" | "products" = "values") {
    this.unit = of === "values" ? LEAST_EXPONENT : 2 * LEAST_EXPONENT;
  }

  /** The approximate bytes of memory that it occupies. */
  get numBytes(): number {
    return 17 * this.#sums.length + 300 * this.#rests.size;
  }

  /** Reserves space for groups. */
  grow(numGroups: number): void {
    this.#sums = grown(this.#sums, numGroups);
    this.#errors = grown(this.#errors, numGroups);
    this.#flags = grown(this.#flags, numGroups);
  }

  /** Adds the values of rows that are not null. */
  addAll(groups: Int32Array, values: Floats, validity: Uint8Array | null): void {
    for (let row = 0; row < groups.length; row++) {
      if (validity === null || bitAt(validity, row) === 1) this.add(groups[row]!, values[row]!);
    }
  }

  /** Adds a value to the sum of a group. */
  add(group: number, value: number): void {
    const before = this.#sums[group]!;
    const sum = before + value;
    const part = sum - before;
    const error = (before - (sum - part)) + (value - part);
    const errorBefore = this.#errors[group]!;
    const errors = errorBefore + error;
    const errorPart = errors - errorBefore;
    const rest = (errorBefore - (errors - errorPart)) + (error - errorPart);
    this.#flags[group]! |= SEEN;
    if (rest === 0) {
      this.#sums[group] = sum;
      this.#errors[group] = errors;
    } else this.#addRest(group, value);
  }

  /** Adds the exact product of two values. */
  addProduct(group: number, left: number, right: number): void {
    if (!isSplittable(left) || !isSplittable(right)) {
      this.#flags[group]! |= SEEN;
      const product = left * right;
      if (left === 0 || right === 0 || !Number.isFinite(left) || !Number.isFinite(right)) {
        this.add(group, product);
      } else this.#addFixed(group, fixedOf(left, LEAST_EXPONENT) * fixedOf(right, LEAST_EXPONENT));
      return;
    }
    const product = left * right;
    const [leftHigh, rightHigh] = [highHalf(left), highHalf(right)];
    const [leftLow, rightLow] = [left - leftHigh, right - rightHigh];
    const error = leftLow * rightLow -
      (((product - leftHigh * rightHigh) - leftLow * rightHigh) - leftHigh * rightLow);
    this.add(group, product);
    this.add(group, error);
  }

  /** Whether a group has a value. */
  isSeen(group: number): boolean {
    return this.#flags[group] !== 0;
  }

  /** Returns the sum of a group, rounded once. */
  float(group: number): number {
    const special = this.special(group);
    if (special !== undefined) return special;
    // The nearest float to the exact sum of two.
    if (!this.#rests.has(group)) return this.#sums[group]! + this.#errors[group]!;
    return nearestFloat(this.fixed(group), this.unit);
  }

  /** Returns NaN or an infinity if that is the sum of a group. */
  special(group: number): number | undefined {
    const flags = this.#flags[group]!;
    if (flags <= SEEN) return undefined;
    if ((flags & NAN) !== 0 || (flags & PLUS) !== 0 && (flags & MINUS) !== 0) return NaN;
    return (flags & PLUS) !== 0 ? Infinity : -Infinity;
  }

  /** Returns the exact sum of a group in units of 2^-unit. */
  fixed(group: number): bigint {
    const rest = this.#rests.get(group) ?? 0n;
    return fixedOf(this.#sums[group]!, this.unit) + fixedOf(this.#errors[group]!, this.unit) + rest;
  }

  /** Adds a value that does not fit the pair of floats. */
  #addRest(group: number, value: number): void {
    if (Number.isFinite(value)) this.#addFixed(group, fixedOf(value, this.unit));
    else this.#flags[group]! |= Number.isNaN(value) ? NAN : value > 0 ? PLUS : MINUS;
  }

  #addFixed(group: number, value: bigint): void {
    this.#rests.set(group, (this.#rests.get(group) ?? 0n) + value);
  }
}

function isSplittable(value: number): boolean {
  const size = Math.abs(value);
  return size <= MOST_FACTOR && size >= LEAST_FACTOR;
}

function highHalf(value: number): number {
  const scaled = SPLIT * value;
  return scaled - (scaled - value);
}
