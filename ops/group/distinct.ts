/**
 * The operator `distinct`.
 *
 * @module
 */

import { Field, Float64, Schema } from "apache-arrow";
import { checkChoice, checkNamed } from "../../base/option_kinds.ts";
import {
  Batch,
  BatchColumn,
  checkedAs,
  type EngineOption,
  type NodeKind,
  nodeOf,
  type Operator,
  type OperatorNode,
  operatorOf,
  withNames,
} from "../engine/operator_kit.ts";
import { count, first, last } from "../expr/aggregates.ts";
import { col, type Expr, printExpr } from "../expr/expr.ts";
import { columnsOf } from "../expr/rewrite.ts";
import { checkChain } from "../rows/chain.ts";
import { filterKind } from "../rows/filter.ts";
import { selectKind } from "../rows/select.ts";
import { sortNode } from "../sort/sort.ts";
import { countFrom, numberColumn } from "../spill/row_numbers.ts";
import { type GroupKeys, groupNode, groupSpec } from "./group.ts";

/** The row of each key that stays: the first, the last, or none if there are several. */
export type Keep = "first" | "last" | "none";

/** Options of `distinct`. */
export interface DistinctOptions extends EngineOption {
  /** Which row of each key stays; with `none`, only rows whose key no other row has. Default: "first". */
  readonly keep?: Keep;
}

/** The keys by which rows are compared; without any, by all columns. */
interface DistinctSpec {
  readonly keys: readonly Expr[];
  readonly keep: Keep;
}

/**
 * Keeps one row of each key, by default the first. Without keys, rows are compared as a whole. Rows stay in
 * their order. Keys are equal as those of `group` are. Keys and rows that exceed the memory of the engine
 * go to temporary files.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { distinct, fromBatches, toTable } from "../../mod.ts";
 *
 * const visits = tableFromArrays({ user: ["a", "b", "a"], page: [1, 2, 3] });
 * const latest = await toTable(
 *   fromBatches(visits).pipeThrough(distinct("user", { keep: "last" })),
 * );
 * assertEquals(latest.toArray().map((row) => row.page), [2, 3]);
 * ```
 */
export function distinct(keys: GroupKeys = [], options: DistinctOptions = {}): Operator {
  checkNamed("distinct()", "options", options);
  const { keep = "first" } = options;
  checkChoice("The option keep of distinct()", keep, ["first", "last", "none"]);
  const spec = { keys: [...groupSpec("distinct()", keys, {}).keys.values()], keep };
  return operatorOf(nodeOf(distinctKind, spec), options);
}

const distinctKind: NodeKind<DistinctSpec> = {
  name: "distinct",
  rows: "fewer",
  boundaries: "ignored",
  summary: ({ keys, keep }) =>
    [keys.map(printExpr).join(", "), keep === "first" ? "" : `keep ${keep}`].filter(Boolean)
      .join(", "),
  needs: ({ keys }, wanted) =>
    keys.length === 0 ? undefined : withNames(wanted, keys.flatMap((key) => [...columnsOf(key)])),
  check: (spec, input, context) => checkChain(nodesOf(spec, input), input, context),
};

/** Returns the nodes that keep the rows: groups with the values of one row, in the order of these rows. */
function nodesOf({ keys, keep }: DistinctSpec, input: Schema): readonly OperatorNode[] {
  const names = input.fields.map(({ name }) => name);
  const hidden = (name: string): string => names.includes(name) ? hidden(`${name} `) : name;
  const by = keys.length === 0 ? names.map((name) => col(name)) : keys;
  const valueOf = keep === "last" ? last : first;
  const [number, total] = [hidden("row"), hidden("count")];
  const values = names.map((name) => [name, valueOf(name)] as const);
  const extra = keep === "none" ? [[total, count()] as const] : [];
  const numbered = keep === "last" ? [[number, last(number)] as const] : [];
  const group = groupNode({
    keys: new Map(by.map((key, index) => [hidden(`key ${index}`), key])),
    columns: new Map([...values, ...extra, ...numbered]),
  });
  const select = nodeOf(selectKind, names) as OperatorNode;
  switch (keep) {
    case "first":
      return [group as OperatorNode, select];
    case "none":
      return [
        group as OperatorNode,
        nodeOf(filterKind, col(total).eq(1)) as OperatorNode,
        select,
      ];
    case "last":
      return [
        nodeOf(numberKind, number) as OperatorNode,
        group as OperatorNode,
        sortNode({
          keys: [{ key: col(number), descending: false }],
          nullsFirst: false,
        }) as OperatorNode,
        select,
      ];
  }
}

/** Nodes that add the number of each row as a column. */
const numberKind: NodeKind<string> = {
  name: "number",
  rows: "same",
  boundaries: "ignored",
  summary: (name) => name,
  needs: (name, wanted) =>
    wanted === undefined ? undefined : new Set([...wanted].filter((other) => other !== name)),
  check(name, input) {
    const field = new Field(name, new Float64(), false);
    const schema = new Schema([...input.fields, field], input.metadata);
    return checkedAs({
      schema,
      async *run(batches) {
        let firstRow = 0;
        for await (const batch of batches) {
          const { columns, numRows } = batch;
          const numbers = numberColumn(countFrom(firstRow, numRows));
          const own = columns.map((column) => column.share());
          batch.release();
          yield new Batch(schema, numRows, [...own, BatchColumn.fromColumn(field.type, numbers)]);
          firstRow += numRows;
        }
      },
    });
  },
};
