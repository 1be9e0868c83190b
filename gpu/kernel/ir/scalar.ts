/**
 * Constructors of scalars that fold what is known at compile time.
 *
 * @module
 */

import { type ConstantValue, evaluateBinary, evaluateConvert, evaluateUnary } from "./evaluate.ts";
import type { BinaryFn, ConvertFn, Scalar, ScalarType, Space, UnaryFn } from "./ir.ts";
import { childrenOf } from "./visit.ts";

/** Returns an i32 constant. */
export function int(value: number): Scalar {
  return { op: "const", type: "i32", value: value | 0 };
}

/** Returns an i64 constant. */
export function long(value: bigint): Scalar {
  return { op: "const", type: "i64", value: BigInt.asIntN(64, value) };
}

/** Returns an f64 constant. */
export function float(value: number): Scalar {
  return { op: "const", type: "f64", value };
}

/** Returns a constant of a type. */
export function constant(type: ScalarType, value: ConstantValue): Scalar {
  switch (type) {
    case "i32":
      return int(Number(value));
    case "i64":
      return long(BigInt(value));
    case "f64":
      return float(Number(value));
    case "bool":
      return bool(value === true);
  }
}

/** Returns a bool constant. */
export function bool(value: boolean): Scalar {
  return { op: "const", type: "bool", value };
}

/** Returns the value of a constant, or undefined. */
export function constantOf(scalar: Scalar): ConstantValue | undefined {
  return scalar.op === "const" ? scalar.value : undefined;
}

/** Whether a scalar is that constant. */
export function isConstant(scalar: Scalar, value: ConstantValue): boolean {
  return scalar.op === "const" && scalar.value === value;
}

const keys = new WeakMap<Scalar, string>();

/** Returns a text that is the same for equal scalars. */
export function scalarKey(scalar: Scalar): string {
  let key = keys.get(scalar);
  if (key === undefined) {
    key = makeKey(scalar);
    keys.set(scalar, key);
  }
  return key;
}

function makeKey(scalar: Scalar): string {
  const children = childrenOf(scalar);
  if (children.length === 0) return ownKey(scalar);
  return `${children.reduce((key, child) => `${key} ${scalarKey(child)}`, `(${ownKey(scalar)}`)})`;
}

/** Describes a scalar without the scalars below it. */
function ownKey(scalar: Scalar): string {
  switch (scalar.op) {
    case "const":
      if (scalar.type === "f64") return Object.is(scalar.value, -0) ? "f-0" : `f${scalar.value}`;
      return `${scalar.value}${scalar.type === "i64" ? "n" : ""}`;
    case "local":
      return scalar.name;
    case "unary":
    case "binary":
      return scalar.fn;
    case "convert":
      return `${scalar.fn} ${scalar.type}`;
    case "byte":
      return `byte[${spaceKey(scalar.space)}]`;
    case "hostCall":
      return `${scalar.name}[${scalar.space && spaceKey(scalar.space)}]`;
    case "word":
      return `word[${scalar.column}.${scalar.word}]`;
    case "table":
      return `table[${scalar.table}]`;
    case "select":
    case "scratch":
      return scalar.op;
    case "long":
      return `long[${scalar.column}.${scalar.part ?? 0}]`;
    default:
      return `${scalar.op}[${scalar.column}]`;
  }
}

/** Returns the word of a row that is half of a `long`. */
export function wordIn({ part = 0 }: { readonly part?: number }, fn: "low" | "high"): number {
  return 2 * part + (fn === "low" ? 0 : 1);
}

function spaceKey(space: Space): string {
  return space.space === "column" ? String(space.column) : "lit";
}

/** Whether two scalars are the same expression. */
export function sameScalar(left: Scalar, right: Scalar): boolean {
  return left === right || scalarKey(left) === scalarKey(right);
}

const TESTS = new Set<BinaryFn>([
  ...(["==", "!=", "<", "<=", ">", ">=", "<u", "&&", "||"] as const),
  ...(["+overflows", "-overflows", "*overflows"] as const),
  ...(["+overflowsU", "-overflowsU", "*overflowsU"] as const),
]);

/** Returns a binary operation, folded. `join` makes an i64 unless `joined` is f64. */
export function binary(
  fn: BinaryFn,
  left: Scalar,
  right: Scalar,
  joined: "i64" | "f64" = "i64",
): Scalar {
  if (fn === "-" && right.op === "const" && right.type === "i32") {
    return binary("+", left, int(-right.value));
  }
  const type = TESTS.has(fn) ? "bool" : fn === "join" ? joined : left.type;
  if (left.op === "const" && right.op === "const") {
    const value = evaluateBinary(fn, left.value, right.value, left.type);
    return fn === "join" && joined === "f64"
      ? constant("f64", evaluateConvert("bits", value, "f64"))
      : constant(type, value);
  }
  const simple = left.type === "f64" ? null : simplify(fn, left, right);
  return simple ?? { op: "binary", type, fn, left, right };
}

/** Returns a conversion to a type, folded. */
export function convert(fn: ConvertFn, type: ScalarType, value: Scalar): Scalar {
  if (value.op === "const") return constant(type, evaluateConvert(fn, value.value, type));
  // The halves of a float are those of the one NaN where it is NaN.
  const isJoin = value.op === "binary" && value.fn === "join" && value.type === "i64";
  if (isJoin && fn === "low") return value.left;
  if (isJoin && fn === "high") return value.right;
  if (value.op === "long" && (fn === "low" || fn === "high")) {
    return { op: "word", type: "i32", column: value.column, word: wordIn(value, fn) };
  }
  if (value.op === "convert" && value.fn.startsWith("extend")) {
    if (fn === "low") return value.value;
    if (fn === "high") return value.fn === "extendU" ? int(0) : binary(">>", value.value, int(31));
  }
  if (value.op === "convert" && fn === "bits" && value.fn === "bits" && type === "f64") {
    return value.value;
  }
  return { op: "convert", type, fn, value };
}

function isZero(scalar: Scalar): boolean {
  return isConstant(scalar, 0) || isConstant(scalar, 0n);
}

function isOne(scalar: Scalar): boolean {
  return isConstant(scalar, 1) || isConstant(scalar, 1n);
}

/** Applies rules for operands of which at most one is constant; returns null if none applies. */
function simplify(fn: BinaryFn, left: Scalar, right: Scalar): Scalar | null {
  switch (fn) {
    case "+":
      if (left.op === "const") return binary("+", right, left);
      if (isZero(right)) return left;
      if (right.op === "const" && left.op === "binary" && left.fn === "+") {
        // (x + a) + b is x + (a + b), also where it wraps.
        if (left.right.op === "const") {
          return binary("+", left.left, binary("+", left.right, right));
        }
      }
      // (a - b) + b is a: a position in a view, made absolute again.
      if (left.op === "binary" && left.fn === "-" && sameScalar(left.right, right)) {
        return left.left;
      }
      if (right.op === "binary" && right.fn === "-" && sameScalar(right.right, left)) {
        return right.left;
      }
      return null;
    case "-":
      if (sameScalar(left, right)) return constant(left.type, 0);
      if (isZero(right)) return left;
      if (left.op === "binary" && left.fn === "+") {
        if (sameScalar(left.left, right)) return left.right;
        if (sameScalar(left.right, right)) return left.left;
        // (x + a) - (x + b) is a - b: the size of a part of a view.
        if (right.op === "binary" && right.fn === "+" && sameScalar(left.left, right.left)) {
          return binary("-", left.right, right.right);
        }
      }
      return null;
    case "<<":
    case ">>":
      return isZero(right) ? left : null;
    case "*":
      if (isOne(right)) return left;
      if (isOne(left)) return right;
      return null;
    case "&&":
      if (left.op === "const") return left.value === true ? right : left;
      return isConstant(right, true) ? left : isConstant(right, false) ? right : null;
    case "||":
      if (left.op === "const") return left.value === true ? left : right;
      return isConstant(right, false) ? left : isConstant(right, true) ? right : null;
    case "==":
    case "<=":
    case ">=":
      return sameScalar(left, right) ? bool(true) : null;
    case "!=":
    case "<":
    case ">":
      return sameScalar(left, right) ? bool(false) : null;
    default:
      return null;
  }
}

const NEGATED: Partial<Record<BinaryFn, BinaryFn>> = {
  "==": "!=",
  "!=": "==",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

/** Returns the negation of a bool, folded. */
export function not(value: Scalar): Scalar {
  if (value.op === "const") return bool(value.value !== true);
  if (value.op === "unary" && value.fn === "!") return value.value;
  if (value.op === "binary" && value.left.type !== "f64") {
    const fn = NEGATED[value.fn];
    if (fn !== undefined) return binary(fn, value.left, value.right);
  }
  return { op: "unary", type: "bool", fn: "!", value };
}

/** Returns a unary operation, folded. */
export function unary(fn: UnaryFn, value: Scalar): Scalar {
  if (fn === "!") return not(value);
  if (value.op === "const") {
    return constant(value.type, evaluateUnary(fn, value.value, value.type));
  }
  return { op: "unary", type: value.type, fn, value };
}

/** Returns `yes` if `test` holds, else `no`, folded. Both sides may be evaluated. */
export function select(test: Scalar, yes: Scalar, no: Scalar): Scalar {
  if (test.op === "const") return test.value === true ? yes : no;
  if (sameScalar(yes, no)) return yes;
  if (isConstant(yes, true) && isConstant(no, false)) return test;
  if (isConstant(yes, false) && isConstant(no, true)) return not(test);
  return { op: "select", type: yes.type, test, yes, no };
}

/** Returns the conjunction of bools. */
export function and(...terms: readonly Scalar[]): Scalar {
  return terms.reduce((left, right) => binary("&&", left, right), bool(true));
}

/** Returns the disjunction of bools. */
export function or(...terms: readonly Scalar[]): Scalar {
  return terms.reduce((left, right) => binary("||", left, right), bool(false));
}
