/**
 * `deno task test:long`: what takes too long for every day. The tests of the device again, on an
 * adapter that comes through GL, where kernels are translated to GLSL; tests of columns and kernels
 * again, where all text has 64-bit offsets and the smallest batch uses WebAssembly; and text of 2.3
 * GB, which takes 8 GB of memory.
 *
 * @module
 */

import { runTests, type TestRun } from "./run_tests.ts";
import { countsLine } from "./side_by_side.ts";

const RUNS: readonly (TestRun & { readonly title: string })[] = [
  { title: "The device through GL", paths: ["tests/device/"], adapter: "gl" },
  {
    title: "64-bit offsets, WebAssembly from the first row on",
    paths: ["gpu", "kernel", "ops", "string"].map((folder) => `tests/host/${folder}/`),
    env: { SLUICE_LARGE_STRINGS_THRESHOLD: "1", SLUICE_TEST_WASM: "1" },
  },
  {
    title: "Text of 2.3 GB",
    paths: ["tests/host/large/large_text_test.ts"],
    env: { SLUICE_TEST_LARGE: "1" },
  },
];

const total = { passed: 0, failed: 0, ignored: 0 };
for (const run of RUNS) {
  console.log(`== ${run.title}`);
  const counts = await runTests(run);
  for (const key of ["passed", "failed", "ignored"] as const) total[key] += counts[key];
  console.log("");
}
console.log(countsLine(total));
Deno.exit(total.failed === 0 ? 0 : 1);
