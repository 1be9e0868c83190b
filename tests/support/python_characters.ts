/**
 * What Python says of every character.
 *
 * @module
 */

/** All characters there are, in order. */
export const CHARACTERS: readonly string[] = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** What Python says of characters. */
interface PythonCharacters {
  /** Whether a method such as `isAlpha` is true for a character, or it is `assigned` at all. */
  is(kind: string, char: string): boolean;
  /** What a method such as `title` makes of a character. */
  map(method: string, char: string): string;
}

/** Asks Python once. */
export async function pythonCharacters(): Promise<PythonCharacters> {
  const { success, stdout } = await new Deno.Command("python3", {
    args: [new URL("./python_characters.py", import.meta.url).pathname],
  }).output();
  if (!success) throw new Error("python3 failed");
  const { kinds, cases } = JSON.parse(new TextDecoder().decode(stdout));
  const flags = new Map(
    Object.entries<number[]>(kinds).map(([kind, boundaries]) => [kind, flagsOf(boundaries)]),
  );
  return {
    is: (kind, char) => flags.get(kind)?.[char.codePointAt(0)!] === 1,
    map: (method, char) => cases[method][char] ?? char,
  };
}

function flagsOf(boundaries: readonly number[]): Uint8Array {
  const flags = new Uint8Array(0x110000);
  for (let i = 0; i < boundaries.length; i += 2) {
    flags.fill(1, boundaries[i], boundaries[i + 1] ?? flags.length);
  }
  return flags;
}
