/** Short names for building kernel code by hand. */

import type { ColumnType } from "../../../gpu/column/column.ts";
import type { BinaryFn, RowKernel, Scalar, Space, Stmt } from "../../../gpu/kernel/ir/ir.ts";

const COMPARISONS: readonly BinaryFn[] = ["==", "!=", "<", "<=", ">", ">=", "<u", "&&", "||"];

export const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
export const STRING: ColumnType = { kind: "string" };
export const BOOL: ColumnType = { kind: "bool" };
export const LITERALS: Space = { space: "literals" };

export function textOf(column: number): Space {
  return { space: "column", column };
}

export function int(value: number): Scalar {
  return { op: "const", type: "i32", value };
}

export function bool(value: boolean): Scalar {
  return { op: "const", type: "bool", value };
}

export function local(name: string, type: "i32" | "bool" = "i32"): Scalar {
  return { op: "local", type, name };
}

export function binary(left: Scalar, fn: BinaryFn, right: Scalar): Scalar {
  return { op: "binary", type: COMPARISONS.includes(fn) ? "bool" : "i32", fn, left, right };
}

export function unary(fn: "-" | "~" | "!", value: Scalar): Scalar {
  return { op: "unary", type: fn === "!" ? "bool" : "i32", fn, value };
}

export function word(column: number, index: 0 | 1 = 0): Scalar {
  return { op: "word", type: "i32", column, word: index };
}

export function start(column: number): Scalar {
  return { op: "start", type: "i32", column };
}

export function stop(column: number): Scalar {
  return { op: "stop", type: "i32", column };
}

export function byte(space: Space, at: Scalar): Scalar {
  return { op: "byte", type: "i32", space, at };
}

export function declare(name: string, value: Scalar): Stmt {
  return { do: "let", name, type: value.type, value };
}

export function set(name: string, value: Scalar): Stmt {
  return { do: "set", name, value };
}

/** Adds 1 to a local. */
export function increment(name: string, by = 1): Stmt {
  return set(name, binary(local(name), "+", int(by)));
}

export function when(test: Scalar, then: readonly Stmt[], otherwise: readonly Stmt[] = []): Stmt {
  return { do: "if", test, then, else: otherwise };
}

export function loop(
  label: string,
  test: Scalar,
  body: readonly Stmt[],
  update: readonly Stmt[] = [],
): Stmt {
  return { do: "loop", label, test, body, update };
}

export function block(label: string, body: readonly Stmt[]): Stmt {
  return { do: "block", label, body };
}

export function jump(kind: "break" | "continue", label: string): Stmt {
  return { do: kind, label };
}

export function put(value: Scalar): Stmt {
  return { do: "put", byte: value };
}

export function copy(space: Space, from: Scalar, to: Scalar): Stmt {
  return { do: "copy", space, start: from, stop: to };
}

export function result(...words: Scalar[]): Stmt {
  return { do: "result", words };
}

/** A kernel over columns 0, 1, ... of a program. */
export function rowKernel(
  columnTypes: readonly ColumnType[],
  type: ColumnType,
  body: readonly Stmt[],
  more: Partial<RowKernel> = {},
): RowKernel {
  return {
    kernel: "row",
    label: "test",
    columns: columnTypes.map((_, k) => k),
    columnTypes,
    type,
    canBeNull: false,
    literals: new Uint8Array(0),
    tables: [],
    body,
    ...more,
  };
}
