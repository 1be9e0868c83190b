const FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;

/** The first byte of characters that a form may change or join; below it all text is normal. */
const FIRST_CHANGED = [0xcc, 0xc3, 0xc2, 0xc2] as const;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Writes the bytes from `start` to before `stop` of `data`, which are UTF-8, at `at` in a normal
 * form of Unicode (0 is NFC, 1 NFD, 2 NFKC, 3 NFKD), and gives the number of bytes. What lies past
 * the end of `out` is not written.
 *
 * @example
 * ```ts
 * import { writeNormal } from "./write_normal.ts";
 *
 * const out = new Uint8Array(8);
 * const size = writeNormal(out, 0, new TextEncoder().encode("e\u0301"), 0, 3, 0);
 * const text = new TextDecoder().decode(out.subarray(0, size));
 * if (text !== "é") throw new Error(text);
 * ```
 */
export function writeNormal(
  out: Uint8Array,
  at: number,
  data: Uint8Array,
  start: number,
  stop: number,
  form: number,
): number {
  const limit = FIRST_CHANGED[form] ?? 0;
  let checked = start;
  while (checked < stop && (data[checked] ?? 0) < limit) checked++;
  if (checked === stop) {
    for (let i = start; i < stop; i++) out[at + i - start] = data[i] ?? 0;
    return stop - start;
  }
  const text = decoder.decode(data.subarray(start, stop)).normalize(FORMS[form]);
  const { read, written } = encoder.encodeInto(text, out.subarray(at));
  return read === text.length ? written : encoder.encode(text).length;
}
