/** Tests that need a WebGPU adapter. */

import { isNotThroughGl } from "../../../gpu/webgpu/dispatch/strategy_options.ts";
import { describeGpuAdapter } from "../../../gpu/webgpu/device/adapter.ts";
import { fillNewBuffers } from "./fill_new_buffers.ts";
import { leftMaps, noteMaps } from "./left_maps.ts";

fillNewBuffers();
noteMaps();
const adapter = await navigator.gpu?.requestAdapter() ?? null;
/** Whether the adapter is software, or there is none; one that a test takes for hardware is not. */
export const isSoftware: boolean = adapter === null || describeGpuAdapter(adapter).software;

/** Whether the adapter comes through GL; there text is never made in one pass. */
export const isThroughGl: boolean = adapter !== null && !isNotThroughGl(adapter.features);

const required = Deno.env.get("SLUICE_REQUIRE_ADAPTER") === "1";

/**
 * Registers a test of the device. Without an adapter it is reported as ignored, with the reason in
 * its title; with SLUICE_REQUIRE_ADAPTER=1 it fails instead.
 */
export function deviceTest(name: string, fn: (t: Deno.TestContext) => void | Promise<void>): void {
  if (adapter !== null) {
    Deno.test(name, async (t) => {
      try {
        await fn(t);
      } finally {
        await leftMaps();
      }
    });
  } else if (required) {
    Deno.test(name, () => {
      throw new Error("SLUICE_REQUIRE_ADAPTER is 1 and there is no WebGPU adapter");
    });
  } else {
    Deno.test({ name: `${name} (ignored: no WebGPU adapter)`, ignore: true, fn });
  }
}
