/**
 * `deno task fuzz`: compares random pipelines over random tables, on every backend and in every mode of
 * execution, with a plain model. It shrinks a failing case to a file in tests/corpus/, which
 * `deno task fuzz --replay FILE` and the tests replay.
 *
 * Options: `--minutes N` (1 by default), `--seed S` (any by default), `--jobs N` processes.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { FuzzRun } from "../tests/fuzz/fuzz_run.ts";
import { prepareAdapter } from "./adapter.ts";

const { minutes, seed, jobs, replay } = optionsOf(Deno.args);
const adapter = await prepareAdapter();
const run = new FuzzRun({
  seed: numberOf("seed", seed, Math.floor(Math.random() * 2 ** 31)),
  minutes: numberOf("minutes", minutes, 1),
  jobs: numberOf("jobs", jobs, Math.min(navigator.hardwareConcurrency, 4)),
  adapter: adapter.name,
});
const numFailed = replay === undefined ? await run.fuzz() : await run.replay(replay);
Deno.exit(numFailed === 0 ? 0 : 1);

function optionsOf(args: readonly string[]) {
  const option = { type: "string" } as const;
  const options = { minutes: option, seed: option, jobs: option, replay: option };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function numberOf(name: string, given: string | undefined, other: number): number {
  const value = given === undefined ? other : Number(given);
  if (given?.trim() === "" || !(value >= 0)) return refuse(`--${name} is a number, not "${given}"`);
  return value;
}

function refuse(problem: string): never {
  console.error(problem);
  console.error("deno task fuzz [--minutes N] [--seed S] [--jobs N] [--replay FILE]");
  Deno.exit(2);
}
