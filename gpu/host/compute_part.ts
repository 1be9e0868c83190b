/**
 * Computes some rows of a batch here, on this thread.
 *
 * @module
 */

import type { HostColumn } from "../column.ts";
import type { WasmKernel } from "../kernel/wasm/emit.ts";
import { type NumberArray, partArray, type Rows } from "./part_array.ts";
import type { PartedResult } from "./parted_result.ts";
import { NotAsciiError } from "./not_ascii.ts";
import type { KernelPieces } from "./row_kernel.ts";
import { shiftRow } from "./shift_row.ts";
import { isAscii } from "./utf8.ts";
import { wasmArena } from "./wasm_arena.ts";

/** A kernel over the columns of a batch. */
export interface KernelWork {
  readonly pieces: KernelPieces;
  /** Null where it is not worth it, or cannot be: then it runs as JavaScript. */
  readonly wasm: WasmKernel | null;
  readonly columns: readonly HostColumn[];
  /** The arrays of the kernel for all rows. */
  readonly arrays: readonly (NumberArray | null)[];
  readonly numRows: number;
  /**
   * Whether the kernel is for ASCII text, and nobody looked whether the text that it reads is: then
   * that is seen on the way.
   */
  readonly isUnchecked: boolean;
}

/**
 * Computes some rows and adds them to the result, which has the rows before them. Throws a
 * NotAsciiError for text that had to be looked at and is not ASCII.
 */
export function computePart(work: KernelWork, rows: Rows, result: PartedResult): void {
  const { size, nulls } = result;
  if (work.wasm !== null && wasmArena().compute(work, rows, result)) return;
  result.size = size;
  result.nulls = nulls;
  if (work.isUnchecked) checkText(work, rows);
  computeWithJavaScript(work, rows, result);
}

function checkText({ pieces, columns }: KernelWork, { start, stop }: Rows): void {
  for (const wanted of pieces.emitted.arrays) {
    if (wanted.array !== "data") continue;
    const { data, offsets } = columns[wanted.column] ?? {};
    if (data === undefined || offsets == null) continue;
    if (!isAscii(data, offsets[start] ?? 0, offsets[stop] ?? 0)) throw new NotAsciiError();
  }
}

function computeWithJavaScript(work: KernelWork, rows: Rows, result: PartedResult): void {
  const { pieces, numRows } = work;
  // Parts are views, of which a small batch would notice what they cost.
  const isAll = rows.stop - rows.start === numRows;
  const { size, nulls } = callFor(rows, () =>
    pieces.call({
      $rows: rows.stop - rows.start,
      $result: result.valuesOf(rows) ?? result.room,
      $offsets: result.offsets?.subarray(rows.start, rows.stop + 1) ?? null,
      $validity: result.validityOf(rows)?.fill(0xff) ?? null,
      $grow: (_: Uint8Array, written: number, wanted: number, row: number) => {
        result.makeRoom(written, wanted, row);
        return result.room;
      },
    }, isAll ? work.arrays : partsOf(work, rows)));
  const { offsets } = result;
  if (offsets !== null && result.size > 0) {
    for (let row = rows.start + 1; row <= rows.stop; row++) offsets[row]! += result.size;
  }
  result.size += size;
  result.nulls += nulls;
}

/** Calls a kernel for some rows, which knows its rows from the first of them on. */
function callFor<T>({ start }: Rows, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw shiftRow(error, start);
  }
}

/** The arrays of the kernel for some rows. */
export function partsOf({ pieces, columns, arrays, numRows }: KernelWork, rows: Rows) {
  return pieces.emitted.arrays.map((wanted, index) => {
    const type = "column" in wanted ? columns[wanted.column]?.type : undefined;
    return partArray(wanted, type, arrays[index] ?? null, rows, numRows);
  });
}
