/**
 * Compiles the WGSL of all kernels with Tint, Chrome's compiler. Unlike Deno's, it refuses a barrier unless it
 * can prove that all invocations of a workgroup reach it together. Tint is part of Dawn, the npm package
 * `webgpu`; the device here is one without hardware, so no adapter is needed.
 *
 * Also checks that no barrier is missing (`tests/support/device/wgsl/check_accesses.ts`).
 *
 * @module
 */

import { forSeeds } from "../tests/support/random/seeded_random.ts";
import { accessFaults } from "../tests/support/device/wgsl/check_accesses.ts";
import { parseWgsl } from "../tests/support/device/wgsl/parse_wgsl.ts";
import { addWgslFiles } from "../tests/support/device/wgsl_files.ts";
import { addOperations, type WgslModules } from "../tests/support/device/wgsl_of_operations.ts";
import { TintDevice } from "../tests/support/device/tint_device.ts";

/** The number of refused kernels that are shown in full. */
const MAX_SHOWN = 5;

await using device = await TintDevice.open();
let refused = 0;
await forSeeds(1, async (random) => {
  const modules: WgslModules = new Map();
  addWgslFiles(modules);
  addOperations(modules, random);
  for (const [code, label] of modules) {
    const problem = await device.problemOf(code) ?? accessFaults(parseWgsl(code))[0] ?? null;
    if (problem !== null && ++refused <= MAX_SHOWN) console.error(`${label}:\n${problem}`);
  }
  if (refused > 0) throw new Error(`${refused} of ${modules.size} kernels are refused`);
  console.log(`Tint takes ${modules.size} kernels, and none misses a barrier`);
});
