import { textOfFloat } from "../../kernel/fold/host_text.ts";

/**
 * Writes `textOfFloat` at `at`, and gives the number of bytes. What lies past the end of `out` is not
 * written.
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
  const text = textOfFloat(value, bits);
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
  return text.length;
}
