/**
 * Numbers the distinct pairs of a group and a value.
 *
 * @module
 */

import type { ColumnType, HostColumn } from "../column/column.ts";
import { encodeKey } from "../key/encode_key.ts";
import { KeyIds } from "../key/key_ids.ts";
import { keyTypeOf } from "../key/key_layout.ts";
import { firstBytes, valueColumn } from "./group_values.ts";

const GROUP: ColumnType = { kind: "int", bits: 32, signed: true };

/** The pairs so far, numbered from 0 on in the order of their first rows. */
export class PairIds {
  readonly #types: readonly ColumnType[];
  readonly #ids: KeyIds;

  /** Values are of a type; they are equal as keys are. */
  constructor(type: ColumnType) {
    this.#types = [GROUP, type];
    this.#ids = new KeyIds(keyTypeOf(this.#types, false));
  }

  /** The number of pairs. */
  get size(): number {
    return this.#ids.size;
  }

  /** The bytes of memory that it occupies. */
  get numBytes(): number {
    return this.#ids.numBytes;
  }

  /** Returns the number of the pair in each row; -1 for a null value. */
  idsOf(groups: Int32Array, values: HostColumn): Int32Array {
    const column = valueColumn(GROUP, firstBytes(groups, groups.length), groups.length);
    return this.#ids.idsOf(encodeKey([column, values], this.#types, false));
  }
}
