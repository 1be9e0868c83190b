/**
 * `deno task test:long`: what takes too long for every day. `draws`: the tests of which `deno task test`
 * draws only some (`tests/support/random/test_size.ts`), all of it. `gl`: the tests of the device again, on an
 * adapter that comes through GL, where kernels are translated to GLSL, but for a few long ones.
 * `swiftshader`: some of them on SwiftShader, which is said to be hardware, so that what runs on that
 * alone is tested. `wide`: tests of columns and of kernels again, where all text has 64-bit offsets and
 * the smallest batch uses WebAssembly. `large`: text of 2.3 GB, which takes 8 GB of memory. With
 * names as arguments, only those.
 *
 * @module
 */

import { runTests, type TestRun } from "./run_tests.ts";
import { countsLine } from "./side_by_side.ts";
import { findTestFiles } from "./test_files.ts";

/** Tests of what depends on the adapter, and one at least of every kernel that is written by hand. */
const SWIFTSHADER_TESTS = [
  "tests/device/gpu/kernel/emit/wgsl/arithmetic_test.ts",
  "tests/device/gpu/kernel/emit/wgsl/byte_sets_test.ts",
  "tests/device/gpu/webgpu/backend_test.ts",
  "tests/device/gpu/webgpu/boxes/copy_boxes_test.ts",
  "tests/device/gpu/webgpu/device/device_programs_test.ts",
  "tests/device/gpu/webgpu/device/device_test.ts",
  "tests/device/gpu/webgpu/trial/probe_test.ts",
  "tests/device/gpu/webgpu/trial/self_test_test.ts",
  "tests/device/gpu/webgpu/gather/filter_test.ts",
  "tests/device/gpu/webgpu/strategies/tiled_gather_test.ts",
  "tests/device/gpu/webgpu/join/join_kinds_test.ts",
  "tests/device/gpu/webgpu/strategies/huge_rows_test.ts",
  "tests/device/gpu/webgpu/strategies/lanes_test.ts",
  "tests/device/gpu/webgpu/strategies/sure_text_test.ts",
  "tests/device/gpu/webgpu/strategies/two_pass_test.ts",
  "tests/device/gpu/webgpu/transfer/sliced_upload_test.ts",
  "tests/device/gpu/webgpu/transfer/transfer_test.ts",
  "tests/device/ops/engine/upload_small_batches_test.ts",
  "tests/device/ops/rechunk/rechunk_test.ts",
];

/**
 * Tests that take minutes through GL, and of several lanes, which no row has there. The stress test runs
 * each kernel that is written by hand, long rows among them, and each kind that is generated, through
 * GL too.
 */
const NOT_OF_GL = [
  "tests/device/gpu/webgpu/evaluate/evaluate_work_test.ts",
  "tests/device/gpu/webgpu/strategies/lanes_test.ts",
  "tests/device/gpu/webgpu/strategies/long_rows_test.ts",
  "tests/device/ops/engine/engine_test.ts",
  "tests/device/ops/engine/pipelines_test.ts",
];

/** The tests that draw less every day. */
function testsThatDraw(): string[] {
  return findTestFiles(["tests/"])
    .filter((file) =>
      /support\/(random\/test_size|files\/same_or_refused)\.ts/.test(Deno.readTextFileSync(file))
    );
}

const RUNS: Readonly<Record<string, TestRun>> = {
  draws: {
    paths: testsThatDraw(),
    env: { SLUICE_TEST_DRAWS: "all" },
  },
  gl: {
    paths: ["tests/device/"],
    except: NOT_OF_GL,
    adapter: "gl",
  },
  swiftshader: {
    paths: SWIFTSHADER_TESTS,
    adapter: "swiftshader",
    isOptional: true,
    args: ["--preload=tests/support/device/hardware.ts"],
    env: { SLUICE_TEST_HARDWARE: "1" },
  },
  wide: {
    paths: ["tests/host/gpu/", "tests/host/ops/"],
    // Chunks of arrays on disk, which are never columns.
    except: ["plan", "move", "store"].map((folder) => `tests/host/ops/rechunk/${folder}/`),
    env: { SLUICE_LARGE_STRINGS_THRESHOLD: "1", SLUICE_TEST_WASM: "1" },
  },
  large: {
    paths: [
      "tests/host/gpu/host/large_text_test.ts",
      "tests/device/gpu/webgpu/join/large_join_test.ts",
    ],
    env: { SLUICE_TEST_LARGE: "1" },
  },
};

const unknown = Deno.args.find((name) => !(name in RUNS));
if (unknown !== undefined) {
  console.error(`Nothing long is called ${unknown}: ${Object.keys(RUNS).join(" ")}`);
  Deno.exit(2);
}
const total = { passed: 0, failed: 0, ignored: 0 };
for (const [name, run] of Object.entries(RUNS)) {
  if (Deno.args.length > 0 && !Deno.args.includes(name)) continue;
  console.log(`== ${name}`);
  const counts = await runTests(run);
  for (const key of ["passed", "failed", "ignored"] as const) total[key] += counts[key];
  console.log("");
}
console.log(countsLine(total));
Deno.exit(total.failed === 0 ? 0 : 1);
