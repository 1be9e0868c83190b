/**
 * Distances of times, compared without rounding.
 *
 * The difference of two 64-bit integers may need 65 bits, and that of two floats more than a float
 * has: it is a pair of numbers here, one of which takes what the other has no room for. For floats
 * that is the error of the subtraction, by the algorithm of Knuth (The Art of Computer Programming,
 * volume 2, 4.2.2).
 *
 * @module
 */

import type { Times } from "./times.ts";

/** The most that two times may lie apart: 0 or more, finite, and like the times in two parts. */
export interface Tolerance {
  readonly high: number;
  /** Below 2^32; 0 for times that are floats. */
  readonly low: number;
}

/**
 * Whether a time and one that is not after it are at most `tolerance` apart. Equal times are 0
 * apart, infinities and NaN too; else both are infinitely far from all other times.
 */
export function isWithin(
  later: Times,
  laterRow: number,
  earlier: Times,
  earlierRow: number,
  tolerance: Tolerance,
): boolean {
  const high = later.high[laterRow]!;
  const base = earlier.high[earlierRow]!;
  if (later.low === null) {
    if (high === base) return true;
    const distance = high - base;
    if (distance !== tolerance.high) {
      return distance < tolerance.high || (Number.isNaN(high) && Number.isNaN(base));
    }
    return lostBits(high, base, distance) <= 0;
  }
  const rest = later.low[laterRow]! - earlier.low![earlierRow]!;
  const whole = rest < 0 ? high - base - 2 ** 32 : high - base;
  if (whole !== tolerance.high) return whole < tolerance.high;
  return (rest < 0 ? rest + 2 ** 32 : rest) <= tolerance.low;
}

/**
 * Whether, of a time that is not after that of `probeRow` and one that is after it, the second is
 * nearer; neither where both are as far.
 */
export function isNearerAfter(
  probe: Times,
  probeRow: number,
  build: Times,
  before: number,
  after: number,
): boolean {
  const time = probe.high[probeRow]!;
  const earlier = build.high[before]!;
  const later = build.high[after]!;
  if (probe.low === null) {
    if (time === earlier) return false;
    if (earlier === -Infinity) return Number.isFinite(later);
    const toEarlier = time - earlier;
    const toLater = later - time;
    if (toEarlier !== toLater) return toLater < toEarlier;
    // No two differences of finite numbers that add up to a third one both overflow: what is infinite
    // here is the later one, and lostBits is NaN.
    return lostBits(later, time, toLater) < lostBits(time, earlier, toEarlier);
  }
  const remainder = probe.low[probeRow]!;
  let restEarlier = remainder - build.low![before]!;
  let toEarlier = time - earlier;
  if (restEarlier < 0) {
    restEarlier += 2 ** 32;
    toEarlier -= 2 ** 32;
  }
  let restLater = build.low![after]! - remainder;
  let toLater = later - time;
  if (restLater < 0) {
    restLater += 2 ** 32;
    toLater -= 2 ** 32;
  }
  return toLater === toEarlier ? restLater < restEarlier : toLater < toEarlier;
}

/** What `left - right` is more than its rounded value; exact where that is finite. */
function lostBits(left: number, right: number, rounded: number): number {
  const back = rounded - left;
  return (left - (rounded - back)) - (right + back);
}
