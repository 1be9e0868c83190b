/**
 * `deno task test:long`: the tests that take too long for `deno task test`. Names as arguments select some:
 *
 * - `draws`: all draws of the tests that make only some of them in `deno task test`
 *   (`tests/support/random/test_size.ts`)
 * - `gl`: the device tests on an adapter of GL, which translates kernels to GLSL, except a few long ones
 * - `swiftshader`: some device tests on SwiftShader, declared as hardware, to test what runs only on that
 * - `wide`: tests of columns and kernels, with 64-bit offsets for all text and WebAssembly for the smallest batch
 * - `large`: text of 2.3 GB, which takes 8 GB of memory
 *
 * @module
 */

import { runTests, type TestRun } from "./run_tests.ts";
import { countsLine } from "./side_by_side.ts";
import { findTestFiles } from "./test_files.ts";

/** Tests of adapter-dependent code, with at least one for every hand-written kernel. */
const SWIFTSHADER_TESTS = [
  "tests/device/gpu/kernel/emit/wgsl/arithmetic_test.ts",
  "tests/device/gpu/kernel/emit/wgsl/byte_sets_test.ts",
  "tests/device/gpu/kernel/emit/wgsl/long_arithmetic_test.ts",
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
  "tests/device/ops/expr/strict_calls_test.ts",
  "tests/device/ops/rechunk/rechunk_test.ts",
  "tests/device/ops/string/convert/conversion_test.ts",
];

/**
 * Tests that take minutes on GL, and those of several lanes, which no row has there. The stress test still
 * runs each hand-written kernel on GL, including those of long rows, and each kind of generated kernel.
 */
const NOT_OF_GL = [
  "tests/device/gpu/webgpu/evaluate/evaluate_work_test.ts",
  "tests/device/gpu/webgpu/strategies/lanes_test.ts",
  "tests/device/gpu/webgpu/strategies/long_rows_test.ts",
  "tests/device/ops/engine/engine_test.ts",
  "tests/device/ops/engine/pipelines_test.ts",
];

/** Returns the tests that make only some of their draws in `deno task test`. */
function testsThatDraw(): string[] {
  return findTestFiles(["tests/"])
    .filter((file) =>
      /support\/(random\/test_size|files\/same_or_refused|cases\/\w+)\.ts/.test(
        Deno.readTextFileSync(file),
      )
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
    except: [
      // These move chunks on disk, which are never columns.
      ...["plan", "move", "store"].map((folder) => `tests/host/ops/rechunk/${folder}/`),
      // Asks for text with 32-bit offsets.
      "tests/host/ops/string/convert/cast_test.ts",
    ],
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
