import { type ColumnType, type HostColumn, isTextList, stringDataBytes } from "../column.ts";
import {
  emitJavaScript,
  type JavaScriptKernel,
  javaScriptSource,
} from "../kernel/javascript/emit.ts";
import type { WasmKernel } from "../kernel/wasm/emit.ts";
import type { RowKernel } from "../kernel/ir.ts";
import { ColumnFullError } from "./column_full.ts";
import { copyBytes, viewBytes } from "./copy_bytes.ts";
import { arrayFor, resultArray } from "./kernel_arrays.ts";
import { MAX_NARROW_OFFSET } from "./offsets.ts";
import { readDecimal } from "./read_decimal.ts";
import { checkRepeat, repeatBytes } from "./repeat_bytes.ts";
import { seekByte, seekBytes } from "./seek_bytes.ts";
import { runInParts, workOf } from "./run_in_parts.ts";
import { turnItems } from "./turn_items.ts";
import { wasmKernelOf } from "./wasm_kernel.ts";
import { writeFloat } from "./write_float.ts";
import { writeNormal } from "./write_normal.ts";

/** Room that is added to every estimate. */
const SPARE_BYTES = 256;
const SPARE_ITEMS = 64;
/** Rows, or bytes of text, from which a batch is computed part by part with WebAssembly. */
export const MIN_WASM_ROWS = 1024;
const MIN_WASM_BYTES = 256 << 10;

/** A kernel that runs on the host. */
export interface CompiledKernel {
  /** The generated function. */
  readonly source: string;
  /**
   * Runs it over `numRows` rows of the columns of the kernel, in the kernel's order, whose text has
   * offsets of 32 bits. A result that has not raises a ColumnFullError.
   */
  run(columns: readonly HostColumn[], numRows: number, isUnchecked?: boolean): HostColumn;
  /**
   * Numbers of its columns of text that it looks at by the way where they are unchecked: whether they
   * are ASCII, and raises a NotAsciiError where one is not.
   */
  checks(): readonly number[];
  /** What it is made of; kernels that replace bytes have none. */
  readonly pieces?: KernelPieces;
}

/** The pieces of a row kernel, for who runs it over some of the rows at a time. */
export interface KernelPieces {
  readonly kernel: RowKernel;
  readonly emitted: JavaScriptKernel;
  /** The same for WebAssembly; null where it only runs as JavaScript. */
  readonly wasm: WasmKernel | null;
  /** The arrays that the function takes, over all rows. */
  arrays(columns: readonly HostColumn[], numRows: number): (ArrayBufferView | null)[];
  /** Calls the function: what it writes to by the names of its parameters, then its arrays. */
  call(
    target: Readonly<Record<string, unknown>>,
    arrays: readonly (ArrayBufferView | null)[],
  ): KernelOutcome;
}

/** What the function of a kernel gives. */
export type KernelOutcome = {
  nulls: number;
  data: ArrayBufferView;
  size: number;
  /** Lists of texts: where items end. */
  ends?: Int32Array;
  /** Lists: how many items there are. */
  count?: number;
};

/** What kernels call. */
const helpers = {
  $copy: copyBytes,
  $viewBytes: viewBytes,
  $seekByte: seekByte,
  $seekBytes: seekBytes,
  $repeat: repeatBytes,
  $checkRepeat: checkRepeat,
  $decimal: readDecimal,
  $putFloat: writeFloat,
  $putNormal: writeNormal,
  $growItems: growItems,
  $turn: turnItems,
};

/**
 * Compiles a kernel, which uses WebAssembly for batches of `minWasmRows` rows, and for those with much
 * text unless that is infinite.
 */
export function compileRowKernel(kernel: RowKernel, minWasmRows: number): CompiledKernel {
  const emitted = emitJavaScript(kernel);
  const compiled = functionOf(emitted);
  // Bytes of result for a byte of input, and items for a row, as the batches so far had it.
  let growth = 1;
  let itemsPerRow = 4;
  const isList = kernel.type.kind === "list";
  const isText = kernel.type.kind === "string" || isTextList(kernel.type);
  let wasm: WasmKernel | null | undefined;
  const pieces: KernelPieces = {
    kernel,
    emitted,
    // Small batches never ask.
    get wasm() {
      if (wasm === undefined) wasm = wasmKernelOf(kernel, emitted);
      return wasm;
    },
    arrays: (columns, numRows) =>
      emitted.arrays.map((array) => arrayFor(kernel, columns, array, numRows)),
    call(target, arrays) {
      const fixed: Readonly<Record<string, unknown>> = { ...helpers, ...target };
      return compiled(...emitted.fixed.map((name) => fixed[name]), ...arrays);
    },
  };

  return {
    source: javaScriptSource(emitted),
    pieces,
    checks() {
      if (pieces.wasm === null) return [];
      return emitted.arrays.flatMap((wanted) =>
        wanted.array === "data" && kernel.columnTypes[wanted.column]?.kind === "string"
          ? [wanted.column]
          : []
      );
    },
    run(columns, numRows, isUnchecked = false) {
      const inputBytes = columns.reduce((bytes, column) => bytes + textBytes(column), 0);
      const isLarge = numRows >= minWasmRows ||
        minWasmRows < Infinity && inputBytes >= MIN_WASM_BYTES;
      if (isLarge && pieces.wasm !== null) {
        const work = workOf(pieces, columns, numRows, isUnchecked);
        const result = runInParts(work, inputBytes * growth / numRows);
        if (isText && inputBytes > 0) {
          growth = Math.max(1 / 64, result.data.length / inputBytes * 1.05);
        }
        return result;
      }
      const estimate = Math.ceil(inputBytes * growth) + SPARE_BYTES;
      const numItems = isList ? Math.ceil(numRows * itemsPerRow) + SPARE_ITEMS : 0;
      const room = isText
        ? new Uint8Array(Math.min(estimate, MAX_NARROW_OFFSET))
        : isList
        ? new Int32Array(numItems)
        : resultArray(kernel.type, numRows, emitted.writesFloats);
      const offsets = isText || isList ? new Int32Array(numRows + 1) : null;
      const validity = kernel.canBeNull ? allValid(numRows) : null;
      const outcome = pieces.call({
        $rows: numRows,
        $result: room,
        $offsets: offsets,
        $validity: validity,
        $grow: grow,
        $ends: isList && isText ? new Int32Array(numItems) : null,
      }, pieces.arrays(columns, numRows));
      const { nulls, size } = outcome;
      if (isText && inputBytes > 0) growth = Math.max(1 / 64, (size / inputBytes) * 1.05);
      const { buffer, byteOffset, byteLength } = outcome.data;
      const data = new Uint8Array(buffer, byteOffset, byteLength);
      const result = {
        place: "host",
        type: kernel.type,
        length: numRows,
        nullCount: nulls,
        validity: nulls === 0 ? null : validity,
        offsets,
      } as const;
      const used = isText || isList ? withoutSlack(data, size) : data;
      const { ends, count = 0 } = outcome;
      const { type } = kernel;
      if (type.kind !== "list") return { ...result, data: used, children: [] };
      if (numRows > 0) itemsPerRow = count / numRows * 1.05;
      const items = itemColumn(type.item, used, ends, count);
      return { ...result, data: new Uint8Array(0), children: [items] };
    },
  };
}

type KernelFunction = (...args: unknown[]) => KernelOutcome;

/** Functions by their code, the latest last. */
const functions = new Map<string, KernelFunction>();

/** Functions that are kept. */
const MAX_FUNCTIONS = 200;

/** The function: that of an earlier plan where the code is the same, which is optimized already. */
function functionOf({ parameters, body }: JavaScriptKernel): KernelFunction {
  const key = `${parameters}\n${body}`;
  const compiled = functions.get(key) ?? new Function(...parameters, body) as KernelFunction;
  functions.delete(key);
  functions.set(key, compiled);
  if (functions.size > MAX_FUNCTIONS) functions.delete(functions.keys().next().value!);
  return compiled;
}

/** Makes room for `size` bytes, of which `written` are to be kept. */
function grow(old: Uint8Array, written: number, size: number, row: number): Uint8Array {
  if (size > MAX_NARROW_OFFSET) {
    throw new ColumnFullError(`Size of output exceeds ${MAX_NARROW_OFFSET} bytes`, row, size);
  }
  const capacity = Math.min(Math.max(size, 2 * old.length) + SPARE_BYTES, MAX_NARROW_OFFSET);
  const grown = new Uint8Array(capacity);
  grown.set(old.subarray(0, written));
  return grown;
}

/**
 * Makes room for `count` items, of which `kept` are to be kept. Of texts these are their ends, one
 * more than there are items.
 */
function growItems(old: Int32Array, kept: number, count: number, row: number): Int32Array {
  if (count > MAX_NARROW_OFFSET) {
    throw new ColumnFullError(`Size of output exceeds ${MAX_NARROW_OFFSET} items`, row, count);
  }
  const grown = new Int32Array(
    Math.min(Math.max(count, 2 * old.length) + SPARE_ITEMS, MAX_NARROW_OFFSET),
  );
  grown.set(old.subarray(0, kept + 1));
  return grown;
}

/** Bytes of text that the rows of a column refer to. */
function textBytes(column: HostColumn): number {
  const [items] = column.children;
  if (column.type.kind !== "list" || items === undefined) return stringDataBytes(column);
  const { offsets } = column;
  const edge = (row: number) => items.offsets?.[offsets?.[row] ?? 0] ?? 0;
  return edge(column.length) - edge(0);
}

/** The items of all rows; none of them is null. */
function itemColumn(
  type: ColumnType,
  data: Uint8Array,
  ends: Int32Array | undefined,
  count: number,
): HostColumn {
  return {
    place: "host",
    type,
    length: count,
    nullCount: 0,
    validity: null,
    data,
    offsets: ends === undefined ? null : usedEnds(ends, count),
    children: [],
  };
}

function usedEnds(ends: Int32Array, count: number): Int32Array {
  const used = ends.subarray(0, count + 1);
  return ends.length - count > count / 4 + 1024 ? used.slice() : used;
}

/** The bytes that are in use, copied where the rest would hold on to much memory. */
function withoutSlack(data: Uint8Array, size: number): Uint8Array {
  const used = data.subarray(0, size);
  return data.length - size > size / 4 + 4096 ? used.slice() : used;
}

function allValid(numRows: number): Uint8Array {
  const bits = new Uint8Array((numRows + 7) >> 3).fill(0xff);
  if (numRows % 8 !== 0) bits[bits.length - 1] = (1 << numRows % 8) - 1;
  return bits;
}
