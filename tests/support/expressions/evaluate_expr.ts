/** Expressions over plain values, on the host. */

import { Bool, Field, Int32, List, Schema, Utf8 } from "apache-arrow";
import { evaluateAround } from "../kernels/evaluate_around.ts";
import type { HostKernels } from "../../../gpu/host/host_kernels.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { columnTypeOf } from "../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import type { Expr } from "../../../ops/expr/expr.ts";
import { compileExprs } from "../../../ops/expr/compile_exprs.ts";
import { columnOf, stringColumn, type Value, valuesOf } from "../values/host_columns.ts";
import { testKernels } from "../kernels/test_kernels.ts";

/** Columns of text, of integers of 32 bits, of booleans, or of lists of texts. */
export type PlainColumns = Readonly<
  Record<string, readonly (string | number | boolean | null | readonly (string | null)[])[]>
>;

/** The rows of an expression over plain columns of one length. */
export function evaluateExpr(
  expr: Expr,
  columns: PlainColumns,
  { fuse = true, kernels = testKernels() }: { fuse?: boolean; kernels?: HostKernels } = {},
): Value[] {
  const names = Object.keys(columns);
  const numRows = columns[names[0] ?? ""]?.length ?? 1;
  const schema = new Schema(
    names.map((name) => new Field(name, plainTypeOf(columns[name]!), true)),
  );
  const { program, inputs } = compileExprs([bindExpr(expr, schema)], { fuse, names });
  const results = evaluateAround(
    program,
    inputs.map((index) => plainColumn(columns[names[index]!]!)),
    numRows,
    kernels,
  );
  return valuesOf(results[0]!);
}

type Plain = PlainColumns[string];

/** The Arrow type of plain values. */
export function plainTypeOf(values: Plain): Utf8 | Int32 | Bool | List {
  if (values.some((value) => Array.isArray(value))) return new List(new Field("item", new Utf8()));
  if (values.some((value) => typeof value === "number")) return new Int32();
  return values.some((value) => typeof value === "boolean") ? new Bool() : new Utf8();
}

/** A column of plain values. */
export function plainColumn(values: Plain): HostColumn {
  const type = plainTypeOf(values);
  if (type instanceof Utf8) return stringColumn(values as (string | null)[]);
  return columnOf(columnTypeOf(type), values);
}
