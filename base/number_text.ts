/**
 * Formats decimals.
 *
 * @module
 */

/** Returns the integer that `count` words from `start` encode: little endian, in two's complement. */
export function integerOf(words: Uint32Array, start = 0, count: number = words.length): bigint {
  let bits = 0n;
  for (let i = start + count - 1; i >= start; i--) bits = (bits << 32n) | BigInt(words[i]!);
  return BigInt.asIntN(32 * count, bits);
}

/** Formats an integer with a point `scale` digits from the right: `-0.50`. A scale below 0 appends zeros. */
export function decimalText(value: bigint, scale: number): string {
  if (scale <= 0) return value === 0n ? "0" : `${value}${"0".repeat(-scale)}`;
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
