/**
 * Writes the shortest decimal number that reads back as the same float of `bits` at `at`, and gives
 * its bytes: as JavaScript writes it, `0.1`, `1e+21`, `NaN`, `-Infinity`; a whole number has `.0`
 * behind it, and so is never taken for an integer. What lies past the end of `out` is not written.
 *
 * @example
 * ```ts
 * import { writeFloat } from "./write_float.ts";
 *
 * const out = new Uint8Array(8);
 * const size = writeFloat(out, 0, -2, 64);
 * const text = new TextDecoder().decode(out.subarray(0, size));
 * if (text !== "-2.0") throw new Error(text);
 * ```
 */
export function writeFloat(out: Uint8Array, at: number, value: number, bits: 32 | 64): number {
  const text = floatText(bits === 32 ? shortest(value) : value);
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
  return text.length;
}

/** The number of the fewest digits that is nearest to a float of 32 bits. */
function shortest(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value) && Math.abs(value) < 2 ** 24) return value;
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return Number(value.toPrecision(9));
}

function floatText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}
