/** @module */

import type { Operator } from "../../streams/operator.ts";
import { makeExpr } from "../expr/expr.ts";
import { withColumns } from "../rows/with_columns.ts";
import { cast } from "../string/cast/cast.ts";
import { callNode } from "../syntax/call_node.ts";
import { literalNode } from "../syntax/node.ts";

/** Casts columns of text to the types of these names; a text that has none is an error. */
export function castColumns(casts: Readonly<Record<string, string>>): Operator {
  const exprs = Object.entries(casts).map(([name, type]) =>
    [name, makeExpr(callNode(cast, { node: "column", name }, [literalNode(type)]))] as const
  );
  return withColumns(Object.fromEntries(exprs));
}
