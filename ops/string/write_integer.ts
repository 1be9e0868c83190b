import type { i32, Sink } from "../../gpu/kernel/language/row_function.ts";

/**
 * The row function that writes an integer of 64 bits in decimal digits. `c.signed` is 1 or 0.
 *
 * What fits into 32 bits is divided as it is; the rest is cut into five parts of four digits, by
 * long division of four limbs of 16 bits.
 */
export function writeInteger(out: Sink, low: i32, high: i32, c: { signed: i32 }) {
  const isNegative = c.signed === 1 && high < 0;
  if (isNegative) out.put(0x2d);
  const bottom = isNegative ? -low : low;
  const top = isNegative ? ~high + (low === 0 ? 1 : 0) : high;
  if (top === 0 && bottom >= 0) {
    let divisor = 1;
    while (bottom / divisor >= 10) divisor *= 10;
    for (; divisor > 0; divisor = divisor / 10) out.put(0x30 + (bottom / divisor) % 10);
    return;
  }
  let limb3 = top >>> 16;
  let limb2 = top & 0xffff;
  let limb1 = bottom >>> 16;
  let limb0 = bottom & 0xffff;
  let part0 = 0;
  let part1 = 0;
  let part2 = 0;
  let part3 = 0;
  for (let i = 0; i < 4; i++) {
    const from2 = ((limb3 % 10000) << 16) | limb2;
    const from1 = ((from2 % 10000) << 16) | limb1;
    const from0 = ((from1 % 10000) << 16) | limb0;
    limb3 = limb3 / 10000;
    limb2 = from2 / 10000;
    limb1 = from1 / 10000;
    limb0 = from0 / 10000;
    part3 = part2;
    part2 = part1;
    part1 = part0;
    part0 = from0 % 10000;
  }
  // What is left is the first part; the others follow in the order in which they were pushed.
  let isBegun = false;
  for (let i = 0; i < 5; i++) {
    const part = i === 0 ? limb0 : i === 1 ? part0 : i === 2 ? part1 : i === 3 ? part2 : part3;
    for (let divisor = 1000; divisor > 0; divisor = divisor / 10) {
      const digit = (part / divisor) % 10;
      if (digit !== 0) isBegun = true;
      if (isBegun) out.put(0x30 + digit);
    }
  }
}
