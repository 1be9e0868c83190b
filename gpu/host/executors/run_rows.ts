/**
 * Runs a kernel that computes row by row, as WebAssembly or as JavaScript.
 *
 * @module
 */

import type { CompiledRows } from "../kernels/compiled_kernel.ts";
import type { HostKernel } from "../kernels/host_kernel.ts";
import type { KernelResult } from "../kernels/kernel_result.ts";
import { workOf } from "../kernels/kernel_work.ts";
import { type KernelBatch, operandsOf } from "./executor.ts";

/**
 * Returns the code for the text of a batch; null if the text was not inspected, or no code runs by
 * rows.
 */
export function rowsFor(
  kernel: HostKernel,
  { text, nullable, host }: KernelBatch,
): CompiledRows | null {
  if (text === null) return null;
  const code = host.codeFor(kernel, { ascii: text.ascii, nullable });
  return code.kind === "row" ? code : null;
}

/** Runs that code over the batch; null if there is none. */
export function runRows(
  kernel: HostKernel,
  batch: KernelBatch,
  asWasm: boolean,
): KernelResult | null {
  const code = rowsFor(kernel, batch);
  if (code === null || batch.text === null) return null;
  const { rows: { start, stop }, host, text } = batch;
  return host.run(workOf(code, asWasm, operandsOf(code, batch), stop - start, text.check));
}
