/**
 * `deno task stress`: runs every kernel over many rows, many times, and compares each result with that of the
 * host. For hardware: software adapters compute rows in turn, and so show few races.
 *
 * Options: `--rows N` (16,777,229 by default, so that the last row ends within a word), `--rounds K` (100),
 * `--minutes M` for all works, in fewer rounds if necessary, `--seed S` (any), and `--only TEXT`, part of the
 * names of the works to run.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createHostBackend } from "../gpu/host/backend.ts";
import { createWebGpuBackend } from "../gpu/webgpu/backend.ts";
import { canBeOnePass, inLanes, inPasses } from "../tests/support/device/in_passes.ts";
import { runStress } from "../tests/support/device/stress.ts";
import { quietDrivers } from "./quiet_drivers.ts";

const option = { type: "string" } as const;
const { values } = parseArgs({
  args: [...Deno.args],
  options: { rows: option, rounds: option, seed: option, only: option, minutes: option },
});
const rows = numberOf("rows") ?? 2 ** 24 + 13;
const rounds = numberOf("rounds") ?? 100;
const seed = numberOf("seed") ?? Math.floor(Math.random() * 2 ** 31);
const minutes = numberOf("minutes") ?? Infinity;
quietDrivers();
const device = await createWebGpuBackend({ software: true });
// A column of text has about three windows.
const windowBytes = Math.max(2 ** 16, 2 ** Math.ceil(Math.log2(6 * rows)));
const windowed = await createWebGpuBackend({ software: true, windowBytes });
if (device === null || windowed === null) {
  console.error("There is no WebGPU adapter");
  Deno.exit(1);
}
const tiled = canBeOnePass(device) ? inPasses(device, "always") : null;
// The most lanes; on software adapters, fewer run in lockstep.
const laned = inLanes(device, { use: "always", width: 32 });
const host = createHostBackend({ threads: 1 });
console.log(`${device.description}: ${rows} rows, ${rounds} rounds, seed ${seed}`);
const { only = "" } = values;
const options = { rows, rounds, seed, only, minutes };
const result = await runStress({ host, device, windowed, tiled, laned }, options, console.log);
for (const backend of [device, windowed, host]) await backend.close();
const { wrong, onHost, numRuns, fewestRounds } = result;
for (const { name, rounds } of wrong) console.log(`WRONG in ${rounds} runs: ${name}`);
for (const name of onHost) console.log(`Left to the host, not tested: ${name}`);
console.log(
  `${numRuns} runs, ${fewestRounds} rounds or more of each work: ${wrong.length} kinds were wrong`,
);
Deno.exit(wrong.length === 0 && numRuns > 0 ? 0 : 1);

function numberOf(name: "rows" | "rounds" | "seed" | "minutes"): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  console.error(`--${name} is a positive integer, not ${text}`);
  Deno.exit(2);
}
