/**
 * What there is to compute: a kernel, over the columns of a batch.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import type {
  CallingConvention,
  KernelOutcome,
  RunArguments,
} from "../../kernel/emit/host/calling_convention.ts";
import type { JavaScriptKernel } from "../../kernel/emit/javascript/emit.ts";
import type { WasmKernel } from "../../kernel/emit/wasm/emit.ts";
import { type NumberArray, partArray, type Rows } from "./kernel_arrays.ts";

/**
 * What a kernel has to find out about its text while it reads it: nothing, since that is known; that it
 * is ASCII, for which the kernel was made; or that it is UTF-8.
 */
export type TextCheck = "none" | "ascii" | "utf8";

/** What a row kernel is made of, for those who run it over some of the rows at a time. */
export interface KernelPieces {
  readonly kernel: RowKernel;
  readonly convention: CallingConvention;
  readonly script: JavaScriptKernel;
  /** Null where it only runs as JavaScript. */
  readonly wasm: WasmKernel | null;
  /** The arrays that the function takes, over all rows. */
  arrays(columns: readonly HostColumn[], numRows: number): (ArrayBufferView | null)[];
  /** Calls the JavaScript function. */
  call(run: RunArguments, arrays: readonly (ArrayBufferView | null)[]): KernelOutcome;
}

/** A kernel over the columns of a batch. */
export interface KernelWork {
  readonly pieces: KernelPieces;
  /** Null where it cannot be, or is not worth it: then the kernel runs as JavaScript. */
  readonly wasm: WasmKernel | null;
  readonly columns: readonly HostColumn[];
  /** The arrays of the kernel for all rows. */
  readonly arrays: readonly (NumberArray | null)[];
  readonly numRows: number;
  readonly check: TextCheck;
}

/** The work of a kernel over the columns of a batch, with WebAssembly where it is given. */
export function workOf(
  pieces: KernelPieces,
  wasm: WasmKernel | null,
  columns: readonly HostColumn[],
  numRows: number,
  check: TextCheck,
): KernelWork {
  const arrays = pieces.arrays(columns, numRows) as (NumberArray | null)[];
  return { pieces, wasm, columns, arrays, numRows, check };
}

/** The arrays of the kernel for some rows. */
export function partsOf({ pieces, columns, arrays, numRows }: KernelWork, rows: Rows) {
  return pieces.convention.arrays.map((wanted, index) => {
    const type = "column" in wanted ? columns[wanted.column]?.type : undefined;
    return partArray(wanted, type, arrays[index] ?? null, rows, numRows);
  });
}
