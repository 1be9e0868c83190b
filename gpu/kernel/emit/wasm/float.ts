/**
 * The bits of floats. WebAssembly leaves the sign and the payload of a computed NaN open, so that
 * processors differ: whatever reads bits sees one NaN.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { Scalar } from "../../ir/ir.ts";
import type { CodeScope } from "./code_scope.ts";

const NAN64 = 0x7ff8n << 48n;
const NAN32 = 0x7fc00000;

/** Leaves the bits of a float64 as an i64; those of the nearest float32 as an i32. */
export function bitsOfFloat(value: Scalar, bits: 32 | 64, scope: CodeScope): WasmCode {
  const code = scope.code(value);
  const reinterpret = bits === 64
    ? wasm`i64.reinterpret_f64`
    : wasm`f32.demote_f64; i32.reinterpret_f32`;
  if (isNumber(value)) return wasm`${code}; ${reinterpret}`;
  const float = scope.local("$float", "f64");
  return wasm`
    ${code}; local.tee ${float}; ${reinterpret}
    ${bits === 64 ? wasm`i64.const ${NAN64}` : wasm`i32.const ${NAN32}`}
    local.get ${float}; local.get ${float}; f64.eq; select
  `;
}

/** Whether a scalar is never NaN. */
function isNumber(value: Scalar): boolean {
  switch (value.op) {
    case "const":
      return !Number.isNaN(value.value);
    case "convert":
      return value.fn === "toFloat" || value.fn === "toFloatU";
    default:
      return false;
  }
}
