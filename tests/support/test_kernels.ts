/** @module */

import { HostKernelCache } from "../../gpu/host/evaluate.ts";
import type { HostThreads } from "../../gpu/host/threads/host_threads.ts";

/**
 * Kernels of a test, on some threads or on this one. With SLUICE_TEST_WASM=1 in the environment they
 * use WebAssembly from the first row on, so that small tests see it too.
 */
export function testKernels(threads?: HostThreads): HostKernelCache {
  const minWasmRows = Deno.env.get("SLUICE_TEST_WASM") === "1" ? { minWasmRows: 1 } : {};
  return new HostKernelCache({ ...(threads && { threads }), ...minWasmRows });
}
