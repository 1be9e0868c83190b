/**
 * Computes some rows of a batch here, on this thread.
 *
 * @module
 */

import { type KernelWork, partsOf } from "./kernel_work.ts";
import type { Rows } from "./kernel_arrays.ts";
import type { PartedResult } from "./parted_result.ts";
import { NotAsciiError } from "./not_ascii.ts";
import { shiftRow } from "./shift_row.ts";
import { isAscii } from "../column/utf8.ts";
import { wasmArena } from "./wasm_arena.ts";

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
  for (const wanted of pieces.convention.arrays) {
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
