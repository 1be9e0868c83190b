/**
 * The result of a kernel over the rows of a batch, or the reason why it stopped before the last
 * row.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { type ColumnFullError, OverflowError } from "../../../base/errors/value_error.ts";
import type { HostColumn } from "../../column/column.ts";
import type { KernelOutcome, RunArguments } from "../../kernel/emit/host/calling_convention.ts";
import type { CompiledRows } from "./compiled_kernel.ts";

/** A column, or the reason why there is none. */
export type KernelResult = WholeColumn | KernelStop;

/** The result for all rows. */
export interface WholeColumn {
  readonly kind: "column";
  readonly column: HostColumn;
}

/** Why the rows have to be computed in another way: in fewer rows at a time, or as other text. */
export type KernelStop = ColumnFull | WrongText;

/** A check of text failed. */
export type WrongText = { readonly kind: "notAscii" } | { readonly kind: "notUtf8" };

/**
 * With the row `error.row`, the result exceeds what 32-bit offsets can address. The rows before it
 * fit; those from it on may fit on their own. If it is the first row, the user sees `error`.
 */
export interface ColumnFull {
  readonly kind: "full";
  readonly error: OverflowError;
}

/** Text that was taken for ASCII is not. */
export const NOT_ASCII: WrongText = { kind: "notAscii" };

/** The text of some row is not UTF-8. */
export const NOT_UTF8: WrongText = { kind: "notUtf8" };

/** Calls the JavaScript of a kernel for rows that begin at `firstRow` of the batch. */
export function callKernel(
  code: CompiledRows,
  run: RunArguments,
  arrays: readonly (ArrayBufferView | null)[],
  firstRow: number,
): KernelOutcome | ColumnFull {
  try {
    return code.call(run, arrays);
  } catch (error) {
    if (!isSluiceError(error, "OverflowError", "ColumnFullError")) throw error;
    const moved = moveRow(error, firstRow);
    if (isSluiceError(error, "ColumnFullError")) return { kind: "full", error: moved };
    throw moved;
  }
}

/**
 * Returns an error whose row is counted from row 0 instead of `firstRow`; appends `more` to its
 * message.
 */
export function moveRow(
  { message, row, dataBytes }: OverflowError | ColumnFullError,
  firstRow: number,
  more: string = "",
): OverflowError {
  return new OverflowError(message + more, firstRow + row, dataBytes);
}
