/** @module */

import type { Operator } from "../../streams/operator.ts";
import { type EngineOption, operatorOf } from "../engine/engine_option.ts";
import { checkNamed } from "./check_named.ts";
import { checkExpr } from "../expr/check_expr.ts";
import type { Expr } from "../expr/expr.ts";
import { withColumnsNode } from "./with_columns_node.ts";

/**
 * Adds columns that expressions compute, or replaces those of the same name; every expression sees
 * the columns of the input. A new column comes last, a replaced one keeps its place.
 *
 * Mistakes in an expression (an unknown column, a wrong type) are TypeErrors that name the
 * expression, at the first read or when the schema is asked for. An expression whose column is
 * dropped later and that nothing reads until then is checked in this way, but not computed: a strict
 * conversion in it refuses nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { col, fromBatches, toTable, withColumns } from "../../mod.ts";
 *
 * const people = tableFromArrays({ name: ["Ada", "Alan"] });
 * const loud = await toTable(
 *   fromBatches(people).pipeThrough(withColumns({ loud: col("name").upper() })),
 * );
 * assertEquals(loud.toArray().map((row) => row.loud), ["ADA", "ALAN"]);
 * ```
 */
export function withColumns(
  columns: Readonly<Record<string, Expr>>,
  options?: EngineOption,
): Operator {
  checkNamed("withColumns()", "expressions", columns);
  const entries = Object.entries(columns);
  for (const [name, expr] of entries) {
    checkExpr(name, expr);
  }
  return operatorOf(withColumnsNode(new Map(entries)), options);
}
