import { textOfFloat } from "../../kernel/fold/host_text.ts";

/**
 * Writes `textOfFloat` at `at`, and gives the number of bytes. What lies past the end of `out` is not
 * written.
 */
export function writeFloat(out: Uint8Array, at: number, value: number, bits: 32 | 64): number {
  const text = textOfFloat(value, bits);
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
  return text.length;
}
