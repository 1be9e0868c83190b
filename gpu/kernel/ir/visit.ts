/**
 * Walks over the code of a kernel.
 *
 * @module
 */

import type { Scalar, Stmt } from "./ir.ts";

/** Calls the visitors for every statement and every scalar, outer ones first. */
export function visit(
  statements: readonly Stmt[],
  visitors: { stmt?: (stmt: Stmt) => void; scalar?: (scalar: Scalar) => void },
): void {
  for (const stmt of statements) {
    visitors.stmt?.(stmt);
    for (const scalar of scalarsOf(stmt)) visitScalar(scalar, visitors.scalar);
    switch (stmt.do) {
      case "if":
        visit(stmt.then, visitors);
        visit(stmt.else, visitors);
        break;
      case "loop":
        visit(stmt.body, visitors);
        visit(stmt.update, visitors);
        break;
      case "block":
        visit(stmt.body, visitors);
        break;
    }
  }
}

/** How many statements there are, those inside of others included. */
export function numStatements(statements: readonly Stmt[]): number {
  let count = 0;
  visit(statements, { stmt: () => void count++ });
  return count;
}

function scalarsOf(stmt: Stmt): readonly Scalar[] {
  switch (stmt.do) {
    case "let":
    case "set":
      return [stmt.value];
    case "if":
    case "loop":
      return [stmt.test];
    case "put":
      return [stmt.byte];
    case "copy":
      return [stmt.start, stmt.stop];
    case "repeat":
      return [stmt.start, stmt.stop, stmt.count];
    case "checkRepeat":
      return [stmt.size, stmt.count];
    case "store":
      return [stmt.at, stmt.value];
    case "result":
      return stmt.words;
    case "copyNormal":
      return [stmt.start, stmt.stop, stmt.form];
    case "putFloat":
    case "number":
      return [stmt.value];
    case "beginItem":
      return [stmt.bytes];
    default:
      return [];
  }
}

function visitScalar(scalar: Scalar, visitor?: (scalar: Scalar) => void): void {
  if (visitor === undefined) return;
  visitor(scalar);
  switch (scalar.op) {
    case "unary":
      return visitScalar(scalar.value, visitor);
    case "binary":
      visitScalar(scalar.left, visitor);
      return visitScalar(scalar.right, visitor);
    case "select":
      visitScalar(scalar.test, visitor);
      visitScalar(scalar.yes, visitor);
      return visitScalar(scalar.no, visitor);
    case "byte":
    case "table":
    case "scratch":
    case "itemStart":
    case "itemValid":
      return visitScalar(scalar.at, visitor);
    case "decimal":
      visitScalar(scalar.start, visitor);
      return visitScalar(scalar.stop, visitor);
  }
}
