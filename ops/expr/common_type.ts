/**
 * Finds the common type of two values: of the sides of a comparison or a sum, or of two branches.
 *
 * @module
 */

import { DataType, Float64, Int16, Int32, Int64 } from "apache-arrow";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import { exactLiteral } from "./exact_literal.ts";
import { floatTree, literalOperand, type Operand, withDigits } from "./decimal_trees.ts";
import { decimalType, heldDigits, wholeDigits } from "../syntax/decimal_type.ts";
import { howToWrite, isoTime, problemOfTime } from "../syntax/iso_time.ts";
import type { Literal } from "../syntax/literal.ts";
import { printNode } from "../syntax/print.ts";
import { classOf, literalTree, nullTree, type Typed, widened } from "./typed.ts";

/** Two trees of one type. */
interface Common {
  readonly type: DataType;
  readonly left: Tree;
  readonly right: Tree;
}

/**
 * Converts both sides to a type that holds all values of both; undefined if there is none.
 * Integers widen among themselves, and so do floats. A literal takes the type of the other side where
 * its value fits; beside a date or a timestamp, so does text in ISO form.
 */
export function commonType(left: Typed, right: Typed, isLenient = false): Common | undefined {
  const decimals = commonDecimal(left, right, isLenient);
  if (decimals !== undefined) return decimals;
  if (right.literal !== undefined && left.literal === undefined) return adapted(left, right);
  if (left.literal !== undefined && right.literal === undefined) {
    const common = adapted(right, left);
    return common && { type: common.type, left: common.right, right: common.left };
  }
  if (left.literal === null) return { ...both(right), left: nullTree(right.type) };
  if (right.literal === null) return { ...both(left), right: nullTree(left.type) };
  return widenedBoth(left, right);
}

/** Converts a decimal, and another one, an integer or a literal, to a decimal that holds all of both. */
function commonDecimal(left: Typed, right: Typed, isLenient: boolean): Common | undefined {
  const sides = [left, right];
  if (!sides.some(({ type }) => classOf(type) === "decimal")) return undefined;
  const operands = sides.map(decimalOperand);
  const [a, b] = operands;
  if (a === undefined || b === undefined) return undefined;
  const digits = heldDigits(a.digits, b.digits);
  if (digits === undefined) return undefined;
  const [one, other] = [a, b].map((operand) => withDigits(operand, digits, isLenient));
  return { type: decimalType(digits), left: one!, right: other! };
}

/** Returns a value as an operand beside decimals; undefined for values that are none. */
export function decimalOperand({ node, tree, type, literal }: Typed): Operand | undefined {
  const value = exactLiteral(node);
  if (value !== undefined) return literalOperand(value);
  if (typeof literal === "number" || typeof literal === "bigint") return undefined;
  const digits = literal === undefined ? wholeDigits(type) : undefined;
  return digits && { tree, type, digits };
}

/**
 * Converts an integer and a float to float64, as arithmetic does, since no type holds all values of both:
 * an integer beyond 2^53 becomes the nearest float. Undefined for other types.
 */
export function mixedNumbers(left: Typed, right: Typed): Common | undefined {
  const kinds = [classOf(left.type), classOf(right.type)];
  const isMixed = kinds.includes("int") || kinds.includes("decimal");
  if (!isMixed || !kinds.includes("float")) return undefined;
  const type = new Float64();
  return { type, left: asFloat(left), right: asFloat(right) };
}

function asFloat({ tree, type }: Typed): Tree {
  return classOf(type) === "decimal" ? floatTree(tree, type) : widened(tree, new Float64());
}

/** Returns the narrowest integer type that holds all values of both; undefined if there is none. */
export function commonInteger(left: DataType, right: DataType): DataType | undefined {
  const a = columnTypeOf(left);
  const b = columnTypeOf(right);
  if (a.kind !== "int" || b.kind !== "int") return undefined;
  if (a.signed === b.signed) return a.bits >= b.bits ? left : right;
  const [signed, unsigned] = a.signed ? [a, b] : [b, a];
  if (unsigned.bits === 64) return undefined;
  const bits = Math.max(signed.bits, unsigned.bits * 2);
  return bits === 16 ? new Int16() : bits === 32 ? new Int32() : new Int64();
}

/** Whether an integer type holds a number: a whole one, within its range. */
export function holds(type: DataType, value: number | bigint): boolean {
  if (typeof value === "number" && !Number.isInteger(value)) return false;
  const physical = columnTypeOf(type);
  if (physical.kind !== "int") return false;
  const whole = BigInt(value);
  const { bits, signed } = physical;
  return (signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole)) === whole;
}

/** Converts a literal to the type of the other side, where that is possible. */
function adapted(side: Typed, literal: Typed): Common | undefined {
  const value = literal.literal ?? null;
  if (value === null) return { ...both(side), right: nullTree(side.type) };
  const tree = literalAs(value, side.type);
  return tree === undefined ? widenedBoth(side, literal) : { ...both(side), right: tree };
}

/** Returns a literal as a value of a type, where the type has exactly that value. */
function literalAs(value: Exclude<Literal, null>, type: DataType): Tree | undefined {
  const physical = columnTypeOf(type);
  const isNumber = typeof value === "number" || typeof value === "bigint";
  switch (classOf(type)) {
    case "text":
      return typeof value === "string" ? literalTree(value, physical) : undefined;
    case "bool":
      return typeof value === "boolean" ? literalTree(value, physical) : undefined;
    case "int":
      return isNumber && holds(type, value) ? literalTree(value, physical) : undefined;
    case "float": {
      if (!isNumber || (typeof value === "bigint" && BigInt(Number(value)) !== value)) return;
      const number = Number(value);
      const isNarrow = physical.kind === "float" && physical.bits === 32;
      const fits = !isNarrow || Object.is(Math.fround(number), number);
      return fits ? literalTree(number, physical) : undefined;
    }
    case "time": {
      const time = typeof value === "string" ? isoTime(value, type) : undefined;
      return time !== undefined && holds(type, time) ? literalTree(time, physical) : undefined;
    }
    case "decimal":
    case "other":
      return undefined;
  }
}

function widenedBoth(left: Typed, right: Typed): Common | undefined {
  const type = widerType(left, right);
  return type && { type, left: widened(left.tree, type), right: widened(right.tree, type) };
}

function widerType(left: Typed, right: Typed): DataType | undefined {
  const kind = classOf(left.type);
  const other = classOf(right.type);
  if (kind === "int" && other === "int") return commonInteger(left.type, right.type);
  if (isNumberLiteral(left) && other === "float") return new Float64();
  if (isNumberLiteral(right) && kind === "float") return new Float64();
  if (kind !== other) return undefined;
  switch (kind) {
    case "text":
    case "bool":
      return left.type;
    case "float":
      return bitsOf(left.type) >= bitsOf(right.type) ? left.type : right.type;
    case "time":
      return sameTime(left.type, right.type) ? left.type : undefined;
    default:
      return undefined;
  }
}

/** Whether a literal is a number that a float64 holds; an integer beyond 2^53 may not be. */
function isNumberLiteral({ literal }: Typed): boolean {
  if (typeof literal === "bigint") return BigInt(Number(literal)) === literal;
  return typeof literal === "number";
}

/** Whether two types have the same values: the unit agrees, and the presence of a time zone. */
function sameTime(left: DataType, right: DataType): boolean {
  if (DataType.isTimestamp(left) && DataType.isTimestamp(right)) {
    return left.unit === right.unit && !left.timezone === !right.timezone;
  }
  return String(left) === String(right);
}

function both(side: Typed): Common {
  return { type: side.type, left: side.tree, right: side.tree };
}

function bitsOf(type: DataType): number {
  const physical = columnTypeOf(type);
  return physical.kind === "float" || physical.kind === "int" ? physical.bits : 0;
}

/** Returns why two types have no common type, if that needs an explanation, after a semicolon. */
export function reasonOf(left: Typed, right: Typed): string {
  const why = problemOf(left, right) ?? problemOf(right, left) ?? problemOfZones(left, right);
  return why === undefined ? "" : `; ${why}`;
}

/** Describes why a literal, or a column of text, is no value of a type of dates or times. */
function problemOf({ type }: Typed, { node, literal, type: other }: Typed): string | undefined {
  if (classOf(type) !== "time") return undefined;
  if (typeof literal === "string") return problemOfTime(literal, type);
  if (literal !== undefined) return howToWrite(type);
  if (classOf(other) !== "text") return undefined;
  const shown = printNode(node, Infinity);
  if (DataType.isDate(type)) return `${shown}.toDate() reads dates`;
  const isPlain = DataType.isTimestamp(type) && !type.timezone;
  if (isPlain) return `${shown}.toTimestamp() reads timestamps`;
  return `${shown}.cast("${typeName(type)}") reads such times`;
}

function problemOfZones({ type: left }: Typed, { type: right }: Typed): string | undefined {
  if (!DataType.isTimestamp(left) || !DataType.isTimestamp(right)) return undefined;
  if (!left.timezone === !right.timezone) {
    return left.unit === right.unit ? undefined : "cast one of them to the unit of the other";
  }
  const zoned = left.timezone ? left : right;
  return `one has a time zone; cast("${typeName(zoned)}") takes the other as local time of it`;
}
