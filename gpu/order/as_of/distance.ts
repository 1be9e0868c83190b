/**
 * Distances of times, compared without rounding.
 *
 * The difference of two 64-bit integers may need 65 bits, and that of two floats more bits than a float
 * has. So a difference is a pair of numbers, the second of which has the bits that the first lacks. For
 * floats it is the error of the subtraction, by the algorithm of Knuth (The Art of Computer Programming,
 * volume 2, 4.2.2).
 *
 * @module
 */

import type { Times } from "./times.ts";

/** The greatest distance of two times: finite, 0 or more, and in two parts as the times are. */
export interface Tolerance {
  readonly high: number;
  /** Below 2^32; 0 for times that are floats. */
  readonly low: number;
}

/**
 * Whether a time and one that is not later are at most `tolerance` apart. Equal times are 0 apart, also
 * infinities and NaN, which are infinitely far from all other times.
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
 * Whether of two times around that of `probeRow`, one not later and one later, the later one is nearer.
 * False if both are as far.
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
    // Of two differences of finite numbers that add up to a third one only one overflows: here the later
    // one, of which lostBits is NaN.
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

/** Returns the error of the rounded difference of `left` and `right`; exact if the difference is finite. */
function lostBits(left: number, right: number, rounded: number): number {
  const back = rounded - left;
  return (left - (rounded - back)) - (right + back);
}
