/**
 * What expressions mean, on plain values and one row at a time, with the type of each: an oracle that
 * shares nothing with what binds, fuses and compiles them. Values are as in `arrow_values.ts`.
 */

import { Bool, DataType, Float64, Int32, Int64, Uint64, Utf8 } from "apache-arrow";
import type { ExprNode } from "../../../ops/syntax/node.ts";
import type { Literal } from "../../../ops/syntax/literal.ts";
import { modelCall } from "./call_model.ts";
import { dateModel } from "./date_model.ts";
import {
  checkedText,
  type ExprModel,
  type ModelColumn,
  ModelRowError,
  ModelTypeError,
  refuse,
} from "./expr_model_types.ts";
import {
  ARITHMETIC,
  arithmeticOf,
  computedType,
  FAILS,
  type Operand,
  resultTypeOf,
} from "./arithmetic_model.ts";
import { commonTypeOf, compareValues, holdsValue } from "./number_model.ts";

/**
 * The model of an expression over some columns. Inside of `orNull()` it is lenient: what would fail is
 * null.
 */
export function modelExpr(
  node: ExprNode,
  columns: readonly ModelColumn[],
  isLenient = false,
): ExprModel {
  const model = (child: ExprNode) => modelExpr(child, columns, isLenient);
  switch (node.node) {
    case "column": {
      const column = columns.find(({ name }) => name === node.name);
      if (column === undefined) throw new ModelTypeError(`no column ${node.name}`);
      return { type: column.type, at: (row) => column.values[row] };
    }
    case "literal":
      return literalModel(node.value);
    case "data":
    case "aggregate":
      throw new ModelTypeError(node.node);
    case "field":
      throw new ModelTypeError("a field: random_parts.ts draws these");
    case "concat":
      return concatModel(node.parts.map(model));
    case "orNull": {
      const { literal: _, ...value } = modelExpr(node.value, columns, true);
      return value;
    }
    case "compare":
      return compareModel(node.op, model(node.left), model(node.right));
    case "and":
    case "or": {
      const sides = [truth(model(node.left)), truth(model(node.right))];
      const decides = node.node === "or";
      return {
        type: new Bool(),
        at(row) {
          // What follows a side that decides is not computed, and cannot fail.
          const values: unknown[] = [];
          for (const side of sides) if (!values.includes(decides)) values.push(side.at(row));
          return values.includes(decides) ? decides : values.includes(null) ? null : !decides;
        },
      };
    }
    case "not": {
      const value = truth(model(node.value));
      return { type: new Bool(), at: (row) => ifAny(value.at(row), (test) => !test) };
    }
    case "isNull": {
      const value = model(node.value);
      return { type: new Bool(), at: (row) => value.at(row) === null };
    }
    case "fillNull": {
      const [value, other] = [model(node.value), model(node.other)];
      const type = branchType(value, other);
      return {
        type,
        at(row) {
          const given = value.at(row);
          return asType(type, given === null ? other.at(row) : given);
        },
      };
    }
    case "choose": {
      const [test, yes, no] = [truth(model(node.test)), model(node.yes), model(node.no)];
      const type = branchType(yes, no);
      return {
        type,
        at(row) {
          return asType(type, (test.at(row) === true ? yes : no).at(row));
        },
      };
    }
    case "isIn": {
      const value = model(node.value);
      const tests = node.values.filter((literal) => literal !== null)
        .map((literal) => compareModel("==", value, literalModel(literal)));
      return {
        type: new Bool(),
        at(row) {
          if (value.at(row) === null) return null;
          if (tests.some((test) => test.at(row) === true)) return true;
          return node.values.includes(null) ? null : false;
        },
      };
    }
    case "call":
      return callModel(node, model, isLenient);
  }
}

function literalModel(literal: Literal): ExprModel {
  const type = literalType(literal);
  const value = asType(type, literal);
  return { type, literal, at: () => value };
}

function literalType(value: Literal): DataType | null {
  switch (typeof value) {
    case "boolean":
      return new Bool();
    case "bigint":
      return BigInt.asIntN(64, value) === value ? new Int64() : new Uint64();
    case "number":
      if (!Number.isInteger(value) || Object.is(value, -0)) return new Float64();
      return value === (value | 0)
        ? new Int32()
        : Number.isSafeInteger(value)
        ? new Int64()
        : new Float64();
    case "string":
      return new Utf8();
    default:
      return null;
  }
}

function concatModel(parts: readonly ExprModel[]): ExprModel {
  for (const { type } of parts) if (type !== null && !DataType.isUtf8(type)) refuse("concat");
  return {
    type: new Utf8(),
    at(row) {
      const texts = parts.map((part) => part.at(row));
      return texts.includes(null) ? null : checkedText(texts.join(""));
    },
  };
}

function callModel(
  node: ExprNode & { node: "call" },
  model: (child: ExprNode) => ExprModel,
  isLenient: boolean,
): ExprModel {
  const { name } = node.op.spec;
  const dates = dateModel(node, model, isLenient);
  if (dates !== undefined) return dates;
  if (!ARITHMETIC.includes(name)) return modelCall(node, model, isLenient);
  const operands = [node.text, ...node.args].map((operand) => model(operand!));
  if (name === "add" && operands.every(({ type }) => type === null || DataType.isUtf8(type))) {
    return concatModel(operands);
  }
  const known = operands.filter((operand): operand is ExprModel & Operand => operand.type !== null);
  const computed = computedType(name, known);
  const isByZero = computed !== undefined && DataType.isInt(computed) && !isLenient &&
    ["rem", "mod", "floorDiv"].includes(name) && Number(operands[1]?.literal ?? 1) === 0;
  if (computed === undefined || isByZero) return refuse(name);
  return {
    type: resultTypeOf(name, computed),
    at(row) {
      const values = operands.map((operand) => operand.at(row));
      if (values.includes(null)) return null;
      const value = arithmeticOf(name, computed, values as (number | bigint)[]);
      if (value !== FAILS) return value;
      if (isLenient) return null;
      throw new ModelRowError("ArithmeticError", row);
    },
  };
}

type CompareOp = (ExprNode & { node: "compare" })["op"];

function compareModel(op: CompareOp, left: ExprModel, right: ExprModel): ExprModel {
  if (left.type === null || right.type === null) return refuse("null");
  const isNumber = ({ type }: ExprModel) => DataType.isInt(type!) || DataType.isFloat(type!);
  const isExact = [left, right].every(isNumber);
  const common = commonTypeOf(left, right);
  if (common === undefined && !isExact) return refuse("compare");
  const value = (side: ExprModel, row: number) =>
    side.literal !== undefined && common !== undefined
      ? holdsValue(common, side.literal as Exclude<Literal, null>) ?? side.literal
      : side.at(row);
  return {
    type: new Bool(),
    at(row) {
      const [a, b] = [value(left, row), value(right, row)];
      if (a === null || b === null) return null;
      const order = compareValues(a, b);
      const holds = { "==": order === 0, "<": order < 0, ">": order > 0 };
      switch (op) {
        case "!=":
          return !holds["=="];
        case "<=":
          return !holds[">"];
        case ">=":
          return !holds["<"];
        default:
          return holds[op];
      }
    },
  };
}

function branchType(left: ExprModel, right: ExprModel): DataType | null {
  if (left.type === null && right.type === null) return null;
  const type = commonTypeOf(left, right);
  if (type === undefined) return refuse("branches");
  return type;
}

function asType(type: DataType | null, value: unknown): unknown {
  if (type === null || value === null) return value;
  return holdsValue(type, value as Exclude<Literal, null>) ?? value;
}

function truth(value: ExprModel): ExprModel {
  if (value.type !== null && !DataType.isBool(value.type)) return refuse("a condition");
  return value;
}

function ifAny<T, R>(value: T | null, then: (value: T) => R): R | null {
  return value === null ? null : then(value);
}
