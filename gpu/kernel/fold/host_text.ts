/**
 * What only a host does with text, for its kernels and for the interpreter: floats from text and to
 * text, and the normal forms of Unicode.
 *
 * @module
 */

/**
 * The float64 nearest to the number that a text is: as JavaScript's `Number` reads it, and the words
 * `inf` and `infinity` in any case. NaN for any other text, white space included.
 */
export function decimalOfText(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  // Number("") is 0, and so is white space.
  return text.trim() === "" ? NaN : Number(text);
}

/**
 * The shortest decimal number that reads back as the same float of `bits`, as JavaScript writes it:
 * `0.1`, `1e+21`, `NaN`, `-Infinity`. A whole number has `.0` behind it, and so is never taken for an
 * integer.
 */
export function textOfFloat(value: number, bits: 16 | 32 | 64): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(bits === 64 ? value : shortest(value, bits));
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The number of the fewest digits that is nearest to a float of 16 or 32 bits. */
function shortest(value: number, bits: 16 | 32): number {
  const exact = bits === 16 ? 2 ** 11 : 2 ** 24;
  if (!Number.isFinite(value) || Number.isInteger(value) && Math.abs(value) < exact) return value;
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (narrowed(rounded, bits) === value) return rounded;
  }
  return Number(value.toPrecision(9));
}

/** The float of 16 or 32 bits nearest to one of 64 bits, ties to the even one. */
function narrowed(value: number, bits: number): number {
  return bits === 16 ? Math.f16round(value) : Math.fround(value);
}

/**
 * The float of 16 or 32 bits nearest to the number that a text is, as `decimalOfText` reads it, ties
 * to the even one.
 */
export function narrowDecimalOfText(text: string, bits: number): number {
  return narrowedDecimal(decimalOfText(text), bits, () => text);
}

/**
 * The same, given the float64 nearest to the number. It is rounded once more, which is wrong only
 * where it lies in the middle of two floats of fewer bits and the number itself does not: then the two
 * are compared.
 */
export function narrowedDecimal(value: number, bits: number, textOf: () => string): number {
  const result = narrowed(value, bits);
  // A middle of two floats has zeros where they have no bits.
  floats[0] = value;
  if (result === value || ((words[0] ?? 0) & 0xfffffff) !== 0 || !Number.isFinite(value)) {
    return result;
  }
  const below = narrowed(neighbour(value, -1), bits);
  const above = narrowed(neighbour(value, 1), bits);
  if (below === above) return result;
  const order = orderOfDecimal(textOf(), value);
  return order === 0 ? result : order < 0 ? below : above;
}

const floats = new Float64Array(1);
/** The bits of the float, the lower half first. */
const words = new Int32Array(floats.buffer);
const integers = new BigInt64Array(floats.buffer);

/** The float64 next to one that is finite and not 0, below or above it. */
function neighbour(value: number, direction: -1 | 1): number {
  floats[0] = value;
  // Bits count magnitudes.
  integers[0] = (integers[0] ?? 0n) + BigInt(value < 0 ? -direction : direction);
  return floats[0];
}

/** Below, at or above 0 as the decimal number that a text is compares with a float64, exactly. */
function orderOfDecimal(text: string, value: number): number {
  const [, sign, whole = "", fraction = "", power = "0"] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
  const exponent = Number(power) - fraction.length;
  // As an integer times a power of two.
  let shift = 0;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift++;
  }
  const left = digits * 10n ** BigInt(Math.max(exponent, 0)) << BigInt(shift);
  const right = BigInt(scaled) * 10n ** BigInt(Math.max(-exponent, 0));
  return left < right ? -1 : left > right ? 1 : 0;
}

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

/** The first byte of characters that a form may change or join; below it all text is normal. */
const FIRST_CHANGED = [0xcc, 0xc3, 0xc2, 0xc2] as const;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The text of the bytes from `start` to before `stop` in a normal form of Unicode: 0 is NFC, 1 NFD, 2
 * NFKC, 3 NFKD. Null where none of them is in a character that the form may change.
 */
export function normalText(
  bytes: Uint8Array,
  start: number,
  stop: number,
  form: number,
): string | null {
  const limit = FIRST_CHANGED[form] ?? 0;
  let checked = start;
  while (checked < stop && (bytes[checked] ?? 0) < limit) checked++;
  if (checked === stop) return null;
  return decoder.decode(bytes.subarray(start, stop)).normalize(FORMS[form]);
}
