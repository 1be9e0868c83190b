/**
 * The exact sum of floats, rounded once.
 *
 * @module
 */

import { fixedOf, LEAST_EXPONENT, nearestFloat } from "./fixed_point.ts";

/**
 * Returns the float64 nearest to the sum of numbers. Partial sums that do not overlap hold it exactly: J. R.
 * Shewchuk, "Adaptive Precision Floating-Point Arithmetic" (1997). The sum of none is 0.
 */
export function floatSum(values: readonly number[]): number {
  if (values.length < 3) return (values[0] ?? 0) + (values[1] ?? 0) + 0;
  const plain = values.reduce((sum, value) => sum + value, 0);
  if (!Number.isFinite(plain)) return values.every(Number.isFinite) ? exactSum(values) : plain;
  const parts: number[] = [];
  for (let value of values) {
    let kept = 0;
    for (let i = 0; i < parts.length; i++) {
      let part = parts[i]!;
      if (Math.abs(value) < Math.abs(part)) [value, part] = [part, value];
      const high = value + part;
      const low = part - (high - value);
      if (low !== 0) parts[kept++] = low;
      value = high;
    }
    parts.length = kept;
    parts.push(value);
  }
  return parts.every(Number.isFinite) ? nearestOf(parts) + 0 : exactSum(values);
}

/** Returns the float nearest to the sum of parts that do not overlap, the least first. */
function nearestOf(parts: number[]): number {
  let high = parts.pop() ?? 0;
  let low = 0;
  while (parts.length > 0) {
    const before = high;
    const part = parts.pop()!;
    high = before + part;
    low = part - (high - before);
    if (low !== 0) break;
  }
  // A tie was rounded to the even float; what is left decides where it belongs.
  const rest = parts.at(-1) ?? 0;
  if ((low < 0 && rest < 0) || (low > 0 && rest > 0)) {
    const twice = low * 2;
    const other = high + twice;
    if (other - high === twice) return other;
  }
  return high;
}

/** Does the same by integers, for partial sums beyond the range of floats. */
function exactSum(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + fixedOf(value, LEAST_EXPONENT), 0n);
  return nearestFloat(sum, LEAST_EXPONENT);
}
