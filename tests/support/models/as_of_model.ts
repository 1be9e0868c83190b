/**
 * As-of joins as their documentation puts them, row by row and with exact numbers: what the tests
 * hold the machines against.
 */

import type { AsOfDirection } from "../../../gpu/order/as_of/match_times.ts";

/** A time: a number of a float column, or an integer. */
export type ModelTime = number | bigint;

/** What is looked for. The tolerance is exact: a float or an integer, as the times are. */
export interface ModelRule {
  readonly direction: AsOfDirection;
  readonly tolerance: ModelTime | null;
}

const bits = new DataView(new ArrayBuffer(8));

/** A finite number as an integer, all of them multiplied by 2^1074. */
function scaled(value: ModelTime): bigint {
  if (typeof value === "bigint") return value << 1074n;
  bits.setFloat64(0, value);
  const word = bits.getBigUint64(0);
  const exponent = (word >> 52n) & 0x7ffn;
  const fraction = word & ((1n << 52n) - 1n);
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -size : size;
}

/** The order of times: NaN comes last. */
export function compareTimes(left: ModelTime, right: ModelTime): number {
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/** How far two times lie apart; undefined stands for infinitely far. */
function distance(left: ModelTime, right: ModelTime): bigint | undefined {
  if (compareTimes(left, right) === 0) return 0n;
  const isFinite = (time: ModelTime) => typeof time === "bigint" || Number.isFinite(time);
  if (!isFinite(left) || !isFinite(right)) return undefined;
  const difference = scaled(left) - scaled(right);
  return difference < 0n ? -difference : difference;
}

function isNearer(left: bigint | undefined, right: bigint | undefined): boolean {
  return left !== undefined && (right === undefined || left < right);
}

/** The place of the build row that a time meets, or -1. Null times are met by nothing. */
export function modelMatch(
  { direction, tolerance }: ModelRule,
  time: ModelTime | null,
  build: readonly (ModelTime | null)[],
): number {
  if (time === null) return -1;
  let best = -1;
  for (const [row, other] of build.entries()) {
    if (other === null) continue;
    const order = compareTimes(other, time);
    if (direction === "backward" && order > 0) continue;
    if (direction === "forward" && order < 0) continue;
    if (best < 0) {
      best = row;
      continue;
    }
    const known = build[best]!;
    const between = compareTimes(other, known);
    const isSame = between === 0;
    const knownOrder = compareTimes(known, time);
    // On one side of a time the next one is the nearest, however far: infinities have an order too.
    const isOneSide = order > 0 === knownOrder > 0;
    const ofOther = distance(other, time);
    const ofKnown = distance(known, time);
    const isBetter = isOneSide
      ? (order > 0 ? between < 0 : between > 0)
      : isNearer(ofOther, ofKnown) || (!isNearer(ofKnown, ofOther) && between < 0);
    if (isBetter || (isSame && direction !== "forward")) best = row;
  }
  if (best < 0 || tolerance === null) return best;
  const far = distance(build[best]!, time);
  return far !== undefined && far <= scaled(tolerance) ? best : -1;
}
