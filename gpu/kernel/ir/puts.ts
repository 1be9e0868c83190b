/** @module */

import type { Stmt } from "./ir.ts";

/**
 * The statements from an index on that append one byte each, up to the first that does something
 * else; none where the first one does.
 */
export function putsAt(
  statements: readonly Stmt[],
  index: number,
): readonly (Stmt & { do: "put" })[] {
  const puts: (Stmt & { do: "put" })[] = [];
  for (let at = index; at < statements.length; at++) {
    const statement = statements[at];
    if (statement?.do !== "put") break;
    puts.push(statement);
  }
  return puts;
}
