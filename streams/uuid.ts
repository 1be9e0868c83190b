/**
 * UUIDs: 16 bytes in the order of their text, under the name that Arrow has for them
 * (https://arrow.apache.org/docs/format/CanonicalExtensions.html#uuid).
 *
 * @module
 */

import { type Data, DataType, type Field } from "apache-arrow";
import { hasExtension, withExtension, withoutExtension } from "./extension_type.ts";

const numBytes = 16;
const name = "arrow.uuid";

/** Whether the values of a column are UUIDs. */
export function isUuid(field: Field): boolean {
  const { type } = field;
  return DataType.isFixedSizeBinary(type) && type.byteWidth === numBytes &&
    hasExtension(field, name);
}

/** The field with a note that its values are UUIDs. */
export function asUuid(field: Field): Field {
  return withExtension(field, name);
}

/** The field without that note; the same object where it has none. */
export function withoutUuid(field: Field): Field {
  return isUuid(field) ? withoutExtension(field) : field;
}

/**
 * Gives the text of a row of a column of UUIDs, 32 digits in five groups; undefined where the field
 * says that the column holds something else.
 */
export function uuidTextOf(
  { values }: Data,
  field: Field | undefined,
): ((row: number) => string) | undefined {
  if (field === undefined || !isUuid(field)) return undefined;
  const bytes = values as Uint8Array;
  return (row) => {
    const hex = bytes.subarray(row * numBytes, (row + 1) * numBytes).toHex();
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
    return [...parts, hex.slice(20)].join("-");
  };
}
