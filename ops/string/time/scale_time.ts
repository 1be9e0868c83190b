import type { i32, Table } from "../../../gpu/kernel/language/row_function.ts";

/**
 * The row function that multiplies an integer of 64 bits by `c.factors`, each below 32768. Null where
 * the product does not fit.
 */
export function scaleTime(low: i32, high: i32, c: { factors: Table }): [i32, i32] | null {
  const isNegative = high < 0;
  const bottom = isNegative ? -low : low;
  const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
  if (top < 0) return null;
  let limb0 = bottom & 0xffff;
  let limb1 = bottom >>> 16;
  let limb2 = top & 0xffff;
  let limb3 = top >>> 16;
  for (let i = 0; i < c.factors.size; i++) {
    const factor = c.factors.at(i);
    limb0 = limb0 * factor;
    limb1 = limb1 * factor + (limb0 >>> 16);
    limb2 = limb2 * factor + (limb1 >>> 16);
    limb3 = limb3 * factor + (limb2 >>> 16);
    if (limb3 > 0x7fff) return null;
    limb0 &= 0xffff;
    limb1 &= 0xffff;
    limb2 &= 0xffff;
  }
  const scaledLow = limb0 | (limb1 << 16);
  const scaledHigh = limb2 | (limb3 << 16);
  if (!isNegative) return [scaledLow, scaledHigh];
  return [-scaledLow, ~scaledHigh + (scaledLow === 0 ? 1 : 0)];
}
