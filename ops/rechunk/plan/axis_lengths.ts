/**
 * Computes the candidate lengths of chunks along one axis in a chain of nested grids, and their possible
 * successors.
 *
 * @module
 */

import { product } from "../../../streams/formats/zarr/grid/grid.ts";
import { type Limits, mostStages } from "./limits.ts";

/** The candidate lengths along an axis, ascending, and the possible successors of each. */
export interface AxisLengths {
  readonly lengths: readonly number[];
  /** For each length, the indices of the lengths that nest with it, in the direction of the axis. */
  readonly next: readonly (readonly number[])[];
  /**
   * For each number of stages left and each length: the shortest length with whole chunks of the target
   * that a chain can end with. Infinity where there is none.
   */
  readonly ends: readonly (readonly number[])[];
}

/** The greatest length of an axis on which all lengths are candidates, in both directions. */
const shortAxis = 48;

/** The greatest ratio of source and target chunks at which chains may both grow and shrink. */
const nearlyEqual = 2;

/**
 * Returns the candidate lengths of one axis. They are multiples of the lengths that a chain can begin
 * or end with, by factors with many divisors, so that a chain finds successors. The whole axis, which
 * nests with every length, is a candidate too.
 */
export function axisLengths(limits: Limits, axis: number): AxisLengths {
  const { shape, source, target, maxItems } = limits;
  const whole = shape[axis]!;
  const from = source[axis]!;
  const to = target[axis]!;
  // The longest that fits with chunks of the source, or of the target, along the other axes.
  const longest = (chunk: readonly number[]) =>
    Math.min(whole, Math.floor(maxItems / (product(chunk) / chunk[axis]!)));
  const isShort = whole <= shortAxis;
  const least = isShort ? 1 : Math.min(from, to);
  const found = new Set([from, to, whole]);
  const bases = new Set([to, longest(source), longest(target)]);
  if (from < to) {
    for (const factor of [1, 2, 3, 4, 5, 6, 8]) {
      bases.add(from * factor);
      if (to * factor <= longest(target)) {
        for (const divisor of divisorsOf(to * factor)) found.add(divisor);
      }
    }
  } else found.add(Math.ceil(from / to) * to);
  for (const divisor of divisorsOf(whole)) found.add(divisor);
  for (const base of bases) {
    for (const factor of factors) {
      if (base * factor > whole) break;
      found.add(base * factor);
    }
  }
  if (isShort) { for (let length = 1; length <= whole; length++) found.add(length); }
  const lengths = [...found].filter((length) =>
    length >= least && length <= whole && length <= maxItems
  ).sort((a, b) => a - b);
  const grows = isShort
    ? "both"
    : from * nearlyEqual < to
    ? "up"
    : to * nearlyEqual < from
    ? "down"
    : "both";
  const next = lengths.map((length) =>
    lengths.flatMap((other, at) => {
      const fits = other === length ||
        (grows !== "down" && other > length && nests(length, other, whole)) ||
        (grows !== "up" && other < length && nests(other, length, whole));
      return fits ? [at] : [];
    })
  );
  const ends = [lengths.map((length) => length % to === 0 || length === whole ? length : Infinity)];
  for (let stages = 1; stages <= mostStages; stages++) {
    ends.push(next.map((places) => Math.min(...places.map((place) => ends[stages - 1]![place]!))));
  }
  return { lengths, next, ends };
}

/** Whether grids of two lengths nest: every chunk of the finer grid lies in one of the coarser. */
function nests(finer: number, coarser: number, whole: number): boolean {
  return coarser % finer === 0 || coarser >= whole;
}

/** Factors with small primes only: up to 13 for small factors, up to 5 for larger ones. */
const factors = smoothNumbers(4096, [2, 3, 5, 7, 11, 13]).concat(
  smoothNumbers(2 ** 30, [2, 3, 5]).filter((factor) => factor > 4096),
);

function smoothNumbers(most: number, primes: readonly number[]): number[] {
  let found = [1];
  for (const prime of primes) {
    found = found.flatMap((number) => {
      const powers: number[] = [];
      for (let power = number; power <= most; power *= prime) powers.push(power);
      return powers;
    });
  }
  return found.sort((a, b) => a - b);
}

function divisorsOf(number: number): number[] {
  const found: number[] = [];
  for (let divisor = 1; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) found.push(divisor, number / divisor);
  }
  return found;
}
