/** @module */

import type { Stmt } from "./ir.ts";

/**
 * How deep the statements nest for a compiler that knows no way out of a function but its end: what
 * follows a statement that may end the row is inside of it, so that a hundred tests one after the
 * other nest a hundred deep.
 *
 * @example
 * ```ts
 * import { nesting } from "./nesting.ts";
 * import type { Stmt } from "./ir.ts";
 *
 * const test = { op: "const", type: "bool", value: true } as const;
 * const leave: Stmt = { do: "if", test, then: [{ do: "null" }], else: [] };
 * if (nesting([leave, leave, leave]) !== 3) throw new Error("three exits");
 * ```
 */
export function nesting(statements: readonly Stmt[]): number {
  let around = 0;
  let deepest = 0;
  for (const statement of statements) {
    const bodies = bodiesOf(statement);
    const inside = bodies.length === 0 ? 0 : 1 + Math.max(...bodies.map(nesting));
    deepest = Math.max(deepest, around + inside);
    if (bodies.length > 0 && endsRow(bodies)) around++;
  }
  return deepest;
}

function bodiesOf(statement: Stmt): readonly (readonly Stmt[])[] {
  switch (statement.do) {
    case "if":
      return [statement.then, statement.else];
    case "loop":
    case "block":
      return [statement.body];
    default:
      return [];
  }
}

function endsRow(bodies: readonly (readonly Stmt[])[]): boolean {
  return bodies.some((body) =>
    body.some((statement) => statement.do === "null" || endsRow(bodiesOf(statement)))
  );
}
