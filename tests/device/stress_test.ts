/** The stress test of `deno task stress`, over few rows, and that it leaves no kernel out. */

import { assert, assertEquals } from "@std/assert";
import { createHostBackend } from "../../gpu/host/backend.ts";
import { createWebGpuBackend } from "../../gpu/webgpu/backend.ts";
import type { PipelineSpec } from "../../gpu/webgpu/dispatch/pipelines.ts";
import { deviceTest, isThroughGl } from "../support/device/adapter.ts";
import { anyDevice } from "../support/device/device_options.ts";
import { inLanes, inPasses } from "../support/device/in_passes.ts";
import { firstSeed } from "../support/random/seeded_random.ts";
import { runStress } from "../support/device/stress.ts";
import { addWgslFiles } from "../support/device/wgsl_files.ts";

/** Of which texts of 5,003 rows have several; the longest row still fits. */
const WINDOW_BYTES = 36_000;

deviceTest("every kernel gives the rows of the host, whenever it runs", async () => {
  const device = (await createWebGpuBackend(anyDevice))!;
  const windowed = (await createWebGpuBackend({ ...anyDevice, windowBytes: WINDOW_BYTES }))!;
  const tiled = isThroughGl ? null : inPasses(device, "always");
  const laned = inLanes(device, { use: "always", width: 32 });
  const host = createHostBackend({ threads: 1 });
  const seed = Number(Deno.env.get("SLUICE_SEED") ?? firstSeed());
  const [entries, labels] = [new Set<string>(), new Set<string>()];
  for (const { context: { pipelines } } of [device, windowed]) {
    const get = pipelines.get.bind(pipelines);
    pipelines.get = (spec: PipelineSpec) => {
      entries.add(spec.entry);
      labels.add(spec.label);
      return get(spec);
    };
  }
  try {
    const options = { rows: 5003, rounds: 2, seed };
    const { wrong, onHost, fewestRounds } = await runStress(
      { host, device, windowed, tiled, laned },
      options,
    );
    assertEquals(wrong, [], `seed ${seed}`);
    assertEquals([onHost, fewestRounds], [[], 2]);
    assertEquals(device.context.pool.inUseBuffers, 0);
    assertEquals(windowed.context.pool.inUseBuffers, 0);
  } finally {
    await device.close();
    await windowed.close();
    await host.close();
  }
  const notHere = isThroughGl ? ["gather_tiles"] : [];
  for (const entry of writtenEntries()) {
    assert(entries.has(entry) || notHere.includes(entry), `${entry} never ran`);
  }
  const tiles = isThroughGl ? [] : ["tiles"];
  const passes = ["sizes", "write", "single", "sizes of long rows", "single of long rows", "marks"];
  for (const pass of [...passes, ...tiles]) {
    assert([...labels].some((label) => label.endsWith(` ${pass}`)), `no ${pass} ever ran`);
  }
});

/** Kernels of which each has a test of its own: two run before all others, two over much text or many rows. */
const TESTED_ALONE = ["self_test.wgsl", "probe.wgsl", "scan_tiles.wgsl", "ascii_text.wgsl"];

/** The entry points of all other kernels that are written by hand. */
function writtenEntries(): string[] {
  const modules = new Map<string, string>();
  addWgslFiles(modules);
  modules.forEach((name, code) => TESTED_ALONE.includes(name) && modules.delete(code));
  const points = [...modules.keys()].flatMap((code) => [
    ...code.matchAll(/@compute\s+@workgroup_size\(\d+\)\s+fn (\w+)/g),
  ]);
  return [...new Set(points.map(([, entry]) => entry!))];
}
