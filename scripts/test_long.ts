/**
 * `deno task test:long`: what takes too long for every day. `gl`: the tests of kernels again, on an
 * adapter that comes through GL, where they are translated to GLSL. `swiftshader`: some of them on
 * SwiftShader, which is said to be hardware, so that what runs on that alone is tested. `wide`: tests
 * of columns of text and of kernels again, where all text has 64-bit offsets and the smallest batch
 * uses WebAssembly. `large`: text of 2.3 GB, which takes 8 GB of memory. With names as arguments, only
 * those.
 *
 * @module
 */

import { runTests, type TestRun } from "./run_tests.ts";
import { countsLine } from "./side_by_side.ts";

/** Tests of what depends on the adapter, and one at least of every kernel that is written by hand. */
const SWIFTSHADER_TESTS = [
  ...["self_test", "device", "backend", "transfer", "text_windows", "sliced_upload"],
  ...["filter", "boxes", "rechunk", "join_kinds", "kernel_arithmetic", "auto", "small_batches"],
  ...["tiled_gather", "sure_text", "lanes", "huge_rows"],
];

/**
 * Tests of what an adapter does not change: streams and plans around kernels, long rows and windows
 * of text, the counts of what runs; and of several lanes, which no row has there. The stress test runs
 * each kernel that is written by hand, and each kind that is generated, through GL too; trees, calls
 * and casts at random are there besides.
 */
const NOT_OF_GL = [
  ...["pipelines", "pipeline_streams", "corpus", "regroup", "small_batches", "held_rows"],
  ...["long_rows", "large_strings", "repeat_limit", "wide_columns", "sliced_upload"],
  ...["evaluate_work", "random_joins", "large_joins", "as_of", "join_where", "check", "cli"],
  ...["commands", "first_runs", "lanes"],
];

/**
 * Tests in which text has no part, or none that other tests have not: plans, numbers, code that is
 * looked at, and the many pieces of large joins.
 */
const NOT_OF_WIDE = [
  ...["gpu/as_of/", "gpu/boxes/", "gpu/bitmap_test.ts", "gpu/graphics_hardware_test.ts"],
  ...["gpu/lru_cache_test.ts", "gpu/memory_budget_test.ts", "gpu/join/skew_test.ts"],
  ...["gpu/threads/pace_test.ts", "kernel/emit_wasm_test.ts", "kernel/emit_wgsl_test.ts"],
  ...["kernel/golden_test.ts", "kernel/known_programs_test.ts", "kernel/minify_test.ts"],
  ...["kernel/parse_test.ts", "kernel/partition_test.ts", "kernel/wat_test.ts", "ops/engine/"],
  ...["ops/large_joins_test.ts", "ops/join/as_of/tolerance_test.ts", "ops/rechunk/plan/"],
  ...["ops/rechunk/run/", "ops/slice/check_pick_test.ts", "ops/slice/parse_rows_test.ts"],
  "ops/slice/take_machine_test.ts",
];

const RUNS: Readonly<Record<string, TestRun>> = {
  gl: {
    paths: ["tests/device/"],
    except: NOT_OF_GL.map((name) => `tests/device/${name}_test.ts`),
    adapter: "gl",
  },
  swiftshader: {
    paths: SWIFTSHADER_TESTS.map((name) => `tests/device/${name}_test.ts`),
    adapter: "swiftshader",
    isOptional: true,
    args: ["--preload=tests/support/hardware.ts"],
    env: { SLUICE_TEST_HARDWARE: "1" },
  },
  wide: {
    paths: ["gpu", "kernel", "ops", "string"].map((folder) => `tests/host/${folder}/`),
    except: NOT_OF_WIDE.map((path) => `tests/host/${path}`),
    env: { SLUICE_LARGE_STRINGS_THRESHOLD: "1", SLUICE_TEST_WASM: "1" },
  },
  large: {
    paths: ["tests/host/large/large_text_test.ts", "tests/device/large_join_test.ts"],
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
