/**
 * Variance, standard deviation and correlation from exact sums, so that no value cancels another.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { type HostColumn, viewAs } from "../column/column.ts";
import { intsIn } from "../column/numbers.ts";
import { Counts } from "./counts.ts";
import { ExactSums } from "./exact_sums.ts";
import { LEAST_EXPONENT, nearestQuotient, nearestRoot } from "../column/fixed_point.ts";
import { floatColumn, floatsOf, validityOf } from "./float_sums.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";

/** A measure of the spread of values. */
type Spread = "variance" | "std";

/**
 * The variance of the values that are not null, rounded once, or its square root. The divisor is their
 * number minus `ddof`; null if that is not positive.
 */
export class SpreadState implements GroupState {
  readonly #of: Spread;
  readonly #ddof: number;
  readonly #counts = new Counts();
  readonly #sums = new ExactSums();
  readonly #squares = new ExactSums("products");

  constructor(of: Spread, ddof: number) {
    this.#of = of;
    this.#ddof = ddof;
  }

  get numBytes(): number {
    return this.#counts.numBytes + this.#sums.numBytes + this.#squares.numBytes;
  }

  add(rows: GroupedInput): void {
    const { groups, numGroups, inputs: [input] } = rows;
    const [values, validity] = [asFloats(input!), validityOf(input!)];
    this.#counts.add(rows);
    this.#sums.grow(numGroups);
    this.#squares.grow(numGroups);
    for (let row = 0; row < groups.length; row++) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      const [group, value] = [groups[row]!, values[row]!];
      this.#sums.add(group, value);
      this.#squares.addProduct(group, value, value);
    }
  }

  finish(numGroups: number): HostColumn {
    const counts = this.#counts.values(numGroups);
    this.#sums.grow(numGroups);
    this.#squares.grow(numGroups);
    return floatColumn(numGroups, (group) => {
      const divisor = counts[group]! - this.#ddof;
      if (divisor <= 0) return undefined;
      if (this.#sums.special(group) !== undefined) return NaN;
      const count = BigInt(counts[group]!);
      const spread = spreadOf(count, this.#squares.fixed(group), this.#sums, this.#sums, group);
      const rootOf = this.#of === "variance" ? nearestQuotient : nearestRoot;
      return rootOf(spread, count * BigInt(divisor), 2 * LEAST_EXPONENT);
    });
  }
}

/**
 * Pearson's correlation of the pairs of values that are both not null; null for fewer than two pairs,
 * and NaN where one side has no spread.
 */
export class CorrelationState implements GroupState {
  readonly #counts = new Counts();
  readonly #left = new ExactSums();
  readonly #right = new ExactSums();
  readonly #products = ["left", "right", "both"].map(() => new ExactSums("products"));

  get numBytes(): number {
    return [this.#counts, this.#left, this.#right, ...this.#products]
      .reduce((sum, { numBytes }) => sum + numBytes, 0);
  }

  add({ groups, numGroups, inputs: [left, right] }: GroupedInput): void {
    const validities = [left!, right!].map(validityOf);
    const [xs, ys] = [asFloats(left!), asFloats(right!)];
    const [ofLeft, ofRight, ofBoth] = this.#products as [ExactSums, ExactSums, ExactSums];
    this.#grow(numGroups);
    const paired = groups.filter((_, row) => isPaired(validities, row));
    this.#counts.add({ groups: paired, numGroups, inputs: [] });
    for (let row = 0; row < groups.length; row++) {
      if (!isPaired(validities, row)) continue;
      const [group, x, y] = [groups[row]!, xs[row]!, ys[row]!];
      this.#left.add(group, x);
      this.#right.add(group, y);
      ofLeft.addProduct(group, x, x);
      ofRight.addProduct(group, y, y);
      ofBoth.addProduct(group, x, y);
    }
  }

  finish(numGroups: number): HostColumn {
    this.#grow(numGroups);
    const counts = this.#counts.values(numGroups);
    return floatColumn(numGroups, (group) => {
      if (counts[group]! < 2) return undefined;
      const [left, right] = [this.#left, this.#right];
      if (left.special(group) !== undefined || right.special(group) !== undefined) return NaN;
      const count = BigInt(counts[group]!);
      const [ofLeft, ofRight, ofBoth] = this.#products.map((sums) => sums.fixed(group));
      const spreadX = spreadOf(count, ofLeft!, left, left, group);
      const spreadY = spreadOf(count, ofRight!, right, right, group);
      const spreadXY = spreadOf(count, ofBoth!, left, right, group);
      if (spreadX === 0n || spreadY === 0n) return NaN;
      // The square has no unit, so that it neither overflows nor vanishes.
      const size = nearestRoot(spreadXY * spreadXY, spreadX * spreadY, 0);
      return spreadXY < 0n ? -size : size;
    });
  }

  #grow(numGroups: number): void {
    for (const sums of [this.#left, this.#right, ...this.#products]) sums.grow(numGroups);
  }
}

/** Returns `count` times the sum of products, less the product of the sums, in units of 2^-2148. */
function spreadOf(
  count: bigint,
  products: bigint,
  left: ExactSums,
  right: ExactSums,
  group: number,
): bigint {
  return count * products - left.fixed(group) * right.fixed(group);
}

function isPaired(validities: readonly (Uint8Array | null)[], row: number): boolean {
  return validities.every((validity) => validity === null || bitAt(validity, row) === 1);
}

/** Returns numbers or bools as floats; an integer of 64 bits becomes the nearest one. */
export function asFloats(column: HostColumn): ArrayLike<number> {
  const { type, data, length } = column;
  if (type.kind === "bool") return Uint8Array.from({ length }, (_, row) => bitAt(data, row));
  if (type.kind !== "int") return floatsOf(column);
  if (type.bits < 64) return intsIn(type, data);
  const values = type.signed ? viewAs(BigInt64Array, data) : viewAs(BigUint64Array, data);
  return Float64Array.from({ length }, (_, row) => Number(values[row]!));
}
