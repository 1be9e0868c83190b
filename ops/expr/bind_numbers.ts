/**
 * Binds the operands of operations on numbers: finds the type in which they are computed.
 *
 * @module
 */

import { DataType, Float32, Float64, Int64, Uint64 } from "apache-arrow";
import type { Tree } from "../../gpu/kernel/tree/tree.ts";
import { columnTypeOf } from "../batch/arrow_types.ts";
import { floatTree } from "./decimal_trees.ts";
import { argsByName } from "../syntax/call_node.ts";
import type { CallNode, ExprNode, NumberKey } from "../syntax/node.ts";
import { failAt } from "../syntax/node_place.ts";
import { printNode } from "../syntax/print.ts";
import { bothTypes, classOf, literalTree, type Typed, whatIs, widened } from "./typed.ts";

/** The type in which an operation on numbers is computed. */
export interface NumberType {
  /** The key of the overload that computes it. */
  readonly key: NumberKey;
  /** Returns an operand in this type. An int64 becomes the nearest float64. */
  convert(operand: Typed): Typed;
}

const TYPES: Readonly<Record<NumberKey, DataType>> = {
  i64: new Int64(),
  u64: new Uint64(),
  f32: new Float32(),
  f64: new Float64(),
};

/**
 * Returns the type in which a call on these operands is computed: float64 where one of them is a float,
 * float32 among float32 and the literals that it holds, uint64 among unsigned integers where one has 64
 * bits, else int64. An operand that is null does not count. Throws an `ExprError` for operands
 * that are no numbers, and for uint64 beside an integer with a sign.
 */
export function numberType(node: CallNode, operands: readonly Typed[]): NumberType {
  const known = operands.filter(({ literal }) => literal !== null);
  const other = known.find((operand) => !isNumber(operand));
  if (other !== undefined) return refuse(node, operands, other);
  const wanted = keyFor(node, known);
  const key = hasOverload(node, wanted) ? wanted : "f64";
  if (!hasOverload(node, key)) {
    const float = known.find((operand) => classOf(operand.type) !== "int")!;
    return failAt(float.node, `${signOf(node)} takes whole numbers, ${whatIs(float)}`);
  }
  return { key, convert: (operand) => converted(operand, TYPES[key]) };
}

function hasOverload({ op }: CallNode, key: NumberKey): boolean {
  return Object.hasOwn(op.overloads, key);
}

/** Whether a type is a number: a decimal, which is a float here, and float16, which no other operation takes, too. */
function isNumber({ type }: Typed): boolean {
  return classOf(type) === "int" || classOf(type) === "decimal" || DataType.isFloat(type);
}

function keyFor(node: CallNode, operands: readonly Typed[]): NumberKey {
  const { spec } = node.op;
  if (operands.some(({ type }) => DataType.isFloat(type) || classOf(type) === "decimal")) {
    return operands.every(isNarrow) && !operands.every(isLiteral) ? "f32" : "f64";
  }
  if ("overloads" in spec && spec.asFloat?.(argsByName(node.op, node.args)) === true) return "f64";
  const isWide = ({ type }: Typed) => isUnsigned(type) && bitsOf(type) === 64;
  if (!hasOverload(node, "i64") || !operands.some(isWide)) return "i64";
  const signed = operands.find((operand) => !isUnsigned(operand.type) && !isNatural(operand));
  if (signed === undefined) return "u64";
  const wide = operands.find(isWide)!;
  // A number of bits is never negative, and the bits that are shifted may be.
  const isShift = spec.operator === "<<" || spec.operator === ">>";
  const [cast, type] = isShift && wide === operands[0] ? [signed, "uint64"] : [wide, "int64"];
  const hint = cast.literal === undefined
    ? `; write ${printNode(cast.node, Infinity)}.cast("${type}")`
    : "";
  return failAt(
    node,
    `Cannot compute ${printNode(node)}: no 64-bit type holds ` +
      `${bothTypes(operands[0]!, operands[1]!)}${hint}`,
  );
}

function isLiteral({ literal }: Typed): boolean {
  return literal !== undefined;
}

/** Whether an operand is a literal that is not negative, which a uint64 holds. */
function isNatural({ literal }: Typed): boolean {
  return (typeof literal === "number" || typeof literal === "bigint") && literal >= 0;
}

/** Whether a float32 holds every value of an operand. */
function isNarrow({ type, literal }: Typed): boolean {
  if (typeof literal === "number") return Object.is(Math.fround(literal), literal);
  if (typeof literal === "bigint") {
    const number = Number(literal);
    return BigInt(number) === literal && Math.fround(number) === number;
  }
  return DataType.isFloat(type) && bitsOf(type) <= 32;
}

function isUnsigned(type: DataType): boolean {
  return DataType.isInt(type) && !type.isSigned;
}

function bitsOf(type: DataType): number {
  const physical = columnTypeOf(type);
  return "bits" in physical ? physical.bits : 0;
}

function converted(operand: Typed, type: DataType): Typed {
  const { literal } = operand;
  if (classOf(operand.type) === "decimal") {
    return { ...operand, tree: floatTree(operand.tree, operand.type), type };
  }
  // A row function reads floats of every width.
  if (literal === undefined && DataType.isFloat(operand.type)) return operand;
  const tree: Tree = literal === undefined
    ? widened(operand.tree, type)
    : literalTree(literal, columnTypeOf(type));
  return { ...operand, tree, type };
}

/** Returns the operator, or the name of an operation. */
function signOf({ op: { spec } }: CallNode): string {
  return spec.operator ?? `${spec.name}()`;
}

function refuse(node: CallNode, operands: readonly Typed[], refused: Typed): never {
  const [left, right] = operands;
  const sign = signOf(node);
  const shown = printNode(refused.node, Infinity);
  const hint = hintFor(node, sign, operands, refused, shown);
  if (sign === "+" && left !== undefined && right !== undefined) {
    return failAt(node, `Cannot add ${bothTypes(left, right)}${hint}`);
  }
  return failAt(node, `Cannot compute ${printNode(node)}: ${whatIs(refused)}${hint}`);
}

const LOGIC: Readonly<Record<string, string>> = { "&": "&&", "|": "||", "~": "!" };

function hintFor(
  node: CallNode,
  sign: string,
  operands: readonly Typed[],
  { node: refused, type }: Typed,
  shown: string,
): string {
  const logic = LOGIC[sign];
  switch (classOf(type)) {
    case "bool": {
      if (logic === undefined) return `; ${shown}.toInteger() makes it a number`;
      const isTest = operands.every((operand) => classOf(operand.type) === "bool");
      if (isTest) return `; ${logic} stands for ${NAMES[logic]}`;
      if (refused.node !== "compare") return `; ${shown}.toInteger() makes it a number`;
      return `; ${refused.op} binds tighter than ${sign}, so write ${
        inBrackets(node, refused, sign)
      }`;
    }
    case "text": {
      if (sign === "+") return "";
      const isBoth = sign === "-" && operands.every((operand) => classOf(operand.type) === "text");
      const reads = `; ${shown}.toInteger() or .toFloat() reads a number`;
      return isBoth ? `${reads}, .toDate() or .toTimestamp() a time` : reads;
    }
    case "time":
      return hintForTime(sign, type, shown);
    default:
      return "";
  }
}

/** Says what to write for an operation of numbers on a date, a time or a duration. */
function hintForTime(sign: string, type: DataType, shown: string): string {
  if (DataType.isDuration(type)) return `; ${shown}.total("second") makes it a number`;
  if (/^(round|floor|ceil|trunc)\(/.test(sign)) {
    return `; ${shown}.truncate("hour") is the start of the hour, and so on for other units`;
  }
  if (DataType.isTime(type)) return `; ${shown}.hour() and so on are its parts`;
  return `; ${shown}.epoch("second") makes it a number`;
}

/** Returns `(a & b) == c` for `a & b == c`, which is `a & (b == c)`. */
function inBrackets(
  { text, args: [other] }: CallNode,
  { left, right, op }: ExprNode & { node: "compare" },
  sign: string,
): string {
  const [before, a, b, after] = text.node === "compare"
    ? [`${printNode(left)} ${op} `, right, other ?? right, ""]
    : ["", text, left, ` ${op} ${printNode(right)}`];
  return `${before}(${printNode(a)} ${sign} ${printNode(b)})${after}`;
}

const NAMES: Readonly<Record<string, string>> = { "&&": "and", "||": "or", "!": "not" };
