/**
 * Division of integers without traps: WebAssembly traps at a division by 0, and at the quotient of
 * the least number and -1.
 *
 * @module
 */

import type { DivideFn } from "../../language/operators.ts";
import { wasm, type WasmCode } from "../../../wasm/instructions.ts";
import type { WasmFunction } from "../../../wasm/module.ts";

type IntegerType = "i32" | "i64";

const INSTRUCTIONS: Readonly<Record<DivideFn, string>> = {
  "/": "div_s",
  "%": "rem_s",
  "/u": "div_u",
  "%u": "rem_u",
};
const NAMES: Readonly<Record<DivideFn, string>> = {
  "/": "divide",
  "%": "remainder",
  "/u": "divideU",
  "%u": "remainderU",
};

/** Divides two operands that other code left. A divisor is undefined if it is not a constant. */
export function divideCode(
  fn: DivideFn,
  type: IntegerType,
  divisor: bigint | undefined,
  calls: Set<string>,
): WasmCode {
  if (divisor !== undefined && divisor !== 0n && divisor !== -1n) {
    return [[`${type}.${INSTRUCTIONS[fn]}`]];
  }
  const helper = helperName(fn, type);
  calls.add(helper);
  return [["call", helper]];
}

function helperName(fn: DivideFn, type: IntegerType): string {
  return type === "i32" ? NAMES[fn] : `${NAMES[fn]}Long`;
}

/** The functions that `divideCode` calls. A divisor of 0 makes 0. */
export const divisions: readonly WasmFunction[] = (["i32", "i64"] as const).flatMap((type) =>
  (["/", "%", "/u", "%u"] as const).map((fn) => division(fn, type))
);

function division(fn: DivideFn, type: IntegerType): WasmFunction {
  // The least number by -1 is itself; a remainder of it does not trap.
  const negated = wasm`
    local.get divisor; ${type}.const -1; ${type}.eq; if negated
      ${type}.const 0; local.get dividend; ${type}.sub; return
    end
  `;
  return {
    name: helperName(fn, type),
    parameters: ["dividend", "divisor"],
    parameterType: type,
    results: [type],
    locals: [],
    body: wasm`
      local.get divisor; ${type}.eqz; if zero
        ${type}.const 0; return
      end
      ${fn === "/" ? negated : []}
      local.get dividend; local.get divisor; ${type}.${INSTRUCTIONS[fn]}
    `,
  };
}
