import { type HostColumn, isTextList, stringDataBytes } from "../../column/column.ts";
import {
  callingConventionOf,
  type KernelOutcome,
  type RunArguments,
} from "../../kernel/emit/host/calling_convention.ts";
import type { RuntimeFunctions } from "../../kernel/emit/host/runtime_functions.ts";
import {
  emitJavaScript,
  type JavaScriptKernel,
  javaScriptSource,
} from "../../kernel/emit/javascript/emit.ts";
import type { WasmKernel } from "../../kernel/emit/wasm/emit.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import { LruCache } from "../../../base/lru_cache.ts";
import { arrayFor, isTextOf, offsetsIndex } from "./kernel_arrays.ts";
import type { KernelResult } from "./kernel_result.ts";
import { type KernelPieces, type TextCheck, workOf } from "./kernel_work.ts";
import { runInParts } from "./run_in_parts.ts";
import { runListKernel } from "./run_list_kernel.ts";
import { runtime } from "../runtime/runtime.ts";
import { wasmKernelOf } from "./wasm_kernel.ts";

/** Rows, or bytes of text, from which a batch is computed part by part with WebAssembly. */
export const MIN_WASM_ROWS = 1024;
const MIN_WASM_BYTES = 256 << 10;

/** A kernel that runs on the host. */
export interface CompiledKernel {
  /** The generated function. */
  readonly source: string;
  /**
   * Runs it over `numRows` rows of the columns of the kernel, in the kernel's order, whose text has
   * offsets of 32 bits.
   */
  run(columns: readonly HostColumn[], numRows: number, check?: TextCheck): KernelResult;
  /** Numbers of the columns of text that it can check while it reads them. */
  checks(): readonly number[];
  /** What it is made of; kernels that replace bytes have none. */
  readonly pieces?: KernelPieces;
}

/**
 * Compiles a kernel. It uses WebAssembly for batches of `minWasmRows` rows or more, and unless that is
 * infinite also for fewer rows with much text.
 */
export function compileRowKernel(kernel: RowKernel, minWasmRows: number): CompiledKernel {
  const convention = callingConventionOf(kernel);
  const script = emitJavaScript(kernel, convention);
  const compiled = functionOf(script);
  // Bytes of result for a byte of input, and items for a row, as the batches so far had it.
  let growth = 1;
  let itemsPerRow = 4;
  const isList = kernel.type.kind === "list";
  const isText = kernel.type.kind === "string" || isTextList(kernel.type);
  let wasm: WasmKernel | null | undefined;
  const pieces: KernelPieces = {
    kernel,
    convention,
    script,
    // Small batches never ask.
    get wasm() {
      if (wasm === undefined) wasm = wasmKernelOf(kernel, convention, script);
      return wasm;
    },
    arrays: (columns, numRows) =>
      convention.arrays.map((array) => arrayFor(kernel, columns, array, numRows)),
    call(run, arrays) {
      const fixed: RunArguments & RuntimeFunctions = { ...runtime, ...run };
      return compiled(...convention.fixed.map((name) => fixed[name]), ...arrays);
    },
  };

  return {
    source: javaScriptSource(script),
    pieces,
    checks() {
      if (pieces.wasm === null) return [];
      return convention.arrays.flatMap((wanted) =>
        isTextOf(kernel, wanted) && offsetsIndex(convention, wanted.column) >= 0
          ? [wanted.column]
          : []
      );
    },
    run(columns, numRows, check = "none") {
      const inputBytes = columns.reduce((bytes, column) => bytes + textBytes(column), 0);
      const isLarge = numRows >= minWasmRows ||
        minWasmRows < Infinity && inputBytes >= MIN_WASM_BYTES;
      const work = workOf(pieces, isLarge ? pieces.wasm : null, columns, numRows, check);
      const expectedBytes = inputBytes * growth;
      const result = isList
        ? runListKernel(work, { numItems: numRows * itemsPerRow, textBytes: expectedBytes })
        : runInParts(work, expectedBytes);
      if (result.kind !== "column") return result;
      const { data, length } = result.column.children[0] ?? result.column;
      if (isText && inputBytes > 0) growth = Math.max(1 / 64, data.length / inputBytes * 1.05);
      if (isList && numRows > 0) itemsPerRow = length / numRows * 1.05;
      return result;
    },
  };
}

type KernelFunction = (...args: unknown[]) => KernelOutcome;

/** Functions by their code. */
const functions = new LruCache<KernelFunction>(200);

/** The function: that of an earlier plan where the code is the same, which is optimized already. */
function functionOf({ parameters, body }: JavaScriptKernel): KernelFunction {
  const make = () => new Function(...parameters, body) as KernelFunction;
  return functions.get(`${parameters}\n${body}`, make);
}

/** Bytes of text that the rows of a column refer to. */
function textBytes(column: HostColumn): number {
  const [items] = column.children;
  if (column.type.kind !== "list" || items === undefined) return stringDataBytes(column);
  const { offsets } = column;
  const edge = (row: number) => items.offsets?.[offsets?.[row] ?? 0] ?? 0;
  return edge(column.length) - edge(0);
}
