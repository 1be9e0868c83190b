/**
 * Compiles a kernel for every target, for the tests of operations.
 *
 * @module
 */

import { type ColumnType, hasOffsets } from "../../column/column.ts";
import { emitJavaScript } from "../emit/javascript/emit.ts";
import { emitWasm } from "../emit/wasm/emit.ts";
import { emitWgsl } from "../emit/wgsl/emit.ts";
import { wgslRefusal } from "../emit/wgsl/refusal.ts";
import { lowerKernel } from "../lower/lower.ts";
import type { Kernel } from "../tree/tree.ts";

/**
 * Compiles a kernel over columns of these types for every target, with and without nulls, for ASCII
 * and for any text. Throws if it cannot be compiled.
 */
export function compileEverywhere(kernel: Kernel, types: readonly ColumnType[]): void {
  for (const ascii of [true, false]) {
    for (const isNullable of [true, false]) {
      const variant = { ascii, nullable: types.map(() => isNullable) };
      const onHost = lowerKernel(kernel, types, { ...variant, hasFloats: true });
      if (onHost.kernel === "row") {
        emitJavaScript(onHost);
        emitWasm(onHost);
      }
      const ir = lowerKernel(kernel, types, variant);
      if (ir.kernel !== "row") continue;
      if (kernel.hostOnly !== undefined || wgslRefusal(ir, Infinity) !== null) continue;
      const passes = hasOffsets(ir.type) ? ["sizes", "write"] as const : ["single"] as const;
      for (const pass of passes) emitWgsl(ir, pass);
    }
  }
}
