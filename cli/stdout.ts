/**
 * Printing to stdout.
 *
 * @module
 */

const encoder = new TextEncoder();

/** Writes all of a text to stdout; a closed pipe throws `Deno.errors.BrokenPipe`. */
export function print(text: string): void {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
