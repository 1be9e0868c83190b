/**
 * Rewrites the returns of a row function so that as few statements as possible return.
 *
 * @module
 */

import type { RowExpr, RowStmt } from "./row_code.ts";

/**
 * Joins returns that follow each other into one: `if (a) return b; return c` becomes
 * `return a ? b : c`, or `a || c` if `b` is true. A single return is a value, without a variable or
 * a jump.
 */
export function joinReturns(statements: readonly RowStmt[]): readonly RowStmt[] {
  const joined = statements.map(joinInside);
  const last = returnedValue(joined.slice(-1));
  if (last === null) return joinBothSides(joined);
  let value = last;
  let stop = joined.length - 1;
  for (; stop > 0; stop--) {
    const statement = joined[stop - 1];
    if (statement?.do !== "if" || statement.else.length > 0) break;
    const early = returnedValue(statement.then);
    if (early === null) break;
    value = choice(statement.test, early, value);
  }
  return [...joined.slice(0, stop), { do: "return", value }];
}

function joinInside(statement: RowStmt): RowStmt {
  return statement.do === "if"
    ? { ...statement, then: joinReturns(statement.then), else: joinReturns(statement.else) }
    : statement;
}

/** If both sides of the last statement return, makes it one return of a choice. */
function joinBothSides(statements: readonly RowStmt[]): readonly RowStmt[] {
  const last = statements.at(-1);
  if (last?.do !== "if") return statements;
  const [yes, no] = [returnedValue(last.then), returnedValue(last.else)];
  if (yes === null || no === null) return statements;
  const value = choice(last.test, yes, no);
  return joinReturns([...statements.slice(0, -1), { do: "return", value }]);
}

/** Returns the value of statements that do nothing but return it, or null. */
function returnedValue(statements: readonly RowStmt[]): RowExpr | null {
  const [first, ...others] = statements;
  return first?.do === "return" && others.length === 0 ? first.value ?? null : null;
}

function choice(test: RowExpr, yes: RowExpr, no: RowExpr): RowExpr {
  if (yes.op === "const" && yes.value === true) {
    return { op: "binary", type: "bool", fn: "||", left: test, right: no };
  }
  if (yes.op === "const" && yes.value === false) {
    const isNot: RowExpr = { op: "unary", type: "bool", fn: "!", value: test };
    return { op: "binary", type: "bool", fn: "&&", left: isNot, right: no };
  }
  return { op: "select", type: yes.type, test, yes, no };
}
