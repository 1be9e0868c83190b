/**
 * The operator `top`.
 *
 * @module
 */

import { checkFlag, checkNamed } from "../../base/option_kinds.ts";
import { showValue } from "../../base/kind_of.ts";
import {
  type EngineOption,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  withNames,
} from "../engine/operator_kit.ts";
import { columnsOf } from "../expr/rewrite.ts";
import { checkNames, columnIndex } from "../rows/column_names.ts";
import { directedKeys, printKeys, type SortKey } from "./order.ts";
import { runTop } from "./run_top.ts";
import { checkOrdered, type SortSpec } from "./sort.ts";

/** Options of `top`. */
export interface TopOptions extends EngineOption {
  /** Columns of which each combination of values has `count` rows of its own. Default: none. */
  readonly by?: string | readonly string[];
  /** Whether the least rows are kept, not the greatest. Default: false. */
  readonly least?: boolean;
}

interface Spec extends SortSpec {
  readonly count: number;
  readonly by: readonly string[];
}

/**
 * Keeps the `count` rows with the greatest keys, greatest first: those of all rows, or of each group of the
 * columns `by`, the first group first. Of rows with equal keys the first come out. Nulls come after all
 * values. Rows that can come out are in memory.
 *
 * A count that is not an integer of at least 0 is a RangeError; an unknown column, and values without an
 * order, are TypeErrors.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, toTable, top } from "../../mod.ts";
 *
 * const sales = tableFromArrays({ city: ["Oslo", "Rome", "Oslo"], amount: [1, 2, 3] });
 * const best = await toTable(fromBatches(sales).pipeThrough(top(1, "amount", { by: "city" })));
 * assertEquals(best.toArray().map((row) => row.amount), [3, 2]);
 * ```
 */
export function top(
  count: number,
  keys: SortKey | readonly SortKey[],
  options: TopOptions = {},
): Operator {
  checkNamed("top()", "options", options);
  const { by = [], least = false } = options;
  checkFlag("top() option least", least);
  const names = typeof by === "string" ? [by] : by;
  checkNames("top() option by", names);
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`top() keeps a whole number of rows from 0 on, not ${showValue(count)}`);
  }
  const given = directedKeys("top()", keys);
  // The greatest come first, so that a key that counts down comes out counting up.
  const turned = given.map(({ key, descending }) => ({ key, descending: descending === least }));
  return operatorOf(
    nodeOf(topKind, { count, keys: turned, nullsFirst: false, by: Object.freeze([...names]) }),
    options,
  );
}

const topKind: NodeKind<Spec> = {
  name: "top",
  rows: "any",
  boundaries: "ignored",
  summary: ({ count, keys, by }) =>
    `${count}, ${printKeys(keys)}${by.length === 0 ? "" : `, by ${by.join(", ")}`}`,
  needs: ({ keys, by }, wanted) =>
    withNames(wanted, [...by, ...keys.flatMap(({ key }) => [...columnsOf(key)])]),
  numRows: ({ count, by }, numRows) => by.length === 0 ? Math.min(count, numRows) : undefined,
  check({ count, by, ...spec }, input, context) {
    const places = by.map((name) => columnIndex(input, name));
    return checkOrdered("top()", spec, input, context, {
      line: "top: on the host, in memory",
      run: (rows, stage, order, schema) =>
        runTop(rows, stage, { ...order, count, by: places }, schema),
    });
  },
};
