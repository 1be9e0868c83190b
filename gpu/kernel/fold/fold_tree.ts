/**
 * Folds constants before the partition: computes operations on literals once, and removes branches
 * that cannot be taken. The results are those of a kernel, byte for byte; an operation that cannot
 * be computed like that stays in the tree.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import { numberAt, type Value } from "../../column/value_at.ts";
import type { SubjectType } from "../language/row_function.ts";
import type { CompareOp, Tree } from "../tree/tree.ts";
import { childrenOf, withChildren } from "../tree/tree_facts.ts";
import { ConstantView } from "./constant_view.ts";
import { type Constant, interpret, type RunLimits } from "./interpret.ts";

/**
 * The most characters of a text that becomes part of the code; a longer one is computed for every
 * row.
 */
const MAX_FOLDED = 2 ** 20;

/** The limits of one call: a few milliseconds once, instead of the same work in every row. */
const LONG_RUN: RunLimits = { steps: 1_000_000, repeatedBytes: MAX_FOLDED };

type Literal = Tree & { node: "literal" };

/** Returns the tree with everything computed that depends on no column. */
export function foldTree(tree: Tree): Tree {
  const children = childrenOf(tree);
  return children.length === 0 ? tree : simplified(withChildren(tree, children.map(foldTree)));
}

/** Takes one step, for a tree whose children are folded already. */
function simplified(tree: Tree): Tree {
  switch (tree.node) {
    case "column":
    case "literal":
      return tree;
    case "choose":
      if (!isLiteral(tree.test)) return tree;
      return tree.test.value === true ? tree.yes : tree.no;
    case "fillNull":
      if (!isLiteral(tree.value)) return tree;
      return tree.value.value === null ? tree.other : tree.value;
    case "isNull":
      return isLiteral(tree.value) ? literal(tree.type, tree.value.value === null) : tree;
    case "and":
    case "or":
      return logic(tree);
    default:
      // In all other nodes a null makes the result null; and a list has no other literal than null.
      if (childrenOf(tree).some(isNull)) return literal(tree.type, null);
      return tree.node === "concat" ? concatenation(tree) : computed(tree);
  }
}

/** `true && x` is x, and `false && x` is false, whatever x is; vice versa for `||`. */
function logic(tree: Tree & { node: "and" | "or" }): Tree {
  const decides = tree.node === "or";
  for (const [side, other] of [[tree.left, tree.right], [tree.right, tree.left]] as const) {
    if (isLiteral(side) && side.value !== null) return side.value === decides ? side : other;
  }
  return isNull(tree.left) && isNull(tree.right) ? tree.left : tree;
}

/**
 * Joins neighbouring literals, drops empty text, and replaces a concatenation of one part by the
 * part.
 */
function concatenation(tree: Tree & { node: "concat" }): Tree {
  const parts: Tree[] = [];
  for (const part of tree.parts) {
    if (!isLiteral(part)) {
      parts.push(part);
      continue;
    }
    // An unpaired surrogate becomes U+FFFD now, so it cannot pair up with its neighbour.
    const text = String(part.value).toWellFormed();
    const last = parts.at(-1);
    const before = last !== undefined && isLiteral(last) ? String(last.value) : null;
    if (before !== null && before.length + text.length <= MAX_FOLDED) {
      parts[parts.length - 1] = literal(part.type, before + text);
    } else if (text !== "") {
      parts.push(literal(part.type, text));
    }
  }
  const [only, ...others] = parts;
  if (only === undefined) return literal(tree.type, "");
  return others.length === 0 ? only : { ...tree, parts };
}

/** Returns the value of an operation on literals, or the tree if it has other operands. */
function computed(tree: Tree & { node: "call" | "compare" | "not" | "cast" }): Tree {
  const operands = childrenOf(tree);
  if (!operands.every(isLiteral)) return tree;
  const [left = null, right = null] = operands.map(({ value }) => value);
  const value = valueOf(tree, left, right, operands);
  return value === undefined ? tree : literal(tree.type, value);
}

function valueOf(
  tree: Tree & { node: "call" | "compare" | "not" | "cast" },
  left: Value,
  right: Value,
  operands: readonly Literal[],
): Value | undefined {
  switch (tree.node) {
    case "call":
      return callValue(tree, operands);
    case "compare":
      return isOrder(tree.op, orderOf(tree.left.type, left, right));
    case "not":
      return left !== true;
    case "cast":
      return castValue(tree.value.type, tree.type, left);
  }
}

/** Returns the value of a call; undefined if it is left to the kernel. */
function callValue(
  { fn, text, strict, isPart, type }: Tree & { node: "call" },
  [subject, ...args]: readonly Literal[],
): Value | undefined {
  if (type.kind === "list" || subject === undefined) return undefined;
  const [low, high] = fn.subject === "i128"
    ? halvesOf(subject.value)
    : wordsOf(text.type, subject.value);
  const result = interpret(
    fn,
    fn.subject === "i32" || fn.subject === "words" || fn.subject === "i128"
      ? low
      : constant(fn.subject, text.type, subject.value),
    args.flatMap(({ value, type }, index): Constant[] => {
      const parameter = fn.args[index]?.type ?? "i32";
      return parameter === "i128" ? [...halvesOf(value)] : [constant(parameter, type, value)];
    }),
    {
      high,
      floatBits: text.type.kind === "float" ? text.type.bits : 64,
      limits: LONG_RUN,
    },
  );
  if (result === null) return undefined;
  // A null of a strict call is an error of the row, whichever part of the call makes it.
  if (result.is === "null") return strict === true || isPart === true ? undefined : null;
  if (result.is === "text") return decoded(result.bytes);
  const { value } = result;
  if (value instanceof ConstantView) return decoded(value.bytes);
  if (typeof value === "boolean") return value;
  if (fn.returns === "i128") {
    return (BigInt(result.high) << 64n) | BigInt.asUintN(64, BigInt(value));
  }
  if (type.kind !== "int" && type.kind !== "float") return undefined;
  if (fn.returns === "f64") return rounded(type, Number(value));
  const bytes = new DataView(new ArrayBuffer(8));
  if (typeof value === "bigint") {
    bytes.setBigInt64(0, value, true);
  } else {
    bytes.setInt32(0, value, true);
    bytes.setInt32(4, Number(result.high), true);
  }
  return numberAt(type, bytes, 0);
}

/** Returns a literal as the parameter of a row function. */
function constant(parameter: SubjectType, type: ColumnType, value: Value): Constant {
  if (typeof value === "string") return new ConstantView(new TextEncoder().encode(value));
  if (typeof value === "boolean") return value;
  if (parameter !== "i64" && parameter !== "u64") return rounded(type, Number(value));
  return BigInt.asIntN(64, BigInt(value ?? 0));
}

/** Returns the text of bytes; undefined if it is too long, or if the bytes divide a character. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.length > MAX_FOLDED ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns the two halves of an integer of 128 bits. */
function halvesOf(value: Value): readonly [low: bigint, high: bigint] {
  const whole = BigInt(value ?? 0);
  return [BigInt.asIntN(64, whole), BigInt.asIntN(64, whole >> 64n)];
}

/** Returns the two halves of a number. */
function wordsOf(type: ColumnType, value: Value): readonly [low: number, high: number] {
  const bytes = new DataView(new ArrayBuffer(8));
  if (type.kind === "float") {
    if (type.bits === 16) bytes.setFloat16(0, Number(value), true);
    else if (type.bits === 32) bytes.setFloat32(0, Number(value), true);
    else bytes.setFloat64(0, Number(value), true);
  } else if (type.kind === "int") {
    bytes.setBigInt64(0, BigInt.asIntN(64, BigInt(value ?? 0)), true);
  }
  return [bytes.getInt32(0, true), bytes.getInt32(4, true)];
}

function isOrder(op: CompareOp, order: number): boolean {
  switch (op) {
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
}

/** Returns a number below, at or above 0: text by its bytes, floats with NaN as the greatest. */
function orderOf(type: ColumnType, left: Value, right: Value): number {
  if (typeof left === "string") {
    const [a, b] = [left, right].map((text) => new TextEncoder().encode(String(text)));
    return new ConstantView(a!).compare(new ConstantView(b!));
  }
  if (type.kind === "float") {
    const [a, b] = [rounded(type, Number(left)), rounded(type, Number(right))];
    return Number(a > b) - Number(a < b) || Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  }
  return Number(left! > right!) - Number(left! < right!);
}

/**
 * Returns a number in another type: an integer as the nearest float64; for int32, a 64-bit integer out of range becomes the nearest
 * one.
 */
function castValue(from: ColumnType, to: ColumnType, value: Value): Value | undefined {
  if (from.kind === "float" && to.kind === "float" && from.bits <= to.bits) {
    return rounded(from, Number(value));
  }
  if (from.kind === "int" && to.kind === "float") {
    return to.bits === 64 ? Number(value) : undefined;
  }
  if (from.kind !== "int" || to.kind !== "int") return undefined;
  const number = BigInt(value!);
  if (to.bits === 64) return to.signed ? number : BigInt.asUintN(64, number);
  if (from.bits < to.bits) return Number(number);
  if (to.bits !== 32 || !to.signed) return undefined;
  return Math.max(Math.min(Number(number), 0x7fffffff), -0x80000000);
}

/** Returns the float of a type that is nearest to a number. */
function rounded(type: ColumnType, value: number): number {
  if (type.kind !== "float" || type.bits === 64) return value;
  return type.bits === 32 ? Math.fround(value) : Math.f16round(value);
}

function literal(type: ColumnType, value: Value): Literal {
  return { node: "literal", type, value };
}

function isLiteral(tree: Tree): tree is Literal {
  return tree.node === "literal";
}

function isNull(tree: Tree): boolean {
  return isLiteral(tree) && tree.value === null;
}
