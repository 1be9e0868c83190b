/**
 * The operator `sort`.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { checkChoice, checkNamed } from "../../base/option_kinds.ts";
import {
  type Batch,
  type CheckContext,
  type Checked,
  type EngineOption,
  type NodeKind,
  nodeOf,
  type Operator,
  operatorOf,
  pickStage,
  type Stage,
  type StageContext,
  withNames,
} from "../engine/operator_kit.ts";
import { columnsOf } from "../expr/rewrite.ts";
import { computeKeys } from "../rows/keys.ts";
import { bindOrder, type DirectedKey, directedKeys, printKeys, type SortKey } from "./order.ts";
import type { RowOrder } from "./row_order.ts";
import { runSort } from "./run_sort.ts";

/** Options of `sort`. */
export interface SortOptions extends EngineOption {
  /** The place of nulls, whatever the direction. Default: "last". */
  readonly nulls?: "first" | "last";
}

/** The keys of a sort, and the place of nulls. */
export interface SortSpec {
  readonly keys: readonly DirectedKey[];
  readonly nullsFirst: boolean;
}

/**
 * Sorts the rows by a key, or by several: rows that are equal in the first one by the second, and so on.
 * Rows with equal keys keep their order. Numbers count up, text is in the order of its bytes, false comes
 * before true, NaN is greater than any number, -0 equals 0, and nulls come last. A dash in front of a name,
 * or `desc`, turns the order of values around, but not the place of nulls.
 *
 * Rows that exceed the memory of the engine are sorted in parts, which go to temporary files and are merged.
 *
 * An unknown column, and values without an order such as lists, are TypeErrors.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, sort, toTable } from "../../mod.ts";
 *
 * const people = tableFromArrays({ name: ["Bo", "Cy", "Ada"], age: [41, 7, 41] });
 * const sorted = await toTable(fromBatches(people).pipeThrough(sort(["-age", "name"])));
 * assertEquals(sorted.toArray().map((row) => row.name), ["Ada", "Bo", "Cy"]);
 * ```
 */
export function sort(keys: SortKey | readonly SortKey[], options: SortOptions = {}): Operator {
  checkNamed("sort()", "options", options);
  const { nulls = "last" } = options;
  checkChoice("The option nulls of sort()", nulls, ["first", "last"]);
  const spec = { keys: directedKeys("sort()", keys), nullsFirst: nulls === "first" };
  return operatorOf(sortNode(spec), options);
}

/** Creates a node that sorts. */
export function sortNode(spec: SortSpec) {
  return nodeOf(sortKind, spec);
}

const sortKind: NodeKind<SortSpec> = {
  name: "sort",
  rows: "any",
  boundaries: "ignored",
  summary: ({ keys, nullsFirst }) => printKeys(keys) + (nullsFirst ? ", nulls first" : ""),
  needs: ({ keys }, wanted) => withNames(wanted, keys.flatMap(({ key }) => [...columnsOf(key)])),
  numRows: (_, numRows) => numRows,
  check: (spec, input, context) => checkOrdered("sort()", spec, input, context, ordered),
};

const ordered: OrderedRun = {
  line: "sort: on the host; what exceeds the memory goes to temporary files",
  run: runSort,
};

/** The run of an operator over rows that have the keys of an order among their columns. */
export interface OrderedRun {
  /** The line of `explain`. */
  readonly line: string;
  run(
    rows: AsyncIterable<Batch>,
    context: StageContext,
    order: RowOrder,
    schema: Schema,
  ): AsyncGenerator<Batch, void, void>;
}

/** Checks a node that needs the order of rows: computes its keys first, and drops them afterwards. */
export async function checkOrdered(
  caller: string,
  { keys, nullsFirst }: SortSpec,
  input: Schema,
  context: CheckContext,
  { line, run }: OrderedRun,
): Promise<Checked> {
  const { places, schema, computed } = bindOrder(caller, keys, input);
  const before = await computeKeys({ computed }, input, context);
  const order = {
    places,
    orders: keys.map(({ descending }) => ({ descending, nullsFirst })),
  };
  const pick = pickStage(input, input.fields.map((_, index) => index));
  const compile = (keysOf?: Stage): Stage => ({
    schema: input,
    explain: () => [line, ...keysOf?.explain?.() ?? []],
    ...(keysOf?.compiled === undefined ? {} : { compiled: keysOf.compiled }),
    run(batches, stage) {
      if (keysOf === undefined) return run(batches, stage, order, schema);
      return pick.run(run(keysOf.run(batches, stage), stage, order, schema), stage);
    },
  });
  return { schema: input, compile: () => compile(before?.compile()) };
}
