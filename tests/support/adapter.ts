/**
 * Tests that need a WebGPU adapter.
 *
 * @module
 */

import { fillNewBuffers } from "./noisy_buffers.ts";

fillNewBuffers();
const adapter = await navigator.gpu?.requestAdapter() ?? null;
const required = Deno.env.get("SLUICE_REQUIRE_ADAPTER") === "1";

/**
 * Registers a test of the device. Without an adapter it is reported as ignored, with the reason in
 * its title; with SLUICE_REQUIRE_ADAPTER=1 it fails instead.
 */
export function deviceTest(name: string, fn: (t: Deno.TestContext) => void | Promise<void>): void {
  if (adapter !== null) {
    Deno.test({ name, fn });
  } else if (required) {
    Deno.test(name, () => {
      throw new Error("SLUICE_REQUIRE_ADAPTER is 1 and there is no WebGPU adapter");
    });
  } else {
    Deno.test({ name: `${name} (ignored: no WebGPU adapter)`, ignore: true, fn });
  }
}
