/**
 * The services of a scope for code of single operators.
 *
 * @module
 */

import type { WasmCode } from "../../../wasm/instructions.ts";
import type { WasmType } from "../../../wasm/module.ts";
import type { Scalar } from "../../ir/ir.ts";

/** Prints scalars, and collects the locals and the functions that the code needs. */
export interface CodeScope {
  /** The names of the helpers that the code calls. */
  readonly calls: Set<string>;
  /** Returns code that leaves the value of a scalar; that of a bool is 0 or 1. */
  code(scalar: Scalar): WasmCode;
  /** Declares a local and returns its name. */
  local(name: string, type: WasmType): string;
  /** Declares a local that nothing else uses. */
  temporary(type: WasmType): string;
  /**
   * Returns code for a scalar that is used several times: `first` computes it, and `again` leaves
   * its value.
   */
  operand(scalar: Scalar): { readonly first: WasmCode; readonly again: WasmCode };
}
