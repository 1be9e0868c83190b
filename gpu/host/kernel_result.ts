/**
 * What a kernel makes of the rows of a batch, and why it may stop before the last of them.
 *
 * @module
 */

import type { HostColumn } from "../column/column.ts";
import { OverflowError } from "../errors.ts";
import type { KernelOutcome, RunArguments } from "../kernel/emit/host/calling_convention.ts";
import type { KernelPieces } from "./kernel_work.ts";

/** A column, or why there is none. */
export type KernelResult = WholeColumn | KernelStop;

/** The result for all rows. */
export interface WholeColumn {
  readonly kind: "column";
  readonly column: HostColumn;
}

/** Where the rows have to be computed in another way: in fewer rows at once, or not as ASCII. */
export type KernelStop = ColumnFull | { readonly kind: "notAscii" };

/**
 * What a kernel writes for the rows up to `error.row` passes the offsets of 32 bits that it writes
 * with. The rows before it fit, and those from it on may fit by themselves; where it is the first row,
 * `error` is what the user is told.
 */
export interface ColumnFull {
  readonly kind: "full";
  readonly error: OverflowError;
}

/** Text that was taken for ASCII without a look is not. */
export const NOT_ASCII: KernelStop = { kind: "notAscii" };

/** What functions that kernels call throw where a column is full: the code of a kernel cannot stop. */
export class ColumnFullError extends OverflowError {}

/** Calls the JavaScript of a kernel for rows that begin at `firstRow` of the batch. */
export function callKernel(
  { call }: KernelPieces,
  run: RunArguments,
  arrays: readonly (ArrayBufferView | null)[],
  firstRow: number,
): KernelOutcome | ColumnFull {
  try {
    return call(run, arrays);
  } catch (error) {
    if (!(error instanceof OverflowError)) throw error;
    const moved = moveRow(error, firstRow);
    if (error instanceof ColumnFullError) return { kind: "full", error: moved };
    throw moved;
  }
}

/** The error of a row counted from `firstRow` as one counted from where that is; says `more`. */
export function moveRow(
  { message, row, dataBytes }: OverflowError,
  firstRow: number,
  more: string = "",
): OverflowError {
  return new OverflowError(message + more, firstRow + row, dataBytes);
}
