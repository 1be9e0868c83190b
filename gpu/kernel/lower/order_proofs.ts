/**
 * Proofs about the order of positions, by which checks and clamps without effect are left out. Only
 * values that never change have facts.
 *
 * @module
 */

import type { BinaryFn, Scalar } from "../ir/ir.ts";
import { binary, int, isConstant, scalarKey, select } from "../ir/scalar.ts";

/** `low <= high`. */
export interface Order {
  readonly low: Scalar;
  readonly high: Scalar;
}

/** The facts that hold at a point of the code. */
export interface Knowledge {
  /** Whether an order, or a position, was noted under its key. */
  readonly isNoted: (key: string) => boolean;
  /** Returns the value of a local, if it is known. */
  readonly definitionOf: (name: string) => Scalar | undefined;
  /** Whether a scalar is known to be from 0 to 127. */
  readonly isAscii: (scalar: Scalar) => boolean;
}

/** The most steps of a proof. */
const MAX_DEPTH = 4;

/** The key under which an order is noted. */
export function orderKey({ low, high }: Order): string {
  return `${scalarKey(low)} <= ${scalarKey(high)}`;
}

/** Returns the facts that follow from a test with the result `outcome`. */
export function ordersOf(test: Scalar, outcome: boolean): Order[] {
  if (test.op === "unary" && test.fn === "!") return ordersOf(test.value, !outcome);
  if (test.op !== "binary") return [];
  const { fn, left, right } = test;
  if (fn === (outcome ? "&&" : "||")) {
    return [...ordersOf(left, outcome), ...ordersOf(right, outcome)];
  }
  if (left.type !== "i32") return [];
  const strict = (low: Scalar, high: Scalar): Order[] => [
    { low, high },
    ...(high.op === "const" ? [{ low, high: binary("+", high, int(-1)) }] : []),
    ...(low.op === "const" ? [{ low: binary("+", low, int(1)), high }] : []),
  ];
  switch (fn) {
    case "<":
      return outcome ? strict(left, right) : [{ low: right, high: left }];
    case ">":
      return outcome ? strict(right, left) : [{ low: left, high: right }];
    case "<=":
      return outcome ? [{ low: left, high: right }] : strict(right, left);
    case ">=":
      return outcome ? [{ low: right, high: left }] : strict(left, right);
    default:
      return [];
  }
}

/** Whether `low <= high` follows from what was noted. */
export function proves(known: Knowledge, low: Scalar, high: Scalar, depth = MAX_DEPTH): boolean {
  if (low.op === "const" && high.op === "const") return Number(low.value) <= Number(high.value);
  const key = orderKey({ low, high });
  if (scalarKey(low) === scalarKey(high) || known.isNoted(key)) return true;
  if (depth === 0) return false;
  const next = (a: Scalar, b: Scalar) => proves(known, a, b, depth - 1);
  if (low.op === "select") {
    return provesBoth(known, low, (side, more) => proves(more, side, high, depth - 1));
  }
  if (high.op === "select") {
    return provesBoth(known, high, (side, more) => proves(more, low, side, depth - 1));
  }
  // Positions are far enough from the 32-bit limits for small sums not to wrap.
  const more = positionAndSum(known, high);
  if (more !== null && more.by >= 0 && next(low, more.position)) return true;
  const less = positionAndSum(known, low);
  if (less !== null && less.by <= 0 && next(less.position, high)) return true;
  if (isConstant(low, -1) && next(int(0), high)) return true;
  const lowMeaning = low.op === "local" ? known.definitionOf(low.name) : undefined;
  if (lowMeaning !== undefined && next(lowMeaning, high)) return true;
  const highMeaning = high.op === "local" ? known.definitionOf(high.name) : undefined;
  return highMeaning !== undefined && next(low, highMeaning);
}

/** Returns the result of a comparison, if it is known. */
export function decided(known: Knowledge, test: Scalar): boolean | undefined {
  if (test.op !== "binary" || test.left.type !== "i32") return undefined;
  const { fn, left, right } = test;
  if (right.op === "const" && known.isAscii(left)) return decidedForAscii(fn, Number(right.value));
  // A sum that is one more does not wrap: `proves` only looks into sums of positions.
  const less = (a: Scalar, b: Scalar) =>
    proves(known, binary("+", a, int(1)), b) && isPosition(known, a)
      ? true
      : proves(known, b, a)
      ? false
      : undefined;
  const negated = (outcome: boolean | undefined) => outcome === undefined ? outcome : !outcome;
  switch (fn) {
    case "<":
      return less(left, right);
    case ">":
      return less(right, left);
    case ">=":
      return negated(less(left, right));
    case "<=":
      return negated(less(right, left));
    default:
      return undefined;
  }
}

/**
 * Returns the result of comparing any number from 0 to 127 with a constant, if it is the same for
 * all.
 */
function decidedForAscii(fn: BinaryFn, constant: number): boolean | undefined {
  switch (fn) {
    case "<":
    case ">=":
      return constant > 127 ? fn === "<" : constant <= 0 ? fn === ">=" : undefined;
    case "<=":
    case ">":
      return constant >= 127 ? fn === "<=" : constant < 0 ? fn === ">" : undefined;
    case "==":
    case "!=":
      return constant < 0 || constant > 127 ? fn === "!=" : undefined;
    default:
      return undefined;
  }
}

function isPosition(known: Knowledge, scalar: Scalar): boolean {
  return scalar.op === "const" || known.isNoted(positionKey(scalar));
}

/** The key under which a scalar is noted as a position in a view or its size. */
export function positionKey(scalar: Scalar): string {
  return `position ${scalarKey(scalar)}`;
}

function positionAndSum(
  known: Knowledge,
  scalar: Scalar,
): { position: Scalar; by: number } | null {
  if (scalar.op !== "binary" || scalar.fn !== "+" || scalar.right.op !== "const") return null;
  const by = Number(scalar.right.value);
  const isSmall = by >= -0x10000 && by <= 0x10000;
  return isSmall && known.isNoted(positionKey(scalar.left)) ? { position: scalar.left, by } : null;
}

/** Proves something of both sides of a choice, each with the facts from its test. */
function provesBoth(
  known: Knowledge,
  choice: Scalar & { op: "select" },
  prove: (side: Scalar, known: Knowledge) => boolean,
): boolean {
  const side = (outcome: boolean) => {
    const orders = ordersOf(choice.test, outcome).map(orderKey);
    const isNoted = (key: string) =>
      orders.includes(key) || known.isNoted(key) ||
      orders.some((order) => known.isNoted(`${order} implies ${key}`));
    return prove(outcome ? choice.yes : choice.no, { ...known, isNoted });
  };
  return side(true) && side(false);
}

/** Returns the smaller of two scalars; one of them if that is known. */
export function knownMin(known: Knowledge, left: Scalar, right: Scalar): Scalar {
  if (proves(known, left, right)) return left;
  if (proves(known, right, left)) return right;
  return select(binary("<", left, right), left, right);
}

/** Returns the greater of two scalars; one of them if that is known. */
export function knownMax(known: Knowledge, left: Scalar, right: Scalar): Scalar {
  if (proves(known, left, right)) return right;
  if (proves(known, right, left)) return left;
  return select(binary(">", left, right), left, right);
}
