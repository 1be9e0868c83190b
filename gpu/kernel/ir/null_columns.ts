/**
 * Finds the columns that decide alone which rows of a kernel are null.
 *
 * @module
 */

import type { Scalar, Stmt } from "./ir.ts";
import { someStatement } from "./visit.ts";

/**
 * The columns of a kernel of which one is null where the row is, if that is all there is to it: each
 * is asked for at the top of the code, and nothing else makes a row null. Null for other kernels, and
 * where no row is null.
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

/** The column without which a statement ends the row as null, where it does nothing else. */
export function nullColumnOf(stmt: Stmt): number | null {
  if (stmt.do !== "if" || stmt.else.length > 0 || stmt.then.length !== 1) return null;
  const [then] = stmt.then;
  const valid = then?.do === "null" ? negated(stmt.test) : null;
  return valid?.op === "valid" ? valid.column : null;
}

function negated(test: Scalar): Scalar | null {
  return test.op === "unary" && test.fn === "!" ? test.value : null;
}
