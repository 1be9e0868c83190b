/** @module */

import type { WasmInstruction } from "./instructions.ts";

/**
 * Code that is being put together: instructions, and parts that hold some themselves. A part is not
 * copied into what it stands in, which would copy the innermost one once for every level around it.
 */
export type WasmCode = readonly (WasmInstruction | WasmCode)[];

/**
 * The instructions of some code, in order.
 *
 * @example
 * ```ts
 * import { instructionsOf } from "./code.ts";
 *
 * const sum = [["i32.const", 1], ["i32.const", 2], ["i32.add"]] as const;
 * const code = instructionsOf([sum, [], ["local.set", "total"]]);
 * if (code.length !== 4) throw new Error("four instructions");
 * ```
 */
export function instructionsOf(code: WasmCode): WasmInstruction[] {
  const instructions: WasmInstruction[] = [];
  const add = (parts: WasmCode) => {
    for (const part of parts) {
      if (isInstruction(part)) instructions.push(part);
      else add(part);
    }
  };
  add(code);
  return instructions;
}

function isInstruction(part: WasmInstruction | WasmCode): part is WasmInstruction {
  return typeof part[0] === "string";
}
