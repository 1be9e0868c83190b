/**
 * Finds the columns that alone determine which rows of a kernel are null.
 *
 * @module
 */

import type { Scalar, Stmt } from "./ir.ts";
import { someStatement } from "./visit.ts";

/**
 * Returns the columns of a kernel whose row is null exactly if one of them is: each is tested at
 * the top of the code, and nothing else makes a row null. Returns null for other kernels, and if no
 * row is null.
 */
export function nullColumnsOf(body: readonly Stmt[]): readonly number[] | null {
  const columns: number[] = [];
  for (const stmt of body) {
    const column = nullColumnOf(stmt);
    if (column !== null) columns.push(column);
    else if (someStatement([stmt], (inner) => inner.do === "null")) return null;
  }
  return columns.length > 0 ? columns : null;
}

/** Returns the columns that are tested at the top of the code: where one is null, the row is. */
export function testedColumnsOf(body: readonly Stmt[]): readonly number[] {
  return body.flatMap((stmt) => nullColumnOf(stmt) ?? []);
}

/** Returns the column whose null is all that a statement tests, to end the row as null. */
export function nullColumnOf(stmt: Stmt): number | null {
  if (stmt.do !== "if" || stmt.else.length > 0 || stmt.then.length !== 1) return null;
  const [then] = stmt.then;
  const valid = then?.do === "null" ? negated(stmt.test) : null;
  return valid?.op === "valid" ? valid.column : null;
}

function negated(test: Scalar): Scalar | null {
  return test.op === "unary" && test.fn === "!" ? test.value : null;
}
