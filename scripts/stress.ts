/**
 * `deno task stress`: every kernel over many rows, many times, each time with the rows of the host.
 * For hardware: software adapters compute rows in turn, and see little of what it is about.
 *
 * Options: `--rows N` (16,777,216 by default), `--rounds K` (100), `--seed S` (any), `--only TEXT`, which
 * is part of the names of the works to do.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createHostBackend } from "../gpu/host/backend.ts";
import { createWebGpuBackend } from "../gpu/webgpu/backend.ts";
import { runStress } from "../tests/support/stress.ts";

const option = { type: "string" } as const;
const { values } = parseArgs({
  args: [...Deno.args],
  options: { rows: option, rounds: option, seed: option, only: option },
});
const rows = numberOf("rows", 2 ** 24);
const rounds = numberOf("rounds", 100);
const seed = numberOf("seed", Math.floor(Math.random() * 2 ** 31));
const device = await createWebGpuBackend({ software: true });
if (device === null) {
  console.error("There is no WebGPU adapter");
  Deno.exit(1);
}
const host = createHostBackend({ threads: 1 });
console.log(`${device.description}: ${rows} rows, ${rounds} rounds, seed ${seed}`);
const { only = "" } = values;
const options = { rows, rounds, seed, only };
const { wrong, numRuns } = await runStress({ host, device }, options, console.log);
device.close();
host.close();
for (const { name, rounds } of wrong) console.log(`WRONG in ${rounds} runs: ${name}`);
console.log(`${numRuns} runs, ${wrong.length} kinds of work were wrong`);
Deno.exit(wrong.length === 0 ? 0 : 1);

function numberOf(name: "rows" | "rounds" | "seed", byDefault: number): number {
  const text = values[name];
  if (text === undefined) return byDefault;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  console.error(`--${name} is a positive integer, not ${text}`);
  Deno.exit(2);
}
