/** Runs a kernel of fixed width as JavaScript, over columns given as typed arrays. */

import {
  arrayName,
  callingConventionOf,
} from "../../../gpu/kernel/emit/host/calling_convention.ts";
import { emitJavaScript } from "../../../gpu/kernel/emit/javascript/emit.ts";
import type { RowKernel } from "../../../gpu/kernel/ir/ir.ts";

/** Numbers of 64 bits, or i32 of a column of 32-bit integers. */
export type Numbers = BigInt64Array | Float64Array | Int32Array;

/** Returns the values of a kernel without nulls, as `Result` has them; of a bool kernel as 0 or 1. */
export function runJavaScript<Result extends Numbers>(
  kernel: RowKernel,
  columns: readonly Numbers[],
  numRows: number,
  result: Result,
): Result {
  const convention = callingConventionOf(kernel);
  const { parameters, body } = emitJavaScript(kernel, convention);
  const isBool = kernel.type.kind === "bool";
  const bits = new Uint8Array((numRows + 7) >> 3);
  const words = isBool
    ? bits
    : convention.writesFloats || result instanceof Int32Array
    ? result
    : new Int32Array(result.buffer);
  const fixed: Record<string, unknown> = { $rows: numRows, $result: words };
  const arrays = convention.arrays.map((array) => {
    if (array.array === "table") return kernel.tables[array.table];
    if (!("column" in array)) throw new Error(`No ${arrayName(array)}`);
    const column = columns[array.column]!;
    return array.array === "floats" ? column : new Int32Array(column.buffer);
  });
  const values = parameters.map((name, index) =>
    index < convention.fixed.length ? fixed[name] : arrays[index - convention.fixed.length]
  );
  new Function(...parameters, body)(...values);
  if (isBool) {
    for (let row = 0; row < numRows; row++) result[row] = bits[row >> 3]! >> (row & 7) & 1;
  }
  return result;
}
