/**
 * The two executors that run code row by row: as WebAssembly, and as JavaScript.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { RowCode } from "../kernels/kernel_code.ts";
import { textBytes, workOf } from "../kernels/kernel_work.ts";
import type { HostKernel } from "../kernels/host_kernel.ts";
import { type Executor, type KernelBatch, operandsOf } from "./executor.ts";

/** Bytes of text from which WebAssembly is worth its start, whatever the number of rows is. */
const MIN_WASM_BYTES = 256 << 10;

/** Runs WebAssembly, part by part; a part that does not fit its memory runs as JavaScript. */
export const wasm: Executor = {
  fits(kernel, batch) {
    const code = codeOf(kernel, batch);
    return code !== null && isForWasm(code, operandsOf(code, batch), batch);
  },
  run: (kernel, batch) => runCode(kernel, batch, true),
};

/** Runs JavaScript, which exists for every kernel. */
export const javascript: Executor = {
  fits: (kernel, batch) => codeOf(kernel, batch) !== null,
  run: (kernel, batch) => runCode(kernel, batch, false),
};

/** Whether WebAssembly is there, and worth its start for rows of some columns. */
export function isForWasm(
  code: RowCode,
  columns: readonly HostColumn[],
  { rows, host: { minWasmRows } }: Pick<KernelBatch, "rows" | "host">,
): boolean {
  const isLarge = rows.stop - rows.start >= minWasmRows ||
    minWasmRows < Infinity && textBytes(columns) >= MIN_WASM_BYTES;
  return isLarge && code.wasm !== null;
}

/** The code for text that is known; null where none runs row by row. */
function codeOf(kernel: HostKernel, { text, nullable, host }: KernelBatch): RowCode | null {
  if (text === null) return null;
  const code = host.codeFor(kernel, { ascii: text.ascii, nullable });
  return code.kind === "row" ? code : null;
}

function runCode(kernel: HostKernel, batch: KernelBatch, asWasm: boolean) {
  const code = codeOf(kernel, batch);
  if (code === null || batch.text === null) return null;
  const { rows: { start, stop }, host, text } = batch;
  return host.run(workOf(code, asWasm, operandsOf(code, batch), stop - start, text.check));
}
