/** @module */

import { OverflowError, Utf8Error } from "../errors.ts";
import { ColumnFullError } from "./column_full.ts";

/** An error of a row of some rows as one of the row of all of them; `start` is the first of those. */
export function shiftRow(error: unknown, start: number): unknown {
  if (start === 0) return error;
  if (error instanceof OverflowError) {
    const Kind = error instanceof ColumnFullError ? ColumnFullError : OverflowError;
    return new Kind(error.message, start + error.row, error.dataBytes);
  }
  if (error instanceof Utf8Error) {
    const message = error.message.replace(`row ${error.row}`, `row ${start + error.row}`);
    return new Utf8Error(message, start + error.row, error.origin);
  }
  return error;
}
