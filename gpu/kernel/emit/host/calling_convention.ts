/**
 * The calling convention of row kernels on the host: the arguments, their order and names, and the
 * result. It follows from the IR alone. The JavaScript and the WebAssembly emitter print functions
 * with this convention, and `gpu/host/` calls them.
 *
 * @module
 */

import { isTextList } from "../../../column/column.ts";
import type { RowKernel, Scalar, Space, Stmt } from "../../ir/ir.ts";
import { knownSeek } from "../../ir/loop_idiom.ts";
import { isMath } from "./math_functions.ts";
import { visit } from "../../ir/visit.ts";
import type { RuntimeFunctions } from "./runtime_functions.ts";

/** An array argument. For a list column, `data` is the data of its items. */
export type KernelArray =
  | {
    /**
     * data: bytes, or bits of a bool; offsets; validity: bits; words: integers of the column's
     * width, those of 64 bits as pairs; floats: floats of the column's width; items: the offsets of
     * the items of a list; itemsValid: their validity, null if no item is null.
     */
    readonly array: "data" | "offsets" | "validity" | "words" | "floats" | "items" | "itemsValid";
    readonly column: number;
  }
  | { readonly array: "literals" }
  | { readonly array: "table"; readonly table: number };

/** The arguments of a run over some rows, by the names of the parameters. */
export interface RunArguments {
  readonly $rows: number;
  /** Values of fixed width; for text and lists of numbers, the first array to write into. */
  readonly $result: ArrayBufferView;
  readonly $offsets: Int32Array | null;
  /** All bits are set; the kernel clears those of null rows. */
  readonly $validity: Uint8Array | null;
  /** Returns a longer array for text, with the first `kept` bytes; `row` needs `wanted` bytes. */
  readonly $grow: (text: Uint8Array, kept: number, wanted: number, row: number) => Uint8Array;
  /** For lists of texts, the first array for the ends of items. */
  readonly $ends?: Int32Array | null;
  /** For lists, returns a longer array for items, or for their ends. */
  readonly $growItems?: (
    items: Int32Array,
    kept: number,
    wanted: number,
    row: number,
  ) => Int32Array;
}

/** The result of the JavaScript function. */
export interface KernelOutcome {
  readonly nulls: number;
  readonly data: ArrayBufferView;
  readonly size: number;
  /** For lists of texts, the ends of the items. */
  readonly ends?: Int32Array;
  /** For lists, the number of items. */
  readonly count?: number;
}

/** The parameters of the functions of one kernel. */
export interface CallingConvention {
  /**
   * The first parameters of the JavaScript function: arguments of the run, then functions that it
   * calls.
   */
  readonly fixed: readonly (keyof RunArguments | keyof RuntimeFunctions)[];
  /** The parameters after `fixed`, or in WebAssembly after `WASM_PARAMETERS`. */
  readonly arrays: readonly KernelArray[];
  /** Whether the result is written as floats instead of words. */
  readonly writesFloats: boolean;
}

/**
 * The parameters of the WebAssembly function before the places of the arrays: the first row, the
 * end of the rows, the place of the result and its capacity in bytes of text, the place of the
 * offsets and the first offset, the places of the validity and the scratch.
 */
export const WASM_PARAMETERS: readonly string[] = [
  "$row",
  "$rows",
  "$result",
  "$capacity",
  "$offsets",
  "$base",
  "$validity",
  "$scratch",
];

/**
 * The WebAssembly function. It returns the row before which it stopped, the bytes of text of the
 * rows before that, and the number of nulls among them.
 */
export type WasmRun = (...places: number[]) => [row: number, size: number, nulls: number];

/**
 * The JavaScript function of a map of bytes. It returns all words of the source, or-ed, which show
 * whether each byte was below 0x80.
 */
export type ByteMapRun = (words: Int32Array, result: Int32Array, table: Uint8Array) => number;

/** The bytes after an array that WebAssembly may read, and after a result that it may write. */
export const WASM_ROOM = 128;

/** The spare bytes after literals, so that JavaScript can copy whole words from them. */
export const COPY_ROOM = 32;

/** Returns the name of the parameter for an array. */
export function arrayName(wanted: KernelArray): string {
  switch (wanted.array) {
    case "literals":
      return "$literals";
    case "table":
      return `$table${wanted.table}`;
    case "validity":
      return `$valid${wanted.column}`;
    case "floats":
      return `$float${wanted.column}`;
    default:
      return `$${wanted.array}${wanted.column}`;
  }
}

/** Returns the name of the parameter for the bytes of a space. */
export function spaceName(space: Space): string {
  return arrayName(arrayOfSpace(space));
}

function arrayOfSpace(space: Space): KernelArray {
  return space.space === "literals"
    ? { array: "literals" }
    : { array: "data", column: space.column };
}

/** Returns the parameters of the functions of a kernel. */
export function callingConventionOf({ body, type }: RowKernel): CallingConvention {
  const arrays = new Map<string, KernelArray>();
  const calls = new Set<keyof RuntimeFunctions>();
  let writesFloats = false;
  const take = (wanted: KernelArray | null) => {
    if (wanted !== null) arrays.set(arrayName(wanted), wanted);
  };
  visit(body, {
    stmt: (stmt) => {
      arraysOfStatement(stmt).forEach(take);
      const call = callOfStatement(stmt);
      if (call !== null) calls.add(call);
      if (stmt.do === "result" && stmt.words[0]?.type === "f64") writesFloats = true;
    },
    scalar: (scalar) => {
      take(arrayOfScalar(scalar));
      if (scalar.op === "hostCall" && !isMath(scalar.name)) calls.add(`$${scalar.name}`);
    },
  });
  const ofType: CallingConvention["fixed"] = isTextList(type)
    ? ["$ends", "$growItems", "$turn"]
    : type.kind === "list"
    ? ["$growItems"]
    : [];
  return {
    fixed: [...EVERY_KERNEL, ...ofType, ...calls],
    arrays: [...arrays.values()],
    writesFloats,
  };
}

const EVERY_KERNEL: CallingConvention["fixed"] = [
  "$rows",
  "$result",
  "$offsets",
  "$validity",
  "$grow",
  "$copy",
  "$viewBytes",
];

function arraysOfStatement(stmt: Stmt): readonly KernelArray[] {
  switch (stmt.do) {
    case "copy":
    case "repeat":
      return [arrayOfSpace(stmt.space)];
    case "hostCall":
      return stmt.space === null ? [] : [arrayOfSpace(stmt.space)];
    case "loop": {
      const column = knownSeek(stmt)?.column;
      return column === undefined ? [] : [{ array: "data", column }, { array: "offsets", column }];
    }
    default:
      return [];
  }
}

function callOfStatement(stmt: Stmt): keyof RuntimeFunctions | null {
  switch (stmt.do) {
    case "loop": {
      const seek = knownSeek(stmt);
      return seek && (seek.bytes.length > 1 ? "$seekBytes" : "$seekByte");
    }
    case "repeat":
      return "$repeat";
    case "checkRepeat":
      return "$checkRepeat";
    case "fail":
      return "$fail";
    case "hostCall":
      return isMath(stmt.name) ? null : `$${stmt.name}`;
    default:
      return null;
  }
}

function arrayOfScalar(scalar: Scalar): KernelArray | null {
  switch (scalar.op) {
    case "byte":
      return arrayOfSpace(scalar.space);
    case "hostCall":
      return scalar.space && arrayOfSpace(scalar.space);
    case "start":
    case "stop":
      return { array: "offsets", column: scalar.column };
    case "valid":
      return { array: "validity", column: scalar.column };
    case "bit":
      return { array: "data", column: scalar.column };
    case "word":
    case "long":
      return { array: "words", column: scalar.column };
    case "float":
      return { array: "floats", column: scalar.column };
    case "itemStart":
      return { array: "items", column: scalar.column };
    case "itemValid":
      return { array: "itemsValid", column: scalar.column };
    case "table":
      return { array: "table", table: scalar.table };
    default:
      return null;
  }
}
