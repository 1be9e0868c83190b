/**
 * The WebAssembly target: one function with the loop over the rows, like that of the JavaScript
 * target, for kernels that it makes faster. Words of 16 bytes make searches and copies of text
 * several times as fast; JavaScript has no 64-bit integers, and chooses between values with
 * branches. `gpu/host/executors/wasm_arena.ts` provides the memory.
 *
 * It reads up to `WASM_ROOM` bytes after its arrays and writes as many after its result. It stops
 * before a row that does not fit, or would be too large.
 *
 * @module
 */

import { HOST_FUNCTIONS } from "../../language/host_functions.ts";
import { byteWidth, type ColumnType } from "../../../column/column.ts";
import {
  arrayName,
  type CallingConvention,
  callingConventionOf,
  WASM_PARAMETERS,
} from "../host/calling_convention.ts";
import { bitRowsOf } from "../host/bit_rows.ts";
import { isAscii, wasmHelpers } from "./helpers.ts";
import { VALID } from "./null_rows.ts";
import { rowValuesOf } from "./row_values.ts";
import { WasmStatements } from "./statement.ts";

import type { BinaryFn, RowKernel, Scalar } from "../../ir/ir.ts";
import { visit } from "../../ir/visit.ts";
import { halve } from "../../halve/halve.ts";
import { instructionsOf, wasm, type WasmCode } from "../../../wasm/instructions.ts";
import {
  encodeModule,
  onlyMemory,
  type WasmFunction,
  type WasmType,
} from "../../../wasm/module.ts";
import { printModule } from "../../../wasm/wat.ts";

/** The most parameters that engines accept (WebAssembly JavaScript Interface, limits). */
const MAX_PARAMETERS = 1000;

/** A kernel as WebAssembly. */
export interface WasmKernel {
  /**
   * The function `run`, a `WasmRun` with `WASM_PARAMETERS` and the places of the arrays. And the
   * function `isAscii`, which takes the place and the number of some bytes, and returns whether all
   * of them are below 0x80.
   */
  readonly functions: readonly WasmFunction[];
}

/**
 * Prints a kernel as WebAssembly, or returns null if it does something that only JavaScript can do.
 */
export function emitWasm(
  kernel: RowKernel,
  { arrays }: CallingConvention = callingConventionOf(kernel),
): WasmKernel | null {
  const names = [...WASM_PARAMETERS, ...arrays.map(arrayName)];
  if (names.length > MAX_PARAMETERS || wasmRefusal(kernel) !== null) return null;
  const statements = new WasmStatements(kernel);
  const { areEmpty } = statements.nulls;
  const rows = rowValuesOf(statements.body, areEmpty, statements.scope);
  const code = statements.rowCode();
  const pass = statements.passCode();
  const nulls = statements.nullsCode();
  const bits = statements.bitsCode();
  const isText = kernel.type.kind === "string";
  const locals: (readonly [string, WasmType])[] = [
    ...["$nulls", "$at", "$limit", "$begin", "$shift"].map((
      name,
    ): [string, WasmType] => [name, "i32"]),
    ...statements.locals,
  ];
  const body = instructionsOf(wasm`
    ${statements.constants}
    local.get $result; local.tee $at; local.tee $begin; local.get $capacity; i32.add
    local.set $limit
    local.get $base; local.get $result; i32.sub; local.set $shift
    ${nulls.first}
    ${rows.first}
    ${bits.first}
    ${pass.first}
    block $full
      loop $next
        local.get $row; local.get $rows; i32.ge_s; br_if $full
        ${pass.each}
        ${nulls.each}
        ${rows.each}
        block $body
          ${code}
        end
        ${isText && areEmpty ? DROP_NULL : []}
        ${isText ? TEXT_ROW_END : []}
        local.get $row; i32.const 1; i32.add; local.set $row
        br $next
      end
    end
    ${bits.last}
    ${nulls.last}
    local.get $row; local.get $begin; local.get $result; i32.sub; ${nulls.count}
  `);
  const main: WasmFunction = {
    name: "run",
    parameters: names,
    results: ["i32", "i32", "i32"],
    locals,
    body,
    isExported: true,
  };
  return { functions: [main, isAscii, ...wasmHelpers(statements.calls)] };
}

/** Returns the binary module, for a memory that threads share or not. */
export function wasmModule({ functions }: WasmKernel, isShared: boolean): Uint8Array {
  return encodeModule(functions, onlyMemory(isShared));
}

/** Prints the module as text, for people and for golden files; the memory is not shared. */
export function wasmSource({ functions }: WasmKernel): string {
  return printModule(functions, onlyMemory(false));
}

/** Goes back over the text of a null row. */
const DROP_NULL: WasmCode = wasm`
  local.get $at; local.get $begin; i32.sub; local.get ${VALID}; i32.and
  local.get $begin; i32.add; local.set $at
`;

/** Stores the end of the row's text, which is the beginning of the next one. */
const TEXT_ROW_END: WasmCode = wasm`
  local.get $offsets; local.get $row; i32.const 2; i32.shl; i32.add; local.get $at
  local.tee $begin; local.get $shift; i32.add; i32.store 4
`;

/** Returns why a kernel only runs as JavaScript; null if it can run as WebAssembly. */
export function wasmRefusal(kernel: RowKernel): string | null {
  const { body, type, columnTypes } = kernel;
  if (!isPlainType(type)) return `its result is of type ${type.kind}`;
  const other = columnTypes.find((column) => !isPlainType(column));
  if (other !== undefined) return `it reads a column of type ${other.kind}`;
  const areBits = type.kind === "bool" &&
    bitRowsOf(halve(kernel, { hasFloats: true })) !== null;
  let isWorthIt = type.kind === "string";
  let why: string | null = null;
  visit(body, {
    stmt: (stmt) => {
      if (stmt.do === "result" && stmt.words[0]?.type === "f64" && isHalf(type)) why ??= HALF;
      if (stmt.do === "hostCall") why ??= HOST_FUNCTIONS[stmt.name];
    },
    scalar: (scalar) => {
      if (scalar.op === "hostCall") why ??= HOST_FUNCTIONS[scalar.name];
      if (scalar.op === "float" && isHalf(columnTypes[scalar.column])) why ??= HALF;
      if (isFaster(scalar, areBits)) isWorthIt = true;
    },
  });
  return why ?? (isWorthIt ? null : "it is as fast where its columns are");
}

/** Why a kernel with floats of 16 bits only runs as JavaScript. */
const HALF = "it reads or writes floats of 16 bits";

function isHalf(type: ColumnType | undefined): boolean {
  return type?.kind === "float" && type.bits === 16;
}

/**
 * Whether WebAssembly computes a scalar faster, even though its columns have to be copied: bytes of
 * text; 64-bit integers that are more than tested for equality or passed on; and choices, which
 * JavaScript makes with branches that are often mispredicted. In conditions whose rows are bits,
 * JavaScript compares 64-bit integers without a branch, too.
 */
function isFaster(scalar: Scalar, areBits: boolean): boolean {
  switch (scalar.op) {
    case "byte":
    case "select":
      return true;
    case "unary":
      return scalar.type === "i64";
    case "binary":
      if (scalar.fn === "&&" || scalar.fn === "||") return !areBits;
      if (scalar.left.type !== "i64" || scalar.fn === "==" || scalar.fn === "!=") return false;
      return !areBits || !ORDERS.has(scalar.fn);
    case "convert": {
      const types = [scalar.value.type, scalar.type];
      const readsBits = scalar.fn === "low" || scalar.fn === "high";
      return types.includes("f64") && (types.includes("i64") || readsBits);
    }
    default:
      return false;
  }
}

/** The comparisons for which a sign or a carry has to be found. */
const ORDERS: ReadonlySet<BinaryFn> = new Set(["<", "<=", ">", ">=", "<u"] as const);

function isPlainType(type: ColumnType): boolean {
  return type.kind === "string" || type.kind === "bool" || byteWidth(type) > 0;
}
