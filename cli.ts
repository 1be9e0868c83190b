#!/usr/bin/env -S deno run -A --unstable-lazy-dynamic-imports --v8-flags=--wasm-tiering-budget=100000000
/**
 * The command line: `sluice read flights.parquet then head 10 then show`.
 *
 * @example
 * ```ts
 * import { main } from "./cli.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await main(["--version"]), 0);
 * ```
 *
 * @module
 */

/**
 * Runs a command and returns its exit status; errors go to stderr and are not thrown.
 *
 * @example
 * ```ts
 * import { main } from "./cli.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await main(["read", "missing.csv", "then", "count"]), 1);
 * ```
 */
export async function main(words: readonly string[]): Promise<number> {
  const problem = runtimeProblem();
  if (problem !== undefined) {
    console.error(`sluice: error: ${problem}`);
    return 1;
  }
  // Loaded lazily, so that other runtimes get as far as the message above.
  const bundle = (await import("./cli/bundled.ts")).bundledMain(words);
  const command: typeof import("./cli/main.ts") = bundle === undefined
    ? await import("./cli/main.ts")
    : await import(bundle);
  return await command.main(words);
}

/** Returns the reason why this runtime is not supported; undefined if it is. */
function runtimeProblem(): string | undefined {
  const { Deno, Bun } = globalThis as {
    Deno?: { version: { deno: string } };
    Bun?: { version: string };
  };
  const needs = "sluice runs on Deno 2.9 and later";
  const cure = "npx -y deno@2.9.6 task sluice";
  if (Deno === undefined) {
    // Read only here: in Deno, reading `process` loads much of Node.
    const { process } = globalThis as { process?: { version?: string } };
    const here = Bun === undefined ? `Node ${process?.version}` : `Bun ${Bun.version}`;
    return `${needs}, and this is ${here}; try: ${cure}`;
  }
  const [major = 0, minor = 0] = Deno.version.deno.split(".").map(Number);
  const isOld = major < 2 || (major === 2 && minor < 9);
  return isOld ? `${needs}, and this is ${Deno.version.deno}; try: deno upgrade` : undefined;
}

if (globalThis.Deno === undefined) {
  (globalThis as unknown as { process: { exitCode: number } }).process.exitCode = await main([]);
} else if (import.meta.main) {
  Deno.exit(await main(Deno.args));
}
