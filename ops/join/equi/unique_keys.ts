/**
 * The check that the keys of a side are unique, for the option `validate` of a join.
 *
 * @module
 */

import type { DataType } from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { KeySet } from "../../../gpu/key/key_set.ts";
import type { KeyType } from "../../../gpu/key/key_layout.ts";
import { showValue } from "../shared/show_value.ts";

/**
 * The number of rows of each side that may have one key. With `1:m` no two rows of the stream share a
 * key, and with `m:1` no two rows of the build side; `1:1` demands both, `m:m` neither.
 */
export type Validation = "1:1" | "1:m" | "m:1" | "m:m";

/** All validations. */
export const validations: readonly Validation[] = ["1:1", "1:m", "m:1", "m:m"];

/** Whether the keys of a side have to be unique. */
export function mustBeUnique(validation: Validation, side: "left" | "right"): boolean {
  return validation === "1:1" || validation === (side === "left" ? "1:m" : "m:1");
}

/** A key column, as errors show it. */
interface ShownKey {
  readonly name: string;
  readonly type: DataType;
}

/** The keys of one side. */
export class UniqueKeys {
  readonly #columns: readonly ShownKey[];
  readonly #side: "left" | "right";
  readonly #keys: KeySet;
  #numRows = 0;

  constructor(
    side: "left" | "right",
    columns: readonly ShownKey[],
    keyType: KeyType,
    nullsEqual: boolean,
  ) {
    this.#side = side;
    this.#columns = columns;
    this.#keys = new KeySet(keyType, nullsEqual);
  }

  /**
   * Adds the keys of a batch, which were made from `columns`. Throws a RangeError that shows the key if
   * an earlier row had it. Null keys may repeat, unless nulls are equal.
   */
  add(key: HostColumn, columns: readonly HostColumn[]): void {
    const row = this.#keys.add(key);
    if (row >= 0) throw new RangeError(this.#message(row, columns));
    this.#numRows += key.length;
  }

  #message(row: number, columns: readonly HostColumn[]): string {
    const shown = this.#columns.map(({ name, type }, index) =>
      `${name} = ${showValue(type, columns[index]!, row)}`
    );
    const side = this.#side === "left" ? "stream" : "build side";
    return `Keys of the ${side} are not unique: ${shown.join(", ")} occurs again in its row ${
      this.#numRows + row
    }`;
  }
}
