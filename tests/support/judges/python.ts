/** Python as an oracle: its `str` has the semantics that the string operations promise. */

import type { ExampleValue } from "../../../ops/syntax/node.ts";
import type { LiteralData } from "../../../ops/syntax/literal.ts";

const hasPython = findPython();
const isRequired = Deno.env.get("SLUICE_REQUIRE_PYTHON") === "1";

/**
 * Registers a test that asks Python. Without a python3 it is reported as ignored, with the reason in
 * its title; with SLUICE_REQUIRE_PYTHON=1 it fails instead.
 */
export function pythonTest(name: string, fn: () => void | Promise<void>): void {
  if (hasPython) {
    Deno.test(name, fn);
  } else if (isRequired) {
    Deno.test(name, () => {
      throw new Error("SLUICE_REQUIRE_PYTHON is 1 and there is no python3");
    });
  } else {
    Deno.test({ name: `${name} (ignored: no python3)`, ignore: true, fn });
  }
}

/** One operation on one text. */
export interface PythonCase {
  readonly op: string;
  readonly text: string;
  readonly args: readonly LiteralData[];
}

/** Python's result for each case; null where it raises an error. */
export async function askPython(
  cases: readonly PythonCase[],
): Promise<ExampleValue[]> {
  const child = new Deno.Command("python3", {
    args: [new URL("./python_oracle.py", import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const sent = writer.write(new TextEncoder().encode(JSON.stringify(cases)))
    .then(() => writer.close());
  const { success, stdout } = await child.output();
  await sent;
  if (!success) throw new Error("python3 failed");
  return JSON.parse(new TextDecoder().decode(stdout));
}

function findPython(): boolean {
  try {
    return new Deno.Command("python3", { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
}

/**
 * Python's properties of every character.
 *
 * @module
 */

/** All characters there are, in order. */
export const CHARACTERS: readonly string[] = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** Python's properties of characters. */
interface PythonCharacters {
  /** Whether a method such as `isAlpha` is true for a character, or it is `assigned` at all. */
  is(kind: string, char: string): boolean;
  /** The result of a method such as `title` for a character. */
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
