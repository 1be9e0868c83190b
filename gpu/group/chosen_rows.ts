/**
 * The value of one row of each group: of the first or the last one, or of that with the least or the
 * greatest key.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { columnBytes, type ColumnType, type HostColumn, nullColumn } from "../column/column.ts";
import { concatColumns } from "../column/concat.ts";
import { gatherColumn } from "../column/gather.ts";
import { orderKeys, tiesOf } from "../order/order_keys.ts";
import type { GroupedInput, GroupState } from "./group_state.ts";
import { grown } from "./group_values.ts";

/** The row that is chosen. */
type Choice = "first" | "last" | "least" | "greatest";

/** The rows of columns that are kept, in the order in which they were chosen. */
class KeptRows {
  #parts: HostColumn[][] = [];
  /** The place of the first row of each part; the last entry is the number of rows. */
  #starts = [0];

  get numRows(): number {
    return this.#starts.at(-1)!;
  }

  get numParts(): number {
    return this.#parts.length;
  }

  get numBytes(): number {
    return this.#parts.flat().reduce((sum, column) => sum + columnBytes(column), 0);
  }

  /** Appends rows of columns. */
  add(columns: readonly HostColumn[], rows: Int32Array): void {
    this.#parts.push(columns.map((column) => gatherColumn(column, rows)));
    this.#starts.push(this.numRows + rows.length);
  }

  /** Returns the part that has a row, and the row's place in it. */
  find(place: number): { readonly columns: readonly HostColumn[]; readonly row: number } {
    let [low, high] = [0, this.#parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= place) low = middle;
      else high = middle - 1;
    }
    return { columns: this.#parts[low]!, row: place - this.#starts[low]! };
  }

  /** Keeps only some rows, in a new order. */
  compact(places: Int32Array): void {
    const columns = this.columns();
    if (columns !== undefined) {
      this.#parts = [columns.map((column) => gatherColumn(column, places))];
      this.#starts = [0, places.length];
    }
  }

  /** Returns all rows; undefined if there were never any. */
  columns(): HostColumn[] | undefined {
    return this.#parts[0]?.map((_, index) =>
      concatColumns(this.#parts.map((part) => part[index]!))
    );
  }
}

/** The most parts of rows before they are put together. */
const MOST_PARTS = 64;
/** The rows that may be left behind, besides as many as there are groups. */
const SPARE_ROWS = 65_536;
const NONE = -0x8000_0000;

/**
 * Chooses a row of each group. The first input is the value, and the last the key of `least` and
 * `greatest`, in the order of sorts: NaN is the greatest, and of equal keys the first row is chosen. A
 * null is chosen by its place, never by its key.
 */
export class ChosenRowState implements GroupState {
  readonly #type: ColumnType;
  readonly #choice: Choice;
  readonly #kept = new KeptRows();
  /** The place of the chosen row among the kept ones, or ~row in the rows that are being added. */
  #places = new Int32Array(0);
  #keys = new Float64Array(0);
  #numGroups = 0;

  /** The values are of a type. */
  constructor(type: ColumnType, choice: Choice) {
    this.#type = type;
    this.#choice = choice;
  }

  get numBytes(): number {
    return 4 * this.#places.length + 8 * this.#keys.length + this.#kept.numBytes;
  }

  add({ groups, numGroups, inputs }: GroupedInput): void {
    this.#grow(numGroups);
    const byKey = this.#choice === "least" || this.#choice === "greatest";
    const changed = byKey
      ? this.#chooseByKey(groups, inputs.at(-1)!)
      : this.#chooseByPlace(groups, this.#choice === "last");
    if (changed.length === 0) return;
    const places = this.#places;
    const start = this.#kept.numRows;
    this.#kept.add(inputs, Int32Array.from(changed, (group) => ~places[group]!));
    changed.forEach((group, index) => places[group] = start + index);
    const spare = this.#kept.numRows - numGroups;
    if (spare > numGroups + SPARE_ROWS || this.#kept.numParts > MOST_PARTS) this.#compact();
  }

  finish(numGroups: number): HostColumn {
    this.#grow(numGroups);
    const [values] = this.#kept.columns() ?? [];
    const places = this.#places.subarray(0, numGroups).map((place) => place === NONE ? -1 : place);
    return gatherColumn(values ?? nullColumn(this.#type, 0), places);
  }

  #grow(numGroups: number): void {
    this.#places = grown(this.#places, numGroups);
    this.#keys = grown(this.#keys, numGroups);
    if (numGroups > this.#numGroups) this.#places.fill(NONE, this.#numGroups);
    this.#numGroups = Math.max(this.#numGroups, numGroups);
  }

  #chooseByPlace(groups: Int32Array, last: boolean): number[] {
    const places = this.#places;
    const changed: number[] = [];
    for (let row = 0; row < groups.length; row++) {
      const group = groups[row]!;
      const place = places[group]!;
      if (!last && place !== NONE) continue;
      if (place >= 0 || place === NONE) changed.push(group);
      places[group] = ~row;
    }
    return changed;
  }

  #chooseByKey(groups: Int32Array, column: HostColumn): number[] {
    const [places, bestKeys] = [this.#places, this.#keys];
    const validity = column.nullCount === 0 ? null : column.validity;
    const keys = orderKeys(column);
    const sign = this.#choice === "least" ? 1 : -1;
    const here = tiesOf(column, column);
    const changed: number[] = [];
    for (let row = 0; row < groups.length; row++) {
      if (validity !== null && bitAt(validity, row) === 0) continue;
      const [group, key] = [groups[row]!, keys[row]!];
      const place = places[group]!;
      if (place !== NONE) {
        const order = sign * (key - bestKeys[group]!);
        if (order > 0) continue;
        const isTie = order === 0 || key === bestKeys[group]!;
        if (isTie) {
          const ties = place < 0 ? here(row, ~place) : this.#tiesWithKept(column, row, place);
          if (sign * ties >= 0) continue;
        }
      }
      if (place >= 0 || place === NONE) changed.push(group);
      places[group] = ~row;
      bestKeys[group] = key;
    }
    return changed;
  }

  #tiesWithKept(column: HostColumn, row: number, place: number): number {
    const kept = this.#kept.find(place);
    return tiesOf(column, kept.columns.at(-1)!)(row, kept.row);
  }

  #compact(): void {
    const places = this.#places.subarray(0, this.#numGroups);
    this.#kept.compact(places.filter((place) => place !== NONE));
    let next = 0;
    for (let group = 0; group < places.length; group++) {
      if (places[group] !== NONE) places[group] = next++;
    }
  }
}
