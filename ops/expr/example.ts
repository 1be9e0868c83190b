/**
 * Examples of operations: converts their values to columns and back, and prints them.
 *
 * @module
 */

import {
  Bool,
  type Data,
  DataType,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { decimalText, integerOf } from "../../base/number_text.ts";
import type { ExampleStep, ExampleValue, StringOp, StringOpExample } from "../syntax/node.ts";
import { col, type Expr } from "./expr.ts";
import { isoText } from "../syntax/iso_time.ts";
import { callNode } from "../syntax/call_node.ts";
import { type Literal, literalNode } from "../syntax/literal.ts";
import { printData, printNode } from "../syntax/print.ts";

/** Returns a column of one row with the value of an example; null becomes a null of type string. */
export function exampleColumn(value: ExampleValue): Vector {
  return vectorFromArray([value], exampleType(value));
}

/** Returns the value in row 0 of a column. */
export function exampleResult(column: Vector): ExampleValue {
  const [data] = column.data;
  return data === undefined ? null : valueAt(data, 0);
}

function exampleType(value: ExampleValue): DataType {
  switch (typeof value) {
    case "boolean":
      return new Bool();
    case "bigint":
      return new Int64();
    case "number":
      return value === (value | 0) ? new Int32() : new Float64();
    case "object": {
      if (value === null) break;
      const first: ExampleValue = value.find((item) => item !== null) ?? null;
      return new List(new Field("item", exampleType(first), true));
    }
  }
  return new Utf8();
}

function valueAt(data: Data, row: number): ExampleValue {
  if (!data.getValid(row)) return null;
  const type: DataType = data.type;
  if (DataType.isDate(type) || DataType.isTimestamp(type)) {
    return isoText(BigInt((data.values as BigInt64Array | Int32Array)[row] ?? 0), type);
  }
  if (DataType.isDecimal(type)) {
    const words = type.bitWidth / 32;
    return decimalText(integerOf(data.values as Uint32Array, words * row, words), type.scale);
  }
  if (DataType.isList(type)) {
    const [start = 0, stop = 0] = [data.valueOffsets[row], data.valueOffsets[row + 1]];
    const items = data.children[0];
    if (items === undefined) return [];
    return Array.from({ length: stop - start }, (_, item) => valueAt(items, start + item));
  }
  return new Vector([data]).get(row);
}

/** Whether two values are the same; NaN equals itself, and lists are compared item by item. */
export function isSameValue(left: ExampleValue, right: ExampleValue): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return Object.is(left, right);
  return left.length === right.length && left.every((item, i) => isSameValue(item, right[i]));
}

/** Returns the value of the column `text` that an example calls its operation on. */
export function exampleReceiver({ via }: StringOpExample): Expr {
  return stepsOf(via).reduce<Expr>((value, [op, ...args]) => value.call(op, ...args), col("text"));
}

/** Returns the operations that convert the input of an example, each with its arguments. */
function stepsOf(via: StringOpExample["via"]): readonly ExampleStep[] {
  if (via === undefined) return [];
  return typeof via === "function" ? [[via]] : via;
}

/** Prints the call of an example as an expression. */
export function printExample(op: StringOp, { input, via, args = [] }: StringOpExample): string {
  if (op.spec.operator !== undefined && via === undefined) {
    return printNode(
      callNode(op, literalNode(input as Literal), args.map((arg) => literalNode(arg as Literal))),
    );
  }
  const list = args.map(printData).join(", ");
  const isNumber = typeof input === "number" || typeof input === "bigint";
  const receiver = isNumber ? `(${printData(input)})` : printData(input);
  const before = stepsOf(via).map(([{ spec }, ...given]) =>
    `.${spec.name}(${given.map(printData).join(", ")})`
  );
  return `${receiver}${before.join("")}.${op.spec.name}(${list})`;
}
