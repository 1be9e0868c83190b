/** @module */

import type { Stmt } from "../../ir/ir.ts";
import { bodiesOf } from "../../ir/visit.ts";

/**
 * How deep the statements nest for a compiler that knows no way out of a function but its end: what
 * follows a statement that may end the row is inside of it, so that a hundred tests one after the
 * other nest a hundred deep.
 *
 * @example
 * ```ts
 * import { nesting } from "./nesting.ts";
 * import type { Stmt } from "../../ir/ir.ts";
 *
 * const test = { op: "const", type: "bool", value: true } as const;
 * const leave: Stmt = { do: "if", test, then: [{ do: "null" }], else: [] };
 * if (nesting([leave, leave, leave]) !== 3) throw new Error("three exits");
 * ```
 */
export function nesting(statements: readonly Stmt[]): number {
  return nestingOf(statements).deepest;
}

interface Nesting {
  readonly deepest: number;
  /** Whether some statement, or one inside of it, ends the row. */
  readonly endsRow: boolean;
}

function nestingOf(statements: readonly Stmt[]): Nesting {
  let around = 0;
  let deepest = 0;
  let endsRow = false;
  for (const statement of statements) {
    if (statement.do === "null") endsRow = true;
    const inside = bodiesOf(statement).map(nestingOf);
    const depth = inside.length === 0 ? 0 : 1 + Math.max(...inside.map((body) => body.deepest));
    deepest = Math.max(deepest, around + depth);
    if (!inside.some((body) => body.endsRow)) continue;
    around++;
    endsRow = true;
  }
  return { deepest, endsRow };
}
