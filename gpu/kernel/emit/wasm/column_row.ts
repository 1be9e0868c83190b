/**
 * Reads the row of a column of fixed width.
 *
 * @module
 */

import { byteWidth, type ColumnType } from "../../../column/column.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { Scalar } from "../../ir/ir.ts";
import { arrayName } from "../host/calling_convention.ts";

/** Leaves bit `$row` of a bitmap. */
export function readBit(place: string): WasmCode {
  return wasm`
    local.get ${place}; local.get $row; i32.const 3; i32.shr_u; i32.add; i32.load8_u 0
    local.get $row; i32.const 7; i32.and; i32.shr_u; i32.const 1; i32.and
  `;
}

/** Leaves the number in the row of a column of a type. */
export function readNumber(
  scalar: Scalar & { op: "word" | "long" | "float" },
  type: ColumnType,
): WasmCode {
  const { op, column } = scalar;
  const width = byteWidth(type);
  const array = op === "float" ? "floats" : "words";
  const load = scalar.op === "word"
    ? wasm`${loadWord(type)} ${4 * scalar.word}`
    : scalar.op === "long"
    ? wasm`i64.load ${8 * (scalar.part ?? 0)}`
    : width === 8
    ? wasm`f64.load 0`
    : wasm`f32.load 0; f64.promote_f32`;
  return wasm`
    local.get ${arrayName({ array, column })}
    local.get $row; i32.const ${width}; i32.mul; i32.add; ${load}
  `;
}

/** Returns the instruction that loads a word of the row of a column. */
function loadWord(type: ColumnType): string {
  const isSigned = type.kind === "int" && type.signed;
  switch (byteWidth(type)) {
    case 1:
      return isSigned ? "i32.load8_s" : "i32.load8_u";
    case 2:
      return isSigned ? "i32.load16_s" : "i32.load16_u";
    default:
      return "i32.load";
  }
}
