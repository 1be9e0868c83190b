/** Programs from the text of expressions, and the results of expressions over columns of any type. */

import { type DataType, Field, Schema } from "apache-arrow";
import type { Program } from "../../../gpu/kernel/tree/tree.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import { type CompiledExprs, compileExprs } from "../../../ops/expr/compile_exprs.ts";
import { parseExpr } from "../../../ops/expr/parse.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { columnTypeOf } from "../../../ops/batch/arrow_types.ts";
import type { Expr } from "../../../ops/expr/expr.ts";
import { refusedRows } from "./refused_rows.ts";
import { columnOf, type Value, valuesOf } from "../values/host_columns.ts";

/** A program over the columns of a schema. */
interface CompiledProgram extends Pick<CompiledExprs, "checked"> {
  readonly program: Program;
  /** Names of the columns that are its inputs, in order. */
  readonly inputNames: readonly string[];
}

/** Compiles expressions over columns of the given types. */
export function compileProgram(
  texts: readonly string[],
  types: Readonly<Record<string, DataType>>,
  options: { readonly fuse?: boolean } = {},
): CompiledProgram {
  const names = Object.keys(types);
  const schema = new Schema(names.map((name) => new Field(name, types[name]!, true)));
  const bound = texts.map((text) => bindExpr(parseExpr(text), schema));
  return compileExprs(bound, { ...options, names });
}

/** The program of expressions whose strict calls return null; after the expressions come their checks. */
export function lenientProgram({ program, checked }: Pick<CompiledExprs, "program" | "checked">) {
  return checked?.program() ?? program;
}

/** Columns by name: a type and the values of the rows. */
export type TypedColumns = Readonly<Record<string, readonly [DataType, readonly Value[]]>>;

/** An expression, ready to run over the columns that it was compiled for. */
interface TypedProgram {
  readonly compiled: CompiledExprs;
  readonly program: Program;
  readonly columns: readonly HostColumn[];
  readonly numRows: number;
  /** The Arrow type of the result. */
  readonly type: DataType;
}

/** Compiles an expression over typed columns of one length. */
export function compileTyped(expr: Expr, typed: TypedColumns, fuse = true): TypedProgram {
  const names = Object.keys(typed);
  const schema = new Schema(names.map((name) => new Field(name, typed[name]![0], true)));
  const bound = bindExpr(expr, schema);
  const compiled = compileExprs([bound], { fuse, names });
  const columns = compiled.inputs.map((index) => {
    const [type, values] = typed[names[index]!]!;
    return columnOf(columnTypeOf(type), values);
  });
  const numRows = typed[names[0] ?? ""]?.[1].length ?? 1;
  return { compiled, program: compiled.program, columns, numRows, type: bound.type };
}

/** The rows of an expression over typed columns, on the host; null where a strict call refuses one. */
export function evaluateTyped(expr: Expr, typed: TypedColumns, fuse = true): Value[] {
  const { compiled, columns, numRows } = compileTyped(expr, typed, fuse);
  const { columns: [result] } = refusedRows(compiled, columns, numRows);
  return result === undefined ? [] : valuesOf(result);
}
