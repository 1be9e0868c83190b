/** Kernels that a test builds by hand, run only as WebAssembly or only as JavaScript. */

import { assertEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../gpu/column/column.ts";
import { computePart } from "../../../gpu/host/executors/compute_part.ts";
import { wasmArena } from "../../../gpu/host/executors/wasm_arena.ts";
import { CompiledRows } from "../../../gpu/host/kernels/compiled_kernel.ts";
import type { Rows } from "../../../gpu/host/kernels/kernel_arrays.ts";
import { type KernelWork, workOf } from "../../../gpu/host/kernels/kernel_work.ts";
import { PartedResult } from "../../../gpu/host/kernels/parted_result.ts";
import type { RowKernel, Scalar, ScalarType, Stmt } from "../../../gpu/kernel/ir/ir.ts";

const PART_ROWS = 4096;

/** The columns whose rows are scalars of a type. */
export const TYPE_OF_SCALAR: Readonly<Record<ScalarType, ColumnType>> = {
  i32: { kind: "int", bits: 32, signed: true },
  i64: { kind: "int", bits: 64, signed: true },
  f64: { kind: "float", bits: 64 },
  bool: { kind: "bool" },
};

/** The row of a column as a scalar. */
export function rowOf(type: ScalarType, column: number): Scalar {
  switch (type) {
    case "i32":
      return { op: "word", type, column, word: 0 };
    case "i64":
      return { op: "long", type, column };
    case "f64":
      return { op: "float", type, column };
    case "bool":
      return { op: "bit", type, column };
  }
}

/** A kernel over all columns of some types. */
export function rowKernel(
  body: readonly Stmt[],
  columnTypes: readonly ColumnType[],
  type: ColumnType,
): RowKernel {
  return {
    kernel: "row",
    label: "numbers",
    columns: columnTypes.map((_, index) => index),
    columnTypes,
    type,
    canBeNull: true,
    literals: new Uint8Array(0),
    tables: [],
    body,
  };
}

/** Runs a kernel part by part as WebAssembly; fails where JavaScript would take over. */
export function runAsWasm(
  kernel: RowKernel,
  columns: readonly HostColumn[],
  numRows: number,
): HostColumn {
  return runParts(
    kernel,
    columns,
    numRows,
    true,
    (...part) => assertEquals(wasmArena().compute(...part), "done"),
  );
}

/** Runs a kernel part by part as JavaScript. */
export function runAsJavaScript(
  kernel: RowKernel,
  columns: readonly HostColumn[],
  numRows: number,
): HostColumn {
  return runParts(
    kernel,
    columns,
    numRows,
    false,
    (...part) => assertEquals(computePart(...part), null),
  );
}

function runParts(
  kernel: RowKernel,
  columns: readonly HostColumn[],
  numRows: number,
  asWasm: boolean,
  run: (work: KernelWork, rows: Rows, result: PartedResult) => void,
): HostColumn {
  const code = new CompiledRows(kernel);
  const work = workOf(code, asWasm, columns, numRows, "none");
  const result = new PartedResult(kernel, numRows, code.convention.writesFloats, 0);
  for (let start = 0; start < numRows; start += PART_ROWS) {
    run(work, { start, stop: Math.min(start + PART_ROWS, numRows) }, result);
  }
  return result.finish();
}
