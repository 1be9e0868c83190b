import type { i32 } from "../../../gpu/kernel/language/row_function.ts";

/** The row function that makes microseconds of nanoseconds, rounded down. */
export function shrinkTime(low: i32, high: i32): [i32, i32] {
  // The quotient of ~x is ~q.
  const mask = high >> 31;
  const limb1 = (low ^ mask) >>> 16;
  const limb2 = (high ^ mask) & 0xffff;
  const limb3 = (high ^ mask) >>> 16;
  const from2 = ((limb3 % 1000) << 16) | limb2;
  const from1 = ((from2 % 1000) << 16) | limb1;
  const from0 = ((from1 % 1000) << 16) | ((low ^ mask) & 0xffff);
  const quotientLow = (from0 / 1000) | ((from1 / 1000) << 16);
  const quotientHigh = (from2 / 1000) | ((limb3 / 1000) << 16);
  return [quotientLow ^ mask, quotientHigh ^ mask];
}
