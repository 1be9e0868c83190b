/**
 * The operator `values`.
 *
 * @module
 */

import {
  type EngineOption,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
} from "../engine/operator_kit.ts";
import { count } from "../expr/aggregates.ts";
import { col } from "../expr/expr.ts";
import { columnsOf } from "../expr/rewrite.ts";
import { checkChain } from "../rows/chain.ts";
import { sortNode } from "../sort/sort.ts";
import { type GroupKeys, groupNode, groupSpec } from "./group.ts";
import type { GroupSpec } from "./plan_groups.ts";

/** The name of the column of counts. */
const COUNT = "count";

/**
 * Counts the rows of each value, or of each combination of values. Each has one row, with its number of
 * rows as the column `count`. The most frequent value comes first, and of values with the same count the
 * one that came first. Null is a value.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, toTable, values } from "../../mod.ts";
 *
 * const sales = tableFromArrays({ city: ["Oslo", "Rome", "Rome"] });
 * const counted = await toTable(fromBatches(sales).pipeThrough(values("city")));
 * assertEquals(counted.toArray().map(({ city, count }) => [city, count]), [
 *   ["Rome", 2n],
 *   ["Oslo", 1n],
 * ]);
 * ```
 */
export function values(keys: GroupKeys, options: EngineOption = {}): Operator {
  const spec = groupSpec("values()", keys, { [COUNT]: count() });
  if (spec.keys.size === 0) throw new TypeError("values() needs at least one key");
  return operatorOf(nodeOf(valuesKind, spec), options);
}

const valuesKind: NodeKind<GroupSpec> = {
  name: "values",
  rows: "any",
  boundaries: "ignored",
  summary: ({ keys }) => [...keys.keys()].join(", "),
  needs: ({ keys }) => new Set([...keys.values()].flatMap((expr) => [...columnsOf(expr)])),
  check(spec, input, context) {
    const order = [{ key: col(COUNT), descending: true }];
    return checkChain(
      [groupNode(spec), sortNode({ keys: order, nullsFirst: false })],
      input,
      context,
    );
  },
};
