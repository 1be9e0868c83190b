/**
 * The instructions of operators and conversions.
 *
 * @module
 */

import type { BinaryFn, ConvertFn, ScalarType, UnaryFn } from "../../ir/ir.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmType } from "../../../wasm/module.ts";

const INTEGERS: Partial<Record<BinaryFn, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "&": "and",
  "|": "or",
  "^": "xor",
  "<<": "shl",
  ">>": "shr_s",
  ">>>": "shr_u",
  "==": "eq",
  "!=": "ne",
  "<": "lt_s",
  "<=": "le_s",
  ">": "gt_s",
  ">=": "ge_s",
  "<u": "lt_u",
  // Bools are 0 or 1.
  "&&": "and",
  "||": "or",
};

const FLOATS: Partial<Record<BinaryFn, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
};

/** Returns the instruction of an operator with operands of a type. */
export function binaryOp(fn: BinaryFn, type: WasmType): string {
  const name = (type === "f64" ? FLOATS : INTEGERS)[fn];
  if (name === undefined) throw new RangeError(`Kernels of WebAssembly have no ${fn} of ${type}`);
  return `${type}.${name}`;
}

/** Returns the code of an operator with an operand of a type, which other code leaves. */
export function unaryCode(fn: UnaryFn, type: ScalarType, value: WasmCode): WasmCode {
  switch (fn) {
    case "!":
      return wasm`${value}; i32.eqz`;
    case "~":
      return wasm`${value}; ${type}.const -1; ${type}.xor`;
    case "-":
      return type === "f64"
        ? wasm`${value}; f64.neg`
        : wasm`${type}.const 0; ${value}; ${type}.sub`;
    case "fround":
      return wasm`${value}; f32.demote_f64; f64.promote_f32`;
    default:
      return wasm`${value}; ${type}.${fn}`;
  }
}

/** Joins the halves of an i64, or of the bits of an f64. */
export function joinCode(low: WasmCode, high: WasmCode, isFloat: boolean): WasmCode {
  return wasm`
    ${low}; i64.extend_i32_u; ${high}; i64.extend_i32_u; i64.const 32; i64.shl; i64.or
    ${isFloat ? wasm`f64.reinterpret_i64` : []}
  `;
}

/** Returns the code of a conversion of a value, which other code leaves. */
export function convertCode(
  fn: ConvertFn,
  from: ScalarType,
  to: ScalarType,
  value: WasmCode,
): WasmCode {
  switch (fn) {
    case "extend":
      return wasm`${value}; i64.extend_i32_s`;
    case "extendU":
      return wasm`${value}; i64.extend_i32_u`;
    case "low":
      return wasm`${value}; i32.wrap_i64`;
    case "high":
      return wasm`${value}; i64.const 32; i64.shr_u; i32.wrap_i64`;
    case "toFloat":
      return wasm`${value}; f64.convert_${from}_s`;
    case "toFloatU":
      return wasm`${value}; f64.convert_${from}_u`;
    case "truncate":
      return wasm`${value}; ${to}.trunc_sat_f64_s`;
    case "bits":
      return to === "f64" ? wasm`${value}; f64.reinterpret_i64` : value;
    case "wrap":
      throw new RangeError("Kernels of WebAssembly have no halves of i64");
  }
}
