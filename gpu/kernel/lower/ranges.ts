/**
 * Removes tests of overflow that cannot hold: a product of two columns of 32 bits always fits 64.
 * The range of an integer follows from the types of columns, from constants and from masks.
 *
 * @module
 */

import type { ColumnType } from "../../column/column.ts";
import type { BinaryFn, Scalar, ScalarType, Stmt } from "../ir/ir.ts";
import { binary, bool, select, unary } from "../ir/scalar.ts";
import {
  mapBodies,
  mapChildren,
  mapScalars,
  scalarsOf,
  someScalar,
  someStatement,
  visit,
} from "../ir/visit.ts";

/** The least and the greatest value that an integer may have, with its sign. */
type Range = readonly [low: bigint, high: bigint];

/** The operators whose overflow is tested, and whether the operands have signs. */
const TESTED: Partial<Record<BinaryFn, readonly ["+" | "-" | "*", boolean]>> = {
  "+overflows": ["+", true],
  "-overflows": ["-", true],
  "*overflows": ["*", true],
  "+overflowsU": ["+", false],
  "-overflowsU": ["-", false],
  "*overflowsU": ["*", false],
};

/** Returns a body without the tests of overflow that never hold, and what only they reach. */
export function withoutNeedlessTests(
  body: readonly Stmt[],
  columnTypes: readonly ColumnType[],
): readonly Stmt[] {
  const isTest = (scalar: Scalar) => scalar.op === "binary" && TESTED[scalar.fn] !== undefined;
  const tests = (stmt: Stmt) => scalarsOf(stmt).some((scalar) => someScalar(scalar, isTest));
  return someStatement(body, tests) ? new Ranges(body, columnTypes).fold(body) : body;
}

class Ranges {
  readonly #columnTypes: readonly ColumnType[];
  readonly #assigned = new Set<string>();
  /** The ranges of the locals that never change. */
  readonly #locals = new Map<string, Range>();

  constructor(body: readonly Stmt[], columnTypes: readonly ColumnType[]) {
    this.#columnTypes = columnTypes;
    visit(body, { stmt: (stmt) => void (stmt.do === "set" && this.#assigned.add(stmt.name)) });
  }

  fold(body: readonly Stmt[]): readonly Stmt[] {
    return body.flatMap((stmt) => this.#statement(stmt));
  }

  #statement(stmt: Stmt): readonly Stmt[] {
    const folded = mapScalars(stmt, (scalar) => this.#scalar(scalar));
    if (folded.do === "let" && isInteger(folded.type) && !this.#assigned.has(folded.name)) {
      this.#locals.set(folded.name, this.#rangeOf(folded.value));
    }
    if (folded.do === "if" && folded.test.op === "const" && stmt !== folded) {
      return this.fold(folded.test.value === true ? folded.then : folded.else);
    }
    return [mapBodies(folded, (inner) => this.fold(inner))];
  }

  #scalar(scalar: Scalar): Scalar {
    const inner = mapChildren(scalar, (child) => this.#scalar(child));
    if (inner.op === "binary") {
      const tested = TESTED[inner.fn];
      if (tested !== undefined) return this.#cannotOverflow(inner, ...tested) ? bool(false) : inner;
    }
    if (inner === scalar) return scalar;
    switch (inner.op) {
      case "binary":
        return inner.fn === "join" ? inner : binary(inner.fn, inner.left, inner.right);
      case "unary":
        return unary(inner.fn, inner.value);
      case "select":
        return select(inner.test, inner.yes, inner.no);
      default:
        return inner;
    }
  }

  #cannotOverflow(
    { left, right }: Scalar & { op: "binary" },
    fn: "+" | "-" | "*",
    isSigned: boolean,
  ): boolean {
    const [a, b] = [this.#rangeOf(left), this.#rangeOf(right)];
    if (isSigned) return fits(exact(fn, a, b), limitsOf("i64"));
    // A number that has no sign bit is the same with and without a sign.
    return a[0] >= 0n && b[0] >= 0n && fits(exact(fn, a, b), [0n, 2n ** 64n - 1n]);
  }

  #rangeOf(scalar: Scalar): Range {
    const whole = limitsOf(scalar.type);
    switch (scalar.op) {
      case "const":
        return isInteger(scalar.type) ? [BigInt(scalar.value), BigInt(scalar.value)] : whole;
      case "local":
        return this.#locals.get(scalar.name) ?? whole;
      case "word":
        return wordRange(this.#columnTypes[scalar.column]) ?? whole;
      case "byte":
        return [0n, 255n];
      case "start":
      case "stop":
        return [0n, whole[1]];
      case "select":
        return union(this.#rangeOf(scalar.yes), this.#rangeOf(scalar.no));
      case "convert":
        return this.#converted(scalar, whole);
      case "binary":
        return this.#combined(scalar, whole);
      default:
        return whole;
    }
  }

  #converted({ fn, value }: Scalar & { op: "convert" }, whole: Range): Range {
    if (!isInteger(value.type)) return whole;
    const from = this.#rangeOf(value);
    switch (fn) {
      case "extend":
        return from;
      case "extendU":
        return from[0] >= 0n ? from : [0n, 2n ** 32n - 1n];
      case "low":
        return fits(from, whole) ? from : whole;
      default:
        return whole;
    }
  }

  #combined({ fn, left, right }: Scalar & { op: "binary" }, whole: Range): Range {
    if (!isInteger(left.type) || !isInteger(right.type)) return whole;
    const [a, b] = [this.#rangeOf(left), this.#rangeOf(right)];
    switch (fn) {
      case "+":
      case "-":
      case "*": {
        const range = exact(fn, a, b);
        return fits(range, whole) ? range : whole;
      }
      case "&":
        // The bits of a number without a sign are a bound.
        if (b[0] >= 0n) return [0n, a[0] >= 0n && a[1] < b[1] ? a[1] : b[1]];
        return a[0] >= 0n ? [0n, a[1]] : whole;
      case "/":
        return b[0] > 0n ? union([a[0] / b[0], a[0] / b[1]], [a[1] / b[0], a[1] / b[1]]) : whole;
      case "%": {
        // As small as the divisor, with the sign of the dividend; 0 for a divisor of 0.
        const most = b[1] > -b[0] ? b[1] : -b[0];
        const bound = most > 0n ? most - 1n : 0n;
        return [a[0] < 0n ? -bound : 0n, a[1] > 0n ? bound : 0n];
      }
      default:
        return whole;
    }
  }
}

function isInteger(type: ScalarType): boolean {
  return type === "i32" || type === "i64";
}

function limitsOf(type: ScalarType): Range {
  const end = type === "i64" ? 2n ** 63n : 2n ** 31n;
  return [-end, end - 1n];
}

/** Returns the range of the low word of a column; null if it may be any. */
function wordRange(type: ColumnType | undefined): Range | null {
  if (type?.kind !== "int" || type.bits >= 32) return null;
  const end = 2n ** BigInt(type.bits);
  return type.signed ? [-end / 2n, end / 2n - 1n] : [0n, end - 1n];
}

function exact(fn: "+" | "-" | "*", a: Range, b: Range): Range {
  if (fn === "+") return [a[0] + b[0], a[1] + b[1]];
  if (fn === "-") return [a[0] - b[1], a[1] - b[0]];
  const corners = a.flatMap((x) => b.map((y) => x * y));
  return corners.map((value): Range => [value, value]).reduce(union);
}

function union(a: Range, b: Range): Range {
  const sorted = [...a, ...b].sort((x, y) => x < y ? -1 : x > y ? 1 : 0);
  return [sorted[0]!, sorted.at(-1)!];
}

function fits(range: Range, [low, high]: Range): boolean {
  return range[0] >= low && range[1] <= high;
}
