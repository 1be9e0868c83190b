/**
 * Tells whether the exact result of an operator of two i64 does not fit.
 *
 * @module
 */

import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";
import type { OverflowFn, Scalar } from "../../ir/ir.ts";
import type { CodeScope } from "./code_scope.ts";

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/** Whether an operator tests for overflow. */
export function isOverflow(fn: string): fn is OverflowFn {
  return fn.includes("overflows");
}

/** Leaves 1 if the exact result does not fit, else 0. */
export function overflowCode(
  { fn, left, right }: Scalar & { op: "binary"; fn: OverflowFn },
  scope: CodeScope,
): WasmCode {
  const bounds = boundsOf(fn, left, right);
  if (bounds !== null) return beyondCode(bounds, scope);
  const [a, b] = [scope.operand(left), scope.operand(right)];
  return wasm`${a.first}; ${b.first}; ${testCode(fn, a.again, b.again, scope)}`;
}

function testCode(fn: OverflowFn, a: WasmCode, b: WasmCode, scope: CodeScope): WasmCode {
  switch (fn) {
    case "+overflows": {
      // The sum has another sign than both operands.
      const sum = scope.temporary("i64");
      return wasm`
        ${a}; ${b}; i64.add; local.tee ${sum}; ${a}; i64.xor; local.get ${sum}; ${b}; i64.xor
        i64.and; i64.const 0; i64.lt_s
      `;
    }
    case "-overflows":
      // The operands have different signs, and the difference has another one than the first.
      return wasm`
        ${a}; ${b}; i64.xor; ${a}; ${b}; i64.sub; ${a}; i64.xor; i64.and; i64.const 0; i64.lt_s
      `;
    case "+overflowsU":
      return wasm`${a}; ${b}; i64.add; ${a}; i64.lt_u`;
    case "-overflowsU":
      return wasm`${a}; ${b}; i64.lt_u`;
    case "*overflows":
      // Factors of at most 63 bits together have a product that fits.
      return productCode(wasm`${leadingSigns(a)}; ${leadingSigns(b)}; i64.add; i64.const 66`, {
        name: "productOverflows",
        factors: wasm`${a}; ${b}`,
        scope,
      });
    case "*overflowsU":
      return productCode(wasm`${a}; i64.clz; ${b}; i64.clz; i64.add; i64.const 64`, {
        name: "productOverflowsU",
        factors: wasm`${a}; ${b}`,
        scope,
      });
  }
}

/** Leaves the number of leading bits that equal the sign. */
function leadingSigns(value: WasmCode): WasmCode {
  return wasm`${value}; ${value}; i64.const 63; i64.shr_s; i64.xor; i64.clz`;
}

interface Product {
  /** The function that tests any factors. */
  readonly name: string;
  readonly factors: WasmCode;
  readonly scope: CodeScope;
}

/** `bits` leaves the leading bits of both factors, and the number of them that is enough. */
function productCode(bits: WasmCode, { name, factors, scope }: Product): WasmCode {
  scope.calls.add(name);
  return wasm`
    ${bits}; i64.ge_s; if $ i32
      i32.const 0
    else
      ${factors}; call ${name}
    end
  `;
}

/** The functions that divide a product to see whether it is exact. */
export const productTests: readonly WasmFunction[] = [
  productTest(
    "productOverflows",
    // Division of the least number by -1 traps.
    wasm`
      local.get b; i64.const -1; i64.eq; if negated
        local.get a; i64.const ${INT64_MIN}; i64.eq; return
      end
      local.get a; local.get b; i64.mul; local.get b; i64.div_s; local.get a; i64.ne
    `,
  ),
  productTest(
    "productOverflowsU",
    wasm`local.get a; local.get b; i64.mul; local.get b; i64.div_u; local.get a; i64.ne`,
  ),
];

function productTest(name: string, test: WasmCode): WasmFunction {
  return {
    name,
    parameters: ["a", "b"],
    parameterType: "i64",
    results: ["i32"],
    locals: [],
    body: wasm`
      local.get b; i64.eqz; if zero
        i32.const 0; return
      end
      ${test}
    `,
  };
}

/** Whether an operand is outside of [least, most]. */
interface Bounds {
  readonly operand: Scalar;
  readonly least: bigint;
  readonly most: bigint;
  readonly isUnsigned: boolean;
}

/** Returns the values of one operand for which the result fits, if the other one is a constant. */
function boundsOf(fn: OverflowFn, left: Scalar, right: Scalar): Bounds | null {
  const isUnsigned = fn.endsWith("U");
  const valueOf = (scalar: Scalar) => {
    if (scalar.op !== "const") return null;
    const value = BigInt(scalar.value);
    return isUnsigned ? BigInt.asUintN(64, value) : value;
  };
  const [min, max] = isUnsigned ? [0n, UINT64_MAX] : [INT64_MIN, INT64_MAX];
  const within = (operand: Scalar, low: bigint, high: bigint): Bounds => ({
    operand,
    least: low < min ? min : low,
    most: high > max ? max : high,
    isUnsigned,
  });
  const [a, b] = [valueOf(left), valueOf(right)];
  if (fn.startsWith("-")) {
    if (b !== null) return within(left, min + b, max + b);
    return a === null ? null : within(right, a - max, a - min);
  }
  const constant = b ?? a;
  if (constant === null) return null;
  const operand = b === null ? right : left;
  if (fn.startsWith("+")) return within(operand, min - constant, max - constant);
  if (constant === 0n) return within(operand, min, max);
  const [low, high] = constant > 0n ? [min, max] : [max, min];
  return within(operand, low / constant, high / constant);
}

/** Leaves whether a value is outside of its bounds. */
function beyondCode({ operand, least, most, isUnsigned }: Bounds, scope: CodeScope): WasmCode {
  const value = scope.code(operand);
  const [min, max] = isUnsigned ? [0n, UINT64_MAX] : [INT64_MIN, INT64_MAX];
  const sign = isUnsigned ? "u" : "s";
  if (least === min && most === max) return wasm`i32.const 0`;
  if (least === min) return wasm`${value}; i64.const ${most}; i64.gt_${sign}`;
  if (most === max) return wasm`${value}; i64.const ${least}; i64.lt_${sign}`;
  return wasm`
    ${value}; i64.const ${least}; i64.sub; i64.const ${most - least}; i64.gt_u
  `;
}
