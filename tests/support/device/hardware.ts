/**
 * A software adapter that claims to be hardware, so that what the code does for hardware alone is
 * tested. Call it, or preload it with SLUICE_TEST_HARDWARE=1. Not for Mesa's Vulkan driver, which ends
 * the long loops that hardware is trusted with.
 */

import { environmentVariable } from "../../../base/settings/environment.ts";

/** Gives the adapter another name; returns what takes it away. */
export function takeForHardware(name: string): () => void {
  const info = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, "info")!;
  Object.defineProperty(GPUAdapter.prototype, "info", {
    ...info,
    get: () => ({ description: name, vendor: "", architecture: "" }),
  });
  const { statSync } = Deno;
  // Hardware is asked for only where Linux shows a file of it.
  Deno.statSync = (path) => statSync(path === "/dev/dri" ? "/dev/null" : path);
  return () => {
    Deno.statSync = statSync;
    Object.defineProperty(GPUAdapter.prototype, "info", info);
  };
}

if (environmentVariable("SLUICE_TEST_HARDWARE") === "1") takeForHardware("Taken for hardware");
