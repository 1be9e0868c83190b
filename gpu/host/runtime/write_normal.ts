import { normalText } from "../../kernel/fold/host_text.ts";

const encoder = new TextEncoder();

/**
 * Writes the bytes from `start` to before `stop` of `data`, which are UTF-8, at `at` in a normal
 * form of Unicode (0 is NFC, 1 NFD, 2 NFKC, 3 NFKD), and gives the number of bytes. What lies past
 * the end of `out` is not written.
 */
export function writeNormal(
  out: Uint8Array,
  at: number,
  data: Uint8Array,
  start: number,
  stop: number,
  form: number,
): number {
  const text = normalText(data, start, stop, form);
  if (text === null) {
    for (let i = start; i < stop; i++) out[at + i - start] = data[i] ?? 0;
    return stop - start;
  }
  const { read, written } = encoder.encodeInto(text, out.subarray(at));
  return read === text.length ? written : encoder.encode(text).length;
}
