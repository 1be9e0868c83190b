/**
 * The operator `regroup`, which cuts and joins batches.
 *
 * @module
 */

import {
  checkedAs,
  type EngineOption,
  isOf,
  type NodeKind,
  nodeOf,
  type Operator,
  type OperatorNode,
  operatorOf,
  type Step,
  withNames,
} from "../engine/operator_kit.ts";
import type { Grouping } from "../../streams/sink/regrouper.ts";
import { kindOf, showValue } from "../../base/kind_of.ts";
import { checkFlag, checkNamed } from "../../base/option_kinds.ts";
import { checkNames, columnIndex } from "../rows/column_names.ts";
import { refuseOptions } from "../syntax/refuse_options.ts";
import { regroupBatches, type RegroupSpec } from "./regroup_batches.ts";

/** The new batches: any of `rows`, `bytes` and `by`, or `sizes` alone, or `one` alone. */
export interface RegroupOptions extends EngineOption {
  /**
   * The rows of every batch but the last: an integer of at least 1. With `by`, a batch that has
   * this many rows ends at the next change.
   */
  readonly rows?: number;
  /**
   * The most bytes of a batch, at least 1; only a single row may have more. Every value counts a
   * bit of validity, so that the same rows always produce the same batches. With `by`, a batch that
   * has this many bytes ends at the next change.
   */
  readonly bytes?: number;
  /**
   * One or more columns: batches end only where one of them changes its value, and without `rows`
   * and `bytes` at every change. Rows are not sorted. Values are equal as for DuckDB's `IS NOT
   * DISTINCT FROM`: null equals null, NaN equals any NaN, and -0.0 equals 0.0. A batch of equal
   * rows may have any size.
   */
  readonly by?: string | readonly string[];
  /**
   * The rows of each batch, in order: integers of at least 1. They must add up to all rows of the
   * stream; otherwise reading it fails with a RangeError, after the complete batches.
   */
  readonly sizes?: Iterable<number>;
  /** Whether all rows become one batch. */
  readonly one?: boolean;
}

/**
 * Cuts and joins batches. Each has exactly `rows` rows, or fewer where one more would exceed
 * `bytes`, and the last has the rest; or equal neighbours `by` some columns stay together; or
 * batches have the `sizes` of a list; or there is only `one`. Rows and their order stay. A batch
 * that has the right size already passes without a copy. An empty stream becomes one batch of zero
 * rows.
 *
 * Joining rows takes the bytes of the result and about 64 MiB, not twice the bytes.
 *
 * A size that is not an integer of at least 1 is a RangeError. No option, options that exclude each
 * other, and an unknown column are TypeErrors.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { fromBatches, regroup } from "../../mod.ts";
 *
 * const letters = tableFromArrays({ letter: ["a", "a", "b", "b", "b"] });
 * const sizesBy = async (options: Parameters<typeof regroup>[0]) => {
 *   const batches = await Array.fromAsync(fromBatches(letters).pipeThrough(regroup(options)));
 *   return batches.map(({ numRows }) => numRows);
 * };
 * assertEquals(await sizesBy({ rows: 2 }), [2, 2, 1]);
 * assertEquals(await sizesBy({ by: "letter" }), [2, 3]);
 * assertEquals(await sizesBy({ sizes: [1, 4] }), [1, 4]);
 * assertEquals(await sizesBy({ one: true }), [5]);
 * ```
 */
export function regroup(options: RegroupOptions): Operator {
  // Programs without types may omit the options.
  if (options !== undefined) checkNamed("regroup()", "options", options);
  const { rows, bytes, by, sizes, one } = options ?? {};
  checkFlag("regroup() option one", one);
  refuseOptions("regroup", options ?? {}, ["rows", "bytes", "by", "sizes", "one", "engine"]);
  const ofRows = [rows, bytes, by].find((form) => form !== undefined);
  const numForms = [ofRows, sizes, one || undefined]
    .filter((form) => form !== undefined).length;
  if (numForms === 0) throw new TypeError("regroup() needs rows, bytes, by, sizes or one");
  if (numForms > 1) {
    throw new TypeError("regroup() takes rows, bytes and by, or sizes alone, or one alone");
  }
  if (rows !== undefined && !isSize(rows)) {
    throw new RangeError(
      `The rows of a batch are an integer of at least 1, not ${showValue(rows)}`,
    );
  }
  if (bytes !== undefined && !(typeof bytes === "number" && bytes >= 1)) {
    throw new RangeError(`The bytes of a batch are at least 1, not ${showValue(bytes)}`);
  }
  if (sizes !== undefined) {
    const grouping = { kind: "sizes", sizes: checkedSizes(sizes) } as const;
    return operatorOf(nodeOf(regroupSizesKind, { grouping, by: [] }), options);
  }
  if (by !== undefined) {
    // Without limits, a batch ends at each change.
    const wish = { rows: rows ?? (bytes === undefined ? 1 : Infinity), bytes: bytes ?? Infinity };
    const spec = { grouping: { kind: "runs", ...wish }, by: checkedNames(by) } as const;
    return operatorOf(nodeOf(regroupKind, spec), options);
  }
  return operatorOf(nodeOf(regroupKind, sizeSpec(rows, bytes)), options);
}

function sizeSpec(rows = Infinity, bytes = Infinity): RegroupSpec {
  return { grouping: { kind: "size", rows, bytes }, by: [] };
}

function isSize(size: unknown): boolean {
  return Number.isSafeInteger(size) && size as number >= 1;
}

function checkedSizes(sizes: unknown): readonly number[] {
  const isList = typeof sizes === "object" && sizes !== null && Symbol.iterator in sizes;
  if (!isList) throw new TypeError(`The sizes of batches are a list, not ${kindOf(sizes)}`);
  const list = [...sizes as Iterable<number>];
  const wrong = list.find((size) => !isSize(size));
  if (wrong !== undefined || list.length === 0 || list.includes(undefined as never)) {
    const given = list.length === 0 ? "none" : showValue(wrong);
    throw new RangeError(`The sizes of batches are integers of at least 1, not ${given}`);
  }
  return Object.freeze(list);
}

function checkedNames(by: unknown): readonly string[] {
  const names = typeof by === "string" ? [by] : by;
  checkNames("regroup() option by", names);
  if ((names as string[]).length === 0) {
    throw new TypeError("regroup() needs at least one column in by");
  }
  return Object.freeze([...new Set(names as string[])]);
}

/** The common part of the kinds. */
const common = {
  name: "regroup",
  boundaries: "made",
  summary: ({ grouping, by }) => printGrouping(grouping, by),
  needs: ({ by }, wanted) => withNames(wanted, by),
  check(spec, schema) {
    for (const name of spec.by) columnIndex(schema, name);
    return checkedAs({
      schema,
      run: (input, context) => regroupBatches(schema, spec, input, context),
    });
  },
} as const satisfies Omit<NodeKind<RegroupSpec>, "rows">;

const regroupKind: NodeKind<RegroupSpec> = {
  ...common,
  rows: "same",
  rewrites: { pairs: [{ name: "of two regroups the last wins", rewrite: lastWins }], ahead },
};

/**
 * Nodes with sizes, which must add up to all rows. They would not fit some of the rows, so no slice
 * moves past them.
 */
const regroupSizesKind: NodeKind<RegroupSpec> = {
  ...common,
  rows: "mostly same",
  // With any other number of rows, reading fails.
  numRows: ({ grouping }, numRows) =>
    grouping.kind === "sizes" && numRows === sumOf(grouping.sizes) ? numRows : undefined,
  rewrites: { pairs: [{ name: "of two regroups the last wins", rewrite: lastWins }] },
};

/**
 * Removes a regroup before another. One with sizes stays, since it also checks the number of rows.
 */
function lastWins(first: Step, second: Step<RegroupSpec>): readonly Step[] | undefined {
  return isOf(first.node, regroupKind) ? [second] : undefined;
}

/** The most rows that may be buffered at the source for the sake of boundaries. */
const MAX_ROWS_AHEAD = 131_072;

/**
 * Regroups the narrow rows of the source too. As long as the steps in between keep every row (as
 * does a join in which each row finds one match), the later regroup finds its boundaries in place
 * and copies nothing. It stays in the plan, since only it guarantees them.
 */
function ahead(
  { spec: { grouping } }: OperatorNode<RegroupSpec>,
  before: readonly Step[],
): OperatorNode | undefined {
  if (grouping.kind !== "size" || grouping.rows > MAX_ROWS_AHEAD) return undefined;
  // An operator that promises less than the same rows may see the boundaries of its input.
  const keepsRows = before.every(({ node: { kind } }) =>
    kind.rows === "same" || kind.rows === "mostly same"
  );
  return keepsRows ? nodeOf(regroupKind, sizeSpec(grouping.rows)) : undefined;
}

/** The most sizes that `explain` shows. */
const SHOWN_SIZES = 8;

function printGrouping(grouping: Grouping, by: readonly string[]): string {
  if (grouping.kind === "sizes") {
    const { sizes } = grouping;
    const shown = sizes.slice(0, SHOWN_SIZES).join(", ");
    return sizes.length <= SHOWN_SIZES
      ? `sizes ${shown}`
      : `sizes ${shown}, ... (${sizes.length} batches, ${sumOf(sizes)} rows)`;
  }
  const limits = [
    ...(grouping.rows === Infinity ? [] : [`${grouping.rows} rows`]),
    ...(grouping.bytes === Infinity ? [] : [`${grouping.bytes} bytes`]),
  ];
  if (grouping.kind === "size") return limits.length === 0 ? "one batch" : limits.join(", ");
  const names = `by ${by.join(", ")}`;
  return grouping.rows === 1 ? names : `${names}, at least ${limits.join(" or ")}`;
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
