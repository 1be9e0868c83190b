/**
 * Runs a kernel of anything but lists over the rows of a batch, part by part, on this thread.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import { areRowsUtf8, isAscii } from "../../column/utf8.ts";
import { isTextOf, type Rows } from "./kernel_arrays.ts";
import {
  callKernel,
  type KernelResult,
  type KernelStop,
  NOT_ASCII,
  NOT_UTF8,
  type WrongText,
} from "./kernel_result.ts";
import { type KernelWork, partsOf } from "./kernel_work.ts";
import { PartedResult } from "./parted_result.ts";
import { wasmArena } from "./wasm_arena.ts";

/** Rows of a part, a multiple of 8, and bytes that it reads and writes, which stay in the cache. */
const MAX_PART_ROWS = 4096;
const PART_BYTES = 256 << 10;

/**
 * Runs a kernel: part by part where it is WebAssembly, else over all rows at once. Expects about
 * `textBytes` bytes of text.
 */
export function runInParts(work: KernelWork, textBytes: number): KernelResult {
  const { pieces: { kernel, convention }, numRows } = work;
  const result = new PartedResult(kernel, numRows, convention.writesFloats, textBytes);
  const partRows = work.wasm === null ? numRows : partRowsOf(work, textBytes);
  for (let start = 0; start < numRows; start += partRows) {
    const rows = { start, stop: Math.min(start + partRows, numRows) };
    const stop = computePart(work, rows, result);
    if (stop !== null) return stop;
  }
  return { kind: "column", column: result.finish() };
}

function partRowsOf({ columns, numRows }: KernelWork, textBytes: number): number {
  const bytes = rowBytes(columns, numRows) + 8 + textBytes / numRows;
  return Math.max(8, Math.min(PART_BYTES / bytes, MAX_PART_ROWS) & ~7);
}

/**
 * Bytes that a row of some columns takes on average. Text counts as far as these rows refer to it:
 * other batches may share the rest of the data.
 */
export function rowBytes(columns: readonly HostColumn[], numRows: number): number {
  return columns.reduce((sum, { data, offsets }) => {
    if (offsets === null) return sum + data.length / numRows;
    return sum + 4 + ((offsets[numRows] ?? 0) - (offsets[0] ?? 0)) / numRows;
  }, 0);
}

/** Computes some rows and appends them to the result; null, or why it stopped. */
export function computePart(
  work: KernelWork,
  rows: Rows,
  result: PartedResult,
): KernelStop | null {
  const { size, nulls } = result;
  const inArena = work.wasm === null ? "unfit" : wasmArena().compute(work, rows, result);
  if (inArena === "done") return null;
  if (inArena !== "unfit") return inArena;
  result.size = size;
  result.nulls = nulls;
  return wrongText(work, rows) ?? computeWithJavaScript(work, rows, result);
}

/** What is wrong with the text of some rows, if it has to be checked; null where nothing is. */
function wrongText({ pieces, columns, check }: KernelWork, rows: Rows): WrongText | null {
  if (check === "none") return null;
  const isRight = pieces.convention.arrays.every((wanted) => {
    if (!isTextOf(pieces.kernel, wanted)) return true;
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
  const { pieces, numRows } = work;
  const numPartRows = rows.stop - rows.start;
  // Parts are views, which would be a noticeable cost for a small batch.
  const arrays = numPartRows === numRows ? work.arrays : partsOf(work, rows);
  const outcome = callKernel(
    pieces,
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
