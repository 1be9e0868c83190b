/**
 * Groups in memory: their keys, the states of their aggregates, and the number of their first rows.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { GroupOverflowError } from "../../base/errors/value_error.ts";
import { DataType } from "apache-arrow";
import { decimalText } from "../../base/number_text.ts";
import { gatherColumn } from "../../gpu/column/gather.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";
import { valueAt } from "../../gpu/column/value_at.ts";
import { GroupIds } from "../../gpu/group/group_ids.ts";
import type { GroupState } from "../../gpu/group/group_state.ts";
import { grown } from "../../gpu/group/group_values.ts";
import { columnTypeOf, typeName } from "../batch/arrow_types.ts";
import type { HostRows } from "../spill/host_rows.ts";
import type { NumberedRows } from "../spill/merge_runs.ts";
import { printLiteral } from "../syntax/print.ts";
import type { GroupPlan } from "./plan_groups.ts";

/** Returns the places of the columns that groups read, among those of a row. */
export function placesRead({ keys, aggregates }: GroupPlan): readonly number[] {
  return [...new Set([...keys, ...aggregates.flatMap(({ inputs }) => inputs)])];
}

/** Groups that grow row by row. */
export class Groups {
  readonly #plan: GroupPlan;
  readonly #places: readonly number[];
  /** The groups by their keys; null without keys. */
  readonly #ids: GroupIds | null;
  readonly #states: readonly GroupState[];
  /** The number of the first row of each group. */
  #first = new Float64Array(0);

  constructor(plan: GroupPlan) {
    const { keys, aggregates, rows } = plan;
    this.#plan = plan;
    this.#places = placesRead(plan);
    const types = keys.map((place) => columnTypeOf(rows.schema.fields[place]!.type));
    this.#ids = keys.length === 0 ? null : new GroupIds(types);
    this.#states = aggregates.map((aggregate) => aggregate.newState());
  }

  /** The approximate bytes of memory that they occupy. */
  get numBytes(): number {
    const sizes = this.#states.map(({ numBytes }) => numBytes);
    return sizes.reduce((sum, numBytes) => sum + numBytes, this.#ids?.numBytes ?? 0) +
      this.#first.byteLength;
  }

  /** Adds rows, of which there are the columns that groups read. */
  add(rows: HostRows, numbers: Float64Array): void {
    const { columns, numRows } = rows;
    if (this.#ids === null) return this.#addTo(new Int32Array(numRows), rows);
    const before = this.#ids.size;
    const { groups, first } = this.#ids.groupsOf(this.#keysOf(columns));
    this.#first = grown(this.#first, this.#ids.size);
    first.forEach((row, index) => this.#first[before + index] = numbers[row]!);
    this.#addTo(groups, rows);
  }

  /** Adds the rows of groups that exist; returns the others, which are all rows or some. */
  addKnown(rows: HostRows): Int32Array {
    const groups = this.#ids!.knownGroupsOf(this.#keysOf(rows.columns));
    const all = Int32Array.from(groups.keys());
    const known = all.filter((row) => groups[row]! >= 0);
    if (known.length > 0) {
      const columns = rows.columns.map((column) => gatherColumn(column, known));
      this.#addTo(known.map((row) => groups[row]!), { columns, numRows: known.length });
    }
    return all.filter((row) => groups[row]! < 0);
  }

  /** Returns the key of each row. */
  keyOf({ columns }: HostRows): HostColumn {
    return this.#ids!.keyOf(this.#keysOf(columns));
  }

  /** Yields the groups, of at most `mostRows` rows at a time. Nothing may be added afterwards. */
  *results(mostRows: number): Generator<NumberedRows, void, void> {
    const numGroups = this.#ids?.size ?? 1;
    const keys = this.#ids?.finish() ?? [];
    const values = this.#states.map((state, index) => {
      try {
        return state.finish(numGroups);
      } catch (error) {
        throw isSluiceError(error, "GroupOverflowError")
          ? this.#overflow(error, index, keys)
          : error;
      }
    });
    const first = grown(this.#first, numGroups);
    for (let start = 0; start < numGroups; start += mostRows) {
      const stop = Math.min(start + mostRows, numGroups);
      yield {
        columns: [...keys, ...values].map((column) => sliceColumn(column, start, stop)),
        numbers: first.subarray(start, stop),
        numRows: stop - start,
      };
    }
  }

  #keysOf(columns: readonly HostColumn[]): HostColumn[] {
    return this.#plan.keys.map((place) => columns[this.#places.indexOf(place)]!);
  }

  #addTo(groups: Int32Array, { columns }: HostRows): void {
    const numGroups = this.#ids?.size ?? 1;
    for (const [index, state] of this.#states.entries()) {
      const { inputs } = this.#plan.aggregates[index]!;
      const at = inputs.map((place) => columns[this.#places.indexOf(place)]!);
      state.add({ groups, numGroups, inputs: at });
    }
  }

  /** Returns the error for a sum that does not fit. */
  #overflow(
    { group, sum }: GroupOverflowError,
    index: number,
    keys: readonly HostColumn[],
  ): RangeError {
    const { groups: { fields } } = this.#plan;
    const { name, type } = fields[keys.length + index]!;
    const where = keys.map((column, key) => `${fields[key]!.name} ${shown(column, group)}`);
    const of = where.length === 0 ? "" : ` of ${where.join(", ")}`;
    return new RangeError(
      `${name}${of} is ${decimalText(sum, DataType.isDecimal(type) ? type.scale : 0)}, ` +
        `which does not fit ${typeName(type)}; orNull() makes it null`,
    );
  }
}

function shown(column: HostColumn, row: number): string {
  const { kind } = column.type;
  // Nested values have no short form.
  if (kind === "list" || kind === "struct" || kind === "fixed") return `of group ${row}`;
  const value = valueAt(column, row);
  return typeof value === "bigint" ? String(value) : printLiteral(value);
}
