/**
 * `deno task test`: all tests, or those that the arguments name, with an adapter where one can be
 * had. Arguments go to `deno test`.
 *
 * @module
 */

import { prepareAdapter } from "./adapter.ts";
import { runDeno } from "./run_deno.ts";

const adapter = await prepareAdapter();
const required = Deno.env.get("SLUICE_REQUIRE_ADAPTER") === "1";
if (adapter.name !== undefined) {
  console.log(`WebGPU adapter: ${adapter.name} (${adapter.note})`);
} else {
  console.log(`No WebGPU adapter: ${adapter.note}`);
  console.log(`Tests of the device are ${required ? "failures" : "ignored"}`);
}

const paths = Deno.args.some((arg) => !arg.startsWith("-") && /\/|\.ts$/.test(arg))
  ? []
  : ["tests/"];
const { code } = await runDeno([
  "test",
  "-A",
  "--lock=deno.dev.lock",
  "--frozen",
  // Types are checked by `deno task ok`.
  "--no-check",
  // Off by default in this version of Deno.
  "--sanitize-ops",
  "--sanitize-resources",
  ...Deno.args,
  ...paths,
], { stdout: "inherit", stderr: "inherit" });
Deno.exit(code);
