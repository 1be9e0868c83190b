/**
 * Schedules the work of a kernel: on this thread alone, or on several threads if that is faster.
 *
 * @module
 */

import { isTextList } from "../column/column.ts";
import { computePart } from "./executors/compute_part.ts";
import { runListKernel } from "./executors/run_list_kernel.ts";
import type { KernelResult } from "./kernels/kernel_result.ts";
import { type KernelWork, rowBytes, textBytes } from "./kernels/kernel_work.ts";
import { PartedResult } from "./kernels/parted_result.ts";
import type { HostThreads } from "./threads/host_threads.ts";

/**
 * The most rows of a part, multiples of 8, with text and without, and the bytes that it reads and
 * writes, which stay in the cache.
 */
const MAX_TEXT_ROWS = 4096;
const MAX_NUMBER_ROWS = 8192;
const PART_BYTES = 256 << 10;

/** Computes all rows of a batch. */
export function runScheduled(work: KernelWork, threads: HostThreads | undefined): KernelResult {
  const alone = () => runAlone(work);
  return threads === undefined ? alone() : threads.run(work, alone);
}

/** Computes all rows on this thread, and learns the size of results from them. */
function runAlone(work: KernelWork): KernelResult {
  const { code, columns, numRows } = work;
  const { type } = code.ir;
  const inputBytes = textBytes(columns);
  const expectedBytes = inputBytes * code.growth;
  const result = type.kind === "list"
    ? runListKernel(work, { numItems: numRows * code.itemsPerRow, textBytes: expectedBytes })
    : runInParts(work, expectedBytes);
  if (result.kind !== "column") return result;
  const { data, length } = result.column.children[0] ?? result.column;
  const isText = type.kind === "string" || isTextList(type);
  if (isText && inputBytes > 0) code.growth = Math.max(1 / 64, data.length / inputBytes * 1.05);
  if (type.kind === "list" && numRows > 0) code.itemsPerRow = length / numRows * 1.05;
  return result;
}

/**
 * Computes the rows: WebAssembly part by part, JavaScript all at a time. Expects some bytes of
 * text.
 */
function runInParts(work: KernelWork, expectedBytes: number): KernelResult {
  const { code: { ir, convention }, numRows } = work;
  const result = new PartedResult(ir, numRows, convention.writesFloats, expectedBytes);
  const partRows = work.asWasm ? partRowsOf(work, expectedBytes) : numRows;
  for (let start = 0; start < numRows; start += partRows) {
    const rows = { start, stop: Math.min(start + partRows, numRows) };
    const stop = computePart(work, rows, result);
    if (stop !== null) return stop;
  }
  return { kind: "column", column: result.finish() };
}

function partRowsOf({ code, columns, numRows }: KernelWork, expectedBytes: number): number {
  const hasText = code.ir.type.kind === "string" || columns.some(({ offsets }) => offsets !== null);
  const maxRows = hasText ? MAX_TEXT_ROWS : MAX_NUMBER_ROWS;
  const bytes = rowBytes(columns, numRows) + 8 + expectedBytes / numRows;
  return Math.max(8, Math.min(PART_BYTES / bytes, maxRows) & ~7);
}
