import type { ColumnType } from "../../../gpu/column/column.ts";
import type { CompareOp, Tree } from "../../../gpu/kernel/tree/tree.ts";
import { rowFunctions } from "./row_functions.ts";
import type { Argument } from "./test_function.ts";

/** Types that tests name often. */
export const STRING: ColumnType = { kind: "string" };
export const BOOL: ColumnType = { kind: "bool" };
export const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
export const INT64: ColumnType = { kind: "int", bits: 64, signed: true };

/** A column of the input. */
export function column(index: number, type: ColumnType = STRING): Tree {
  return { node: "column", index, type };
}

/** A constant: text, int32 or bool; a typed null. */
export function literal(value: Argument | null, type?: ColumnType): Tree {
  const own = typeof value === "number" ? INT32 : typeof value === "boolean" ? BOOL : STRING;
  return { node: "literal", value, type: type ?? own };
}

/** A call of one of the test functions. */
export function call(
  name: keyof typeof rowFunctions,
  text: Tree,
  ...args: (Argument | Tree)[]
): Tree {
  const { fn } = rowFunctions[name];
  const type = fn.returns === "string" ? STRING : fn.returns === "bool" ? BOOL : INT32;
  const trees = args.map((arg) => typeof arg === "object" ? arg : literal(arg));
  return { node: "call", fn, text, args: trees, type };
}

/** `a + b + ...` on text. */
export function concat(...parts: (Tree | string)[]): Tree {
  const trees = parts.map((part) => typeof part === "string" ? literal(part) : part);
  return { node: "concat", parts: trees, type: STRING };
}

/** `test ? yes : no`. */
export function choose(test: Tree, yes: Tree, no: Tree): Tree {
  return { node: "choose", test, yes, no, type: yes.type };
}

/** A comparison. */
export function compare(op: CompareOp, left: Tree, right: Tree): Tree {
  return { node: "compare", op, left, right, type: BOOL };
}

/** `value` where it is not null, else `other`. */
export function fillNull(value: Tree, other: Tree): Tree {
  return { node: "fillNull", value, other, type: value.type };
}

/** Whether a tree is null. */
export function isNull(value: Tree): Tree {
  return { node: "isNull", value, type: BOOL };
}

/** `&&` or `||`. */
export function logic(node: "and" | "or", left: Tree, right: Tree): Tree {
  return { node, left, right, type: BOOL };
}

/** `!value`. */
export function not(value: Tree): Tree {
  return { node: "not", value, type: BOOL };
}

/** A widening, or the saturating conversion to int32. */
export function cast(value: Tree, type: ColumnType): Tree {
  return { node: "cast", value, type };
}
