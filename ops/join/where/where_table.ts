/**
 * The build side of a join by a condition, sorted for searches.
 *
 * @module
 */

import { andBitmaps, bitAt } from "../../../gpu/column/bitmap.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { encodeKey } from "../../../gpu/key/encode_key.ts";
import { KeyIds } from "../../../gpu/key/key_ids.ts";
import { keyTypeOf } from "../../../gpu/key/key_layout.ts";
import { BoundIndex, type ProbeBounds } from "./bound_index.ts";
import { RankedValues } from "../../../gpu/order/ranked_values.ts";
import type { Bound, SideProgram, ValueBounds, WherePlan } from "./where_plan.ts";

/** The results of the program of a side, by their use. */
interface SideValues {
  readonly mask: HostColumn | null;
  readonly keys: readonly HostColumn[];
  readonly values: readonly HostColumn[];
}

/** Finds the rows of the build side within the bounds and equalities of rows of the stream. */
export class WhereTable {
  /** Finds the rows within the bounds of `boundsOf`. */
  readonly index: BoundIndex;
  readonly #plan: WherePlan;
  readonly #keyIds: KeyIds | null;
  readonly #ranked: readonly RankedValues[];

  /** Sorts the rows by the results of the plan's program for the build side. */
  constructor(plan: WherePlan, results: readonly HostColumn[], numRows: number) {
    this.#plan = plan;
    const { mask, keys, values } = divide(plan, plan.right, results);
    const rows = rowsOf(canMatch(mask, [...keys, ...values], numRows), numRows);
    const keyIds = this.#keyIds = keys.length === 0
      ? null
      : new KeyIds(keyTypeOf(plan.keys, false));
    const groups = keyIds && keyIds.idsOf(encodeKey(keys, plan.keys, false));
    this.#ranked = values.map((value) => new RankedValues(value, rows));
    this.index = new BoundIndex({
      numRows,
      rows,
      groups: groups && { numbers: groups, count: keyIds!.size },
      values: this.#ranked.map(({ ranks, count }, value) => {
        const { bounds } = plan.values[value]!;
        const hasLower = bounds.some(({ isLower }) => isLower);
        return { ranks, count, hasLower, hasUpper: bounds.some(({ isLower }) => !isLower) };
      }),
    });
  }

  /** Returns the bounds of the rows of a batch, given the results of the plan's program for the stream. */
  boundsOf(results: readonly HostColumn[], numRows: number): ProbeBounds {
    const { mask, keys, values } = divide(this.#plan, this.#plan.left, results);
    const possible = canMatch(mask, values, numRows);
    const groups = this.#keyIds?.knownIdsOf(encodeKey(keys, this.#plan.keys, false)) ??
      (possible && new Int32Array(numRows));
    if (groups !== null && possible !== null) {
      for (let row = 0; row < numRows; row++) groups[row]! |= bitAt(possible, row) - 1;
    }
    const ranges = this.#plan.values.map((value, index) =>
      rangeOf(value, this.#ranked[index]!, values)
    );
    return { numRows, groups, ranges };
  }
}

function divide(
  { keys: { length } }: WherePlan,
  { hasMask }: SideProgram,
  results: readonly HostColumn[],
): SideValues {
  const first = hasMask ? 1 : 0;
  return {
    mask: hasMask ? results[0]! : null,
    keys: results.slice(first, first + length),
    values: results.slice(first + length),
  };
}

/** Returns a bit for each row: whether the mask is true and no value is null; null if all bits are 1. */
function canMatch(
  mask: HostColumn | null,
  values: readonly HostColumn[],
  numRows: number,
): Uint8Array | null {
  const columns = mask === null ? values : [mask, ...values];
  return columns.reduce<Uint8Array | null>(
    (bits, { nullCount, validity }) => andBitmaps(bits, nullCount === 0 ? null : validity, numRows),
    mask === null ? null : mask.data,
  );
}

function rowsOf(bits: Uint8Array | null, numRows: number): Int32Array {
  const rows = new Int32Array(numRows);
  let count = 0;
  for (let row = 0; row < numRows; row++) {
    rows[count] = row;
    if (bits === null || bitAt(bits, row) === 1) count++;
  }
  return rows.slice(0, count);
}

/** Returns the range of ranks of a value of the build side within all bounds of each row. */
function rangeOf(
  { bounds }: ValueBounds,
  ranked: RankedValues,
  values: readonly HostColumn[],
): ProbeBounds["ranges"][number] {
  const countsOf = (side: readonly Bound[]) =>
    side.map(({ output, orEqual }) => ranked.countBelow(values[output]!, orEqual));
  return {
    lower: narrowest(countsOf(bounds.filter(({ isLower }) => isLower)), Math.max),
    upper: narrowest(countsOf(bounds.filter(({ isLower }) => !isLower)), Math.min),
  };
}

/** Returns the narrowest bound of each row; null without bounds. */
function narrowest(
  bounds: readonly Int32Array[],
  pick: (one: number, other: number) => number,
): Int32Array | null {
  const [first, ...rest] = bounds;
  if (first === undefined) return null;
  return rest.reduce((all, next) => all.map((count, row) => pick(count, next[row]!)), first);
}
