/**
 * The executor that maps the characters of a whole column with WebAssembly, and checks its text on
 * the way. A row kernel computes the few rows whose characters depend on each other.
 *
 * @module
 */

import { type HostColumn, stringDataBytes } from "../../column/column.ts";
import type { HostKernel } from "../kernels/host_kernel.ts";
import { workOf } from "../kernels/kernel_work.ts";
import { type Executor, type ExecutorHost, mappedText } from "./executor.ts";
import { isForWasm } from "./wasm.ts";

/** The bytes of text from which characters are mapped, whatever the number of rows. */
const MIN_MAP_BYTES = 64 << 10;

/** Maps characters; leaves a column to others if a row kernel has to compute all of it. */
export const characterMap: Executor = {
  fits(kernel, batch) {
    if (batch.text !== null || batch.host.minWasmRows === Infinity) return false;
    const text = mappedText(kernel, batch);
    if (text === undefined) return false;
    const isLarge = text.length >= batch.host.minWasmRows || stringDataBytes(text) >= MIN_MAP_BYTES;
    return isLarge && kernel.characterMap !== null;
  },
  run(kernel, batch) {
    const text = mappedText(kernel, batch);
    const { rows, host } = batch;
    if (text === undefined || kernel.characterMap === null) return null;
    const column = kernel.characterMap.run(text, rows.start, (rows) => mapRows(kernel, rows, host));
    return column === null ? null : { kind: "column", column };
  },
};

/** Computes rows without nulls by the row kernel; null if their result is too long. */
function mapRows(kernel: HostKernel, text: HostColumn, host: ExecutorHost): HostColumn | null {
  const nullable = kernel.columnTypes.map(() => false);
  const code = host.codeFor(kernel, { ascii: false, nullable });
  if (code.kind !== "row") return null;
  const numRows = text.length;
  const asWasm = isForWasm(code, [text], { rows: { start: 0, stop: numRows }, host });
  const result = host.run(workOf(code, asWasm, [text], numRows, "none"));
  return result.kind === "column" ? result.column : null;
}
