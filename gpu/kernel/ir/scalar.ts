/**
 * Constructors of scalars that fold what is known at compile time.
 *
 * @module
 */

import type { BinaryFn, Scalar, Space, UnaryFn } from "./ir.ts";
import { childrenOf } from "./visit.ts";

/** Returns an i32 constant. */
export function int(value: number): Scalar {
  return { op: "const", type: "i32", value: value | 0 };
}

/** Returns a bool constant. */
export function bool(value: boolean): Scalar {
  return { op: "const", type: "bool", value };
}

/** Returns the value of a constant, or undefined. */
export function constantOf(scalar: Scalar): number | boolean | undefined {
  return scalar.op === "const" ? scalar.value : undefined;
}

/** Whether a scalar is that constant. */
export function isConstant(scalar: Scalar, value: number | boolean): boolean {
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
      return String(scalar.value);
    case "local":
      return scalar.name;
    case "unary":
    case "binary":
      return scalar.fn;
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
    default:
      return `${scalar.op}[${scalar.column}]`;
  }
}

function spaceKey(space: Space): string {
  return space.space === "column" ? String(space.column) : "lit";
}

/** Whether two scalars are the same expression. */
export function sameScalar(left: Scalar, right: Scalar): boolean {
  return left === right || scalarKey(left) === scalarKey(right);
}

const COMPARISONS = new Set<BinaryFn>(["==", "!=", "<", "<=", ">", ">=", "<u", "&&", "||"]);

/** Returns a binary operation, folded. */
export function binary(fn: BinaryFn, left: Scalar, right: Scalar): Scalar {
  if (fn === "-" && right.op === "const" && right.type === "i32") {
    return binary("+", left, int(-right.value));
  }
  if (left.op === "const" && right.op === "const" && left.type !== "f64") {
    return foldConstants(fn, left.value, right.value);
  }
  const simple = left.type === "f64" ? null : simplify(fn, left, right);
  if (simple !== null) return simple;
  const type = COMPARISONS.has(fn) ? "bool" : left.type;
  return { op: "binary", type, fn, left, right };
}

function foldConstants(
  fn: BinaryFn,
  left: number | boolean,
  right: number | boolean,
): Scalar {
  const value = evaluateBinary(fn, left, right);
  return typeof value === "number" ? int(value) : bool(value);
}

/** Returns the value of a binary operation on constants, with 32-bit arithmetic. */
export function evaluateBinary(
  fn: BinaryFn,
  left: number | boolean,
  right: number | boolean,
): number | boolean {
  if (fn === "==") return left === right;
  if (fn === "!=") return left !== right;
  if (fn === "&&") return left === true && right === true;
  if (fn === "||") return left === true || right === true;
  const a = Number(left);
  const b = Number(right);
  switch (fn) {
    case "+":
      return (a + b) | 0;
    case "-":
      return (a - b) | 0;
    case "*":
      return Math.imul(a, b);
    case "/":
      return (a / b) | 0;
    case "%":
      return (a % b) | 0;
    case "&":
      return a & b;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "<<":
      return a << b;
    case ">>":
      return a >> b;
    case ">>>":
      return (a >>> b) | 0;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "<u":
      return (a >>> 0) < (b >>> 0);
  }
}

/** Applies rules for operands of which at most one is constant; returns null if none applies. */
function simplify(fn: BinaryFn, left: Scalar, right: Scalar): Scalar | null {
  switch (fn) {
    case "+":
      if (left.op === "const") return binary("+", right, left);
      if (isConstant(right, 0)) return left;
      if (right.op === "const" && left.op === "binary" && left.fn === "+") {
        // (x + a) + b is x + (a + b), also where it wraps.
        if (left.right.op === "const") {
          return binary("+", left.left, foldConstants("+", left.right.value, right.value));
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
      if (sameScalar(left, right)) return int(0);
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
      return isConstant(right, 0) ? left : null;
    case "*":
      if (isConstant(right, 1)) return left;
      if (isConstant(left, 1)) return right;
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
  if (value.op === "const" && value.type === "i32") {
    return int(Number(evaluateUnary(fn, value.value)));
  }
  return { op: "unary", type: value.type, fn, value };
}

/** The value of a unary operation on a bool or an i32. */
export function evaluateUnary(fn: UnaryFn, value: number | boolean): number | boolean {
  switch (fn) {
    case "!":
      return !value;
    case "-":
      return -Number(value) | 0;
    case "~":
      return ~Number(value);
  }
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
