/**
 * Python as an oracle: its `str` has the semantics that the string operations promise.
 *
 * @module
 */

import type { ExampleValue } from "../../ops/string/example.ts";
import type { LiteralData } from "../../ops/expr/node.ts";

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

/** What Python gives for each case; null where it raises an error. */
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
