import { HostKernels } from "../../../gpu/host/host_kernels.ts";

/**
 * Kernels of a test, on this thread. With SLUICE_TEST_WASM=1 in the environment they use WebAssembly
 * from the first row on, so that small tests see it too.
 */
export function testKernels(): HostKernels {
  const isOn = Deno.env.get("SLUICE_TEST_WASM") === "1";
  return new HostKernels(isOn ? { minWasmRows: 1 } : {});
}
