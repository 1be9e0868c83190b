/**
 * Computes some rows of a kernel on this thread, except for lists: as WebAssembly if the work asks
 * for it and the rows fit its memory, else as JavaScript.
 *
 * @module
 */

import { areRowsUtf8, isAscii } from "../../column/utf8.ts";
import { isTextOf, type Rows } from "../kernels/kernel_arrays.ts";
import {
  callKernel,
  type KernelStop,
  NOT_ASCII,
  NOT_UTF8,
  type WrongText,
} from "../kernels/kernel_result.ts";
import { type KernelWork, partsOf } from "../kernels/kernel_work.ts";
import type { PartedResult } from "../kernels/parted_result.ts";
import { wasmArena } from "./wasm_arena.ts";

/**
 * Computes some rows and appends them to the result. Returns null, or the reason why it stopped.
 */
export function computePart(
  work: KernelWork,
  rows: Rows,
  result: PartedResult,
): KernelStop | null {
  const { size, nulls } = result;
  const inArena = work.asWasm ? wasmArena().compute(work, rows, result) : "unfit";
  if (inArena === "done") return null;
  if (inArena !== "unfit") return inArena;
  result.size = size;
  result.nulls = nulls;
  return wrongText(work, rows) ?? computeWithJavaScript(work, rows, result);
}

/**
 * Checks the text of some rows if the work asks for it. Returns null if the text is as expected.
 */
function wrongText({ code, columns, check }: KernelWork, rows: Rows): WrongText | null {
  if (check === "none") return null;
  const isRight = code.convention.arrays.every((wanted) => {
    if (!isTextOf(code.ir, wanted)) return true;
    const column = columns[wanted.column];
    if (column === undefined || column.offsets === null) return true;
    if (check === "utf8") return areRowsUtf8(column, rows.start, rows.stop);
    return isAscii(column.data, column.offsets[rows.start] ?? 0, column.offsets[rows.stop] ?? 0);
  });
  return isRight ? null : check === "ascii" ? NOT_ASCII : NOT_UTF8;
}

function computeWithJavaScript(
  work: KernelWork,
  rows: Rows,
  result: PartedResult,
): KernelStop | null {
  const { code, numRows } = work;
  const numPartRows = rows.stop - rows.start;
  // Parts are views, whose cost would matter for a small batch.
  const arrays = numPartRows === numRows ? work.arrays : partsOf(work, rows);
  const outcome = callKernel(
    code,
    {
      $rows: numPartRows,
      $result: result.valuesOf(rows) ?? result.room,
      $offsets: result.offsets?.subarray(rows.start, rows.stop + 1) ?? null,
      $validity: result.validityOf(rows)?.fill(0xff) ?? null,
      $grow: (_, written, wanted, row) => result.growForKernel(written, wanted, row),
    },
    arrays,
    rows.start,
  );
  if ("kind" in outcome) return outcome;
  const { offsets } = result;
  if (offsets !== null && result.size > 0) {
    for (let row = rows.start + 1; row <= rows.stop; row++) offsets[row]! += result.size;
  }
  result.size += outcome.size;
  result.nulls += outcome.nulls;
  return null;
}
