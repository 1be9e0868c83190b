/**
 * Whether the keys of a join are unique on a side, as its option `validate` may want.
 *
 * @module
 */

import type { Data } from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { KeySet } from "../../../gpu/key/key_set.ts";
import type { KeyType } from "../../../gpu/key/key_layout.ts";
import { valueAt } from "../../../gpu/column/value_at.ts";
import { textOf } from "../../../streams/text/column_text.ts";
import { isText } from "../../batch/arrow_types.ts";
import type { BatchColumn } from "../../batch/batch_column.ts";
import { printLiteral } from "../../syntax/print.ts";

/**
 * How many rows of each side may have one key: `1:m` wants that no two rows of the stream share a key,
 * `m:1` that no two rows of the build side do, `1:1` both, and `m:m` nothing.
 */
export type Validation = "1:1" | "1:m" | "m:1" | "m:m";

const validations: readonly Validation[] = ["1:1", "1:m", "m:1", "m:m"];

/** Throws a TypeError for anything else. */
export function checkValidation(value: unknown): asserts value is Validation {
  if (validations.some((known) => known === value)) return;
  const known = validations.map((name) => `"${name}"`).join(", ");
  throw new TypeError(`The option validate of a join is one of ${known}, not ${String(value)}`);
}

/** Whether the keys of a side have to be unique. */
export function mustBeUnique(validation: Validation, side: "left" | "right"): boolean {
  return validation === "1:1" || validation === (side === "left" ? "1:m" : "m:1");
}

/** The keys of one side, whose names are for errors. */
export class UniqueKeys {
  readonly #names: readonly string[];
  readonly #side: "left" | "right";
  readonly #keys: KeySet;
  #numRows = 0;

  constructor(
    side: "left" | "right",
    names: readonly string[],
    keyType: KeyType,
    nullsEqual: boolean,
  ) {
    this.#side = side;
    this.#names = names;
    this.#keys = new KeySet(keyType, nullsEqual);
  }

  /**
   * Adds the keys of a batch; `columns` are those that they are made of. A key that an earlier row
   * had is a RangeError, which shows it. Null keys are as often as they like, unless nulls are equal.
   */
  add(key: HostColumn, columns: readonly BatchColumn[]): void {
    const row = this.#keys.add(key);
    if (row >= 0) throw new RangeError(this.#message(row, columns));
    this.#numRows += key.length;
  }

  #message(row: number, columns: readonly BatchColumn[]): string {
    const shown = columns.map((column, index) => `${this.#names[index]} = ${showKey(column, row)}`);
    const side = this.#side === "left" ? "stream" : "build side";
    return `Keys of the ${side} are not unique: ${shown.join(", ")} again in its row ${
      this.#numRows + row
    }`;
  }
}

/** The value of a row as text; of nested types only that there is one. */
function showKey(column: BatchColumn, row: number): string {
  const host = column.column as HostColumn;
  if (isText(column.type)) return printLiteral(valueAt(host, row));
  const data: Data = column.slice(row, row + 1).toArrow();
  if (data.nullCount > 0) return "null";
  return textOf(data)?.(0) ?? "a value";
}
