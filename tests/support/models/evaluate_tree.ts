/**
 * What trees mean, on plain JavaScript values and one row at a time. It shares nothing with the
 * kernels that it judges.
 */

import type { ColumnType } from "../../../gpu/column/column.ts";
import type { RowFunction } from "../../../gpu/kernel/language/row_function.ts";
import type { Tree } from "../../../gpu/kernel/tree/tree.ts";
import type { Value } from "../values/host_columns.ts";
import { rowFunctions } from "../kernels/row_functions.ts";
import type { TestFunction } from "../kernels/test_function.ts";

const meanings = new Map<RowFunction, TestFunction["meaning"]>(
  Object.values(rowFunctions).map(({ fn, meaning }) => [fn, meaning as TestFunction["meaning"]]),
);

/** The value of a tree for one row of the columns. */
export function evaluateTree(tree: Tree, row: readonly Value[]): Value {
  const value = (child: Tree) => evaluateTree(child, row);
  switch (tree.node) {
    case "column":
      return row[tree.index] ?? null;
    case "literal":
      return tree.value;
    case "call": {
      const operands = [tree.text, ...tree.args].map(value);
      if (operands.includes(null)) return null;
      const [text, ...args] = operands;
      if (tree.fn.name === "sum") return sum(tree.type, text!, args[0]!);
      return meanings.get(tree.fn)?.(String(text), ...args as never[]) ?? null;
    }
    case "concat": {
      const parts = tree.parts.map(value);
      return parts.includes(null) ? null : parts.join("");
    }
    case "choose":
      return value(tree.test) === true ? value(tree.yes) : value(tree.no);
    case "compare": {
      const [left, right] = [value(tree.left), value(tree.right)];
      if (left === null || right === null) return null;
      const order = compareValues(left, right);
      switch (tree.op) {
        case "==":
          return order === 0;
        case "!=":
          return order !== 0;
        case "<":
          return order < 0;
        case "<=":
          return order <= 0;
        case ">":
          return order > 0;
        case ">=":
          return order >= 0;
      }
      break;
    }
    case "and": {
      const sides = [value(tree.left), value(tree.right)];
      return sides.includes(false) ? false : sides.includes(null) ? null : true;
    }
    case "or": {
      const sides = [value(tree.left), value(tree.right)];
      return sides.includes(true) ? true : sides.includes(null) ? null : false;
    }
    case "not": {
      const side = value(tree.value);
      return side === null ? null : side !== true;
    }
    case "isNull":
      return value(tree.value) === null;
    case "fillNull":
      return value(tree.value) ?? value(tree.other);
    case "cast":
      return converted(tree.value.type, tree.type, value(tree.value));
  }
}

function compareValues(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") {
    const [a, b] = [new TextEncoder().encode(left), new TextEncoder().encode(right)];
    for (let i = 0; i < Math.min(a.length, b.length); i++) {
      if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0);
    }
    return a.length - b.length;
  }
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : 1;
  if (Number.isNaN(right)) return -1;
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0;
}

function sum(type: ColumnType, left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  if (type.kind === "float") {
    const exact = Number(left) + Number(right);
    return type.bits === 64 ? exact : type.bits === 32 ? Math.fround(exact) : Math.f16round(exact);
  }
  if (type.kind !== "int") throw new TypeError("Only numbers are added");
  const total = BigInt(left as number) + BigInt(right as number);
  const inRange = type.signed ? BigInt.asIntN(type.bits, total) : BigInt.asUintN(type.bits, total);
  if (inRange !== total) return null;
  return type.bits === 64 ? total : Number(total);
}

function converted(from: ColumnType, to: ColumnType, value: Value): Value {
  if (value === null || to.kind !== "int" || from.kind !== "int") return value;
  if (to.bits === 64) return BigInt(value as number);
  const number = Number(value);
  return Math.max(-(2 ** 31), Math.min(number, 2 ** 31 - 1));
}
