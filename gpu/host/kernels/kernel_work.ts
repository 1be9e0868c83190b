/**
 * The work of a kernel that computes row by row: its code over the columns of a batch.
 *
 * @module
 */

import { type HostColumn, stringDataBytes } from "../../column/column.ts";
import { type NumberArray, partArray, type Rows } from "./kernel_arrays.ts";
import type { CompiledRows } from "./compiled_kernel.ts";

/**
 * The check that a kernel makes while it reads its text: `none`, since the text is known; `ascii`,
 * for which the kernel was compiled; or `utf8`, that it is valid UTF-8.
 */
export type TextCheck = "none" | "ascii" | "utf8";

/** A kernel over the columns of a batch. */
export interface KernelWork {
  readonly code: CompiledRows;
  /** Whether it runs as WebAssembly, which the code then has, or as JavaScript. */
  readonly asWasm: boolean;
  readonly columns: readonly HostColumn[];
  /** The arrays of the kernel for all rows. */
  readonly arrays: readonly (NumberArray | null)[];
  readonly numRows: number;
  readonly check: TextCheck;
}

/** Returns the work of code over the columns that it takes. */
export function workOf(
  code: CompiledRows,
  asWasm: boolean,
  columns: readonly HostColumn[],
  numRows: number,
  check: TextCheck,
): KernelWork {
  return { code, asWasm, columns, arrays: code.arrays(columns, numRows), numRows, check };
}

/**
 * Returns the average bytes of a row of some columns. Only text that these rows refer to counts;
 * other batches may share the rest of the data.
 */
export function rowBytes(columns: readonly HostColumn[], numRows: number): number {
  return columns.reduce((sum, { data, offsets }) => {
    if (offsets === null) return sum + data.length / numRows;
    return sum + 4 + ((offsets[numRows] ?? 0) - (offsets[0] ?? 0)) / numRows;
  }, 0);
}

/** Returns the bytes of text that the rows of some columns refer to. */
export function textBytes(columns: readonly HostColumn[]): number {
  return columns.reduce((bytes, column) => bytes + textBytesOf(column), 0);
}

function textBytesOf(column: HostColumn): number {
  const [items] = column.children;
  if (column.type.kind !== "list" || items === undefined) return stringDataBytes(column);
  const { offsets } = column;
  const edge = (row: number) => items.offsets?.[offsets?.[row] ?? 0] ?? 0;
  return edge(column.length) - edge(0);
}

/** Returns the arrays of the kernel for some rows. */
export function partsOf({ code, columns, arrays, numRows }: KernelWork, rows: Rows) {
  return code.convention.arrays.map((wanted, index) => {
    const type = "column" in wanted ? columns[wanted.column]?.type : undefined;
    return partArray(wanted, type, arrays[index] ?? null, rows, numRows);
  });
}
