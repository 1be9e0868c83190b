/** @module */

import type { Operator } from "../../streams/operator.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { checkExpr } from "../expr/check_expr.ts";
import type { Expr } from "../expr/expr.ts";
import { filterNode } from "./filter_node.ts";

/**
 * Keeps the rows where an expression is true; not those where it is false or null. The order
 * stays. An expression that is not boolean is a TypeError.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { expr, filter, fromBatches, toTable } from "../../mod.ts";
 *
 * const people = tableFromArrays({ name: ["Ada", "Alan", "Grace"] });
 * const kept = await toTable(
 *   fromBatches(people).pipeThrough(filter(expr('name.startsWith("A")'))),
 * );
 * assertEquals(kept.toArray().map((row) => row.name), ["Ada", "Alan"]);
 * ```
 */
export function filter(predicate: Expr, options?: EngineOption): Operator {
  checkExpr("The condition of filter()", predicate);
  return operatorOf(filterNode(predicate), options);
}
