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
export function textOfFloat(value: number, bits: 32 | 64): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(bits === 32 ? shortest(value) : value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
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
