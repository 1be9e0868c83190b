/**
 * Calls that give several columns, such as `partition`.
 *
 * @module
 */

import { type Expr, makeExpr } from "./expr.ts";

/** The parts of a call that gives several, each as an expression; undefined for any other. */
export function partsOf({ node }: Expr): ReadonlyMap<string, Expr> | undefined {
  const parts = node.node === "call" && node.part === undefined ? node.op.spec.parts : undefined;
  if (node.node !== "call" || parts === undefined) return undefined;
  return new Map(parts.map((part) => [part, makeExpr({ ...node, part })]));
}

/**
 * The columns with each call that gives several replaced by its parts: `p` becomes `p_before`,
 * `p_delimiter` and `p_after`. Throws a TypeError where two columns would have one name.
 */
export function expandParts(columns: ReadonlyMap<string, Expr>): ReadonlyMap<string, Expr> {
  const expanded = new Map<string, Expr>();
  const add = (name: string, expr: Expr) => {
    if (expanded.has(name)) throw new TypeError(`Two columns would have the name "${name}"`);
    expanded.set(name, expr);
  };
  for (const [name, expr] of columns) {
    const parts = partsOf(expr);
    if (parts === undefined) add(name, expr);
    else for (const [part, value] of parts) add(`${name}_${part}`, value);
  }
  return expanded;
}
