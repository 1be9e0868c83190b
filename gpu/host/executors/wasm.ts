/**
 * The executor that runs WebAssembly, part by part. A part that does not fit its memory runs as
 * JavaScript (`compute_part.ts`).
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { CompiledRows } from "../kernels/compiled_kernel.ts";
import { textBytes } from "../kernels/kernel_work.ts";
import { type Executor, type KernelBatch, operandsOf } from "./executor.ts";
import { rowsFor, runRows } from "./run_rows.ts";

/** The bytes of text from which WebAssembly is worth its start, whatever the number of rows. */
const MIN_WASM_BYTES = 256 << 10;

/** Runs large batches of kernels that have WebAssembly. */
export const wasm: Executor = {
  fits(kernel, batch) {
    const code = rowsFor(kernel, batch);
    return code !== null && isForWasm(code, operandsOf(code, batch), batch);
  },
  run: (kernel, batch) => runRows(kernel, batch, true),
};

/** Whether code has WebAssembly that is worth its start for the rows of some columns. */
export function isForWasm(
  code: CompiledRows,
  columns: readonly HostColumn[],
  { rows, host: { minWasmRows } }: Pick<KernelBatch, "rows" | "host">,
): boolean {
  const isLarge = rows.stop - rows.start >= minWasmRows ||
    minWasmRows < Infinity && textBytes(columns) >= MIN_WASM_BYTES;
  return isLarge && code.wasm !== null;
}
