/**
 * Tells whether code may compute rows whose numbers are arbitrary, such as those below nulls.
 *
 * @module
 */

import type { Stmt } from "./ir.ts";
import { someStatement, visit } from "./visit.ts";

/** Whether code is without loops and without places that depend on a number. */
export function takesAnyNumber(body: readonly Stmt[]): boolean {
  const isPlain = ({ do: does }: Stmt) => PLAIN_STATEMENTS.has(does);
  let readsPlaces = false;
  visit(body, {
    scalar: ({ op }) => {
      if (op === "byte" || op === "table" || op === "scratch") readsPlaces = true;
    },
  });
  return !readsPlaces && !someStatement(body, (stmt) => !isPlain(stmt));
}

const PLAIN_STATEMENTS: ReadonlySet<Stmt["do"]> = new Set(
  ["let", "set", "if", "block", "break", "result", "fail", "null"] as const,
);
