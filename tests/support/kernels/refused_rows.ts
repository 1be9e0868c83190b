import { assertEquals } from "@std/assert";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { valueAt } from "../../../gpu/column/value_at.ts";
import type { Program } from "../../../gpu/kernel/tree/tree.ts";
import type { CompiledExprs } from "../../../ops/expr/compile_exprs.ts";
import { valuesOf } from "../values/host_columns.ts";
import { evaluateAround } from "./evaluate_around.ts";
import { testKernels } from "./test_kernels.ts";

/** The results of expressions over some columns. */
export interface Refusals {
  /** The results, with nulls where a call refuses its operands. */
  readonly columns: readonly HostColumn[];
  /** The rows that some strict call refuses. */
  readonly refused: readonly number[];
}

/**
 * Evaluates compiled expressions with a check for each strict call. Throws unless the kernels that stop
 * where a call refuses a row do so exactly if the checks find one, and agree otherwise.
 */
export function refusedRows(
  { program, checked }: CompiledExprs,
  operands: readonly HostColumn[],
  numRows: number,
  what?: string,
): Refusals {
  const run = (program: Program) => evaluateAround(program, operands, numRows, testKernels());
  if (checked === undefined) return { columns: run(program), refused: [] };
  const results = run(checked.program());
  const columns = results.slice(0, results.length - checked.checks.length);
  const checks = results.slice(columns.length);
  const refused = Array.from({ length: numRows }, (_, row) => row)
    .filter((row) => checks.some((column) => valueAt(column, row) === true));
  assertEquals(
    stopped(() => run(program)),
    refused.length > 0 ? "stopped" : columns.map(rowsOf),
    what,
  );
  return { columns, refused };
}

function rowsOf(column: HostColumn) {
  if (column.type.kind !== "fixed") return valuesOf(column);
  return Array.from({ length: column.length }, (_, row) => valueAt(column, row));
}

function stopped(run: () => readonly HostColumn[]) {
  try {
    return run().map(rowsOf);
  } catch (error) {
    if ((error as Error).name === "RefusedError") return "stopped";
    throw error;
  }
}
