/** @module */

import type { HostColumn } from "../column/column.ts";
import { computePart } from "./compute_part.ts";
import type { KernelWork } from "./kernel_work.ts";
import { PartedResult } from "./parted_result.ts";
import { rowBytes } from "./row_bytes.ts";

/** Rows of a part, a multiple of 8, and bytes that go in and out: they stay in the cache. */
const MAX_PART_ROWS = 4096;
const PART_BYTES = 256 << 10;

/**
 * Runs a kernel of anything but lists: part by part where it is WebAssembly, else over all rows at once.
 * Expects about `textBytes` bytes of text.
 */
export function runInParts(work: KernelWork, textBytes: number): HostColumn {
  const { pieces: { kernel, convention }, numRows } = work;
  const result = new PartedResult(kernel, numRows, convention.writesFloats, textBytes);
  const partRows = work.wasm === null ? numRows : partRowsOf(work, textBytes);
  for (let start = 0; start < numRows; start += partRows) {
    computePart(work, { start, stop: Math.min(start + partRows, numRows) }, result);
  }
  return result.finish();
}

function partRowsOf({ columns, numRows }: KernelWork, textBytes: number): number {
  const bytes = rowBytes(columns, numRows) + 8 + textBytes / numRows;
  return Math.max(8, Math.min(PART_BYTES / bytes, MAX_PART_ROWS) & ~7);
}
