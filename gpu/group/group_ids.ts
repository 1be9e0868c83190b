/**
 * Numbers the groups of rows by their keys.
 *
 * @module
 */

import { bitAt } from "../column/bitmap.ts";
import { columnBytes, type ColumnType, type HostColumn } from "../column/column.ts";
import { gatherColumn } from "../column/gather.ts";
import { GrowingColumn } from "../column/growing_column.ts";
import { encodeKey } from "../key/encode_key.ts";
import { KeyIds } from "../key/key_ids.ts";
import { keyTypeOf } from "../key/key_layout.ts";

/**
 * The groups so far, numbered from 0 on in the order of their first rows. Keys are equal as join keys are
 * with equal nulls: null is a group, -0.0 equals 0.0, and all NaN are one group. A group shows the key of
 * its first row.
 */
export class GroupIds {
  readonly #types: readonly ColumnType[];
  readonly #ids: KeyIds;
  readonly #keys: readonly GrowingColumn[];
  #keyBytes = 0;
  /** The group of a single key that is null; -1 before the first one. */
  #nullGroup = -1;

  /** Keys have one column or more, of these types. */
  constructor(types: readonly ColumnType[]) {
    this.#types = types;
    this.#ids = new KeyIds(keyTypeOf(types, true));
    this.#keys = types.map((type) => new GrowingColumn(type));
  }

  /** The number of groups. */
  get size(): number {
    return this.#ids.size + (this.#nullGroup < 0 ? 0 : 1);
  }

  /** The bytes of memory that it occupies. */
  get numBytes(): number {
    return this.#ids.numBytes + this.#keyBytes;
  }

  /** Returns the key of each row, by which rows are divided. */
  keyOf(columns: readonly HostColumn[]): HostColumn {
    return encodeKey(columns, this.#types, true);
  }

  /** Returns the group of each row, and the first rows of the new groups. */
  groupsOf(columns: readonly HostColumn[]): { groups: Int32Array; first: Int32Array } {
    let { size } = this;
    const key = this.keyOf(columns);
    const groups = this.#ids.idsOf(key);
    this.#findNullGroup(key, groups, size);
    this.#placeNullGroup(key, groups);
    const found: number[] = [];
    for (let row = 0; row < groups.length; row++) {
      if (groups[row] !== size) continue;
      found.push(row);
      size++;
    }
    const first = Int32Array.from(found);
    this.#addKeys(columns, first);
    return { groups, first };
  }

  /** Returns the group of each row; -1 for a key that no row had before. */
  knownGroupsOf(columns: readonly HostColumn[]): Int32Array {
    const key = this.keyOf(columns);
    const groups = this.#ids.knownIdsOf(key);
    this.#placeNullGroup(key, groups);
    return groups;
  }

  /** Returns the keys of all groups. Nothing may be added afterwards. */
  finish(): HostColumn[] {
    return this.#keys.map((column) => column.finish());
  }

  /** Finds the place of the first null key among the new keys of rows. */
  #findNullGroup({ nullCount, validity }: HostColumn, ids: Int32Array, size: number): void {
    if (this.#nullGroup >= 0 || nullCount === 0 || validity === null) return;
    let next = size;
    for (let row = 0; bitAt(validity, row) === 1; row++) if (ids[row] === next) next++;
    this.#nullGroup = next;
  }

  /** Makes groups of the numbers of keys, among which null has none. */
  #placeNullGroup({ nullCount, validity }: HostColumn, groups: Int32Array): void {
    const nullGroup = this.#nullGroup;
    if (nullGroup < 0) return;
    for (let row = 0; row < groups.length; row++) if (groups[row]! >= nullGroup) groups[row]!++;
    if (nullCount === 0 || validity === null) return;
    for (let row = 0; row < groups.length; row++) {
      if (bitAt(validity, row) === 0) groups[row] = nullGroup;
    }
  }

  #addKeys(columns: readonly HostColumn[], rows: Int32Array): void {
    if (rows.length === 0) return;
    columns.forEach((column, index) => {
      const keys = gatherColumn(column, rows);
      this.#keys[index]!.append(keys);
      this.#keyBytes += columnBytes(keys);
    });
  }
}
