/** @module */

import type { HostColumn } from "../column.ts";
import { computePart, type KernelWork } from "./compute_part.ts";
import type { NumberArray } from "./part_array.ts";
import { PartedResult } from "./parted_result.ts";
import { rowBytes } from "./row_bytes.ts";
import type { KernelPieces } from "./row_kernel.ts";

/** Rows of a part, a multiple of 8, and bytes that go in and out: they stay in the cache. */
const MAX_PART_ROWS = 4096;
const PART_BYTES = 256 << 10;

/** The work of a kernel over the columns of a batch. */
export function workOf(
  pieces: KernelPieces,
  columns: readonly HostColumn[],
  numRows: number,
  isUnchecked: boolean,
): KernelWork {
  const arrays = pieces.arrays(columns, numRows) as (NumberArray | null)[];
  return { pieces, columns, arrays, numRows, isUnchecked };
}

/** Runs a kernel part by part. Expects some bytes of text for each row. */
export function runInParts(work: KernelWork, bytesPerRow: number): HostColumn {
  const { pieces: { kernel, emitted }, columns, numRows } = work;
  const result = new PartedResult(kernel, numRows, emitted.writesFloats, bytesPerRow);
  const bytes = rowBytes(columns, numRows) + 8 + bytesPerRow;
  const partRows = Math.max(8, Math.min(PART_BYTES / bytes, MAX_PART_ROWS) & ~7);
  for (let start = 0; start < numRows; start += partRows) {
    computePart(work, { start, stop: Math.min(start + partRows, numRows) }, result);
  }
  return result.finish();
}
