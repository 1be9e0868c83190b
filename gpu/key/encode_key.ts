/**
 * Encodes the columns of a key as the one column that is compared; `key_layout.ts` describes its
 * layout.
 *
 * @module
 */

import { andBitmaps, countSetBits } from "../column/bitmap.ts";
import type { HostColumn } from "../column/column.ts";
import { hasNullBits, intBits, isOwnKey, type KeyPart, shapeOf } from "./key_layout.ts";
import { KeyRows, validityOf } from "./key_rows.ts";

/**
 * Returns the key of each row: a column of the type that `keyTypeOf` returns for these parts, or of
 * a narrower integer type. Two rows have equal values exactly if their keys are equal: -0 and +0
 * are one key, and so are all NaNs. Columns may be narrower than their parts.
 *
 * A row is null if any of the columns is null. With `nullsEqual`, keys of several parts have no
 * null rows: nulls are values that equal each other, as nulls within lists and structs always do.
 * The key shares the memory of the columns where possible. There must be at least one column, and
 * all must have the same length.
 */
export function encodeKey(
  columns: readonly HostColumn[],
  parts: readonly KeyPart[],
  nullsEqual: boolean,
): HostColumn {
  const [first] = columns;
  if (first === undefined || columns.length !== parts.length) {
    throw new TypeError(`A key of ${parts.length} parts cannot have ${columns.length} columns`);
  }
  if (isOwnKey(parts, first.type)) return first;
  const { length } = first;
  const nullBits = hasNullBits(parts, nullsEqual);
  const rows = new KeyRows(length);
  columns.forEach((column, index) => rows.add(column, parts[index]!, null, nullBits));
  const shape = shapeOf(parts, nullBits);
  const bits = intBits(shape);
  const frame = { place: "host", length, children: [] } as const;
  const nulls = nullBits ? NO_NULLS : nullsOfAny(columns, length);
  if (bits !== 0) {
    const type = { kind: "int", bits, signed: true } as const;
    return { ...frame, ...nulls, type, data: rows.even(shape, bits / 8), offsets: null };
  }
  return { ...frame, ...nulls, type: { kind: "string" }, ...rows.text(shape, false) };
}

const NO_NULLS = { nullCount: 0, validity: null } as const;

function nullsOfAny(
  columns: readonly HostColumn[],
  length: number,
): Pick<HostColumn, "nullCount" | "validity"> {
  const validity = columns.map(validityOf).reduce((all, one) => andBitmaps(all, one, length), null);
  const nullCount = validity === null ? 0 : length - countSetBits(validity, 0, length);
  return nullCount === 0 ? NO_NULLS : { nullCount, validity };
}
