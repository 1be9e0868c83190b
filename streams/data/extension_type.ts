/**
 * Arrow extension types for JSON and UUIDs, marked by a name in the metadata of a field:
 * https://arrow.apache.org/docs/format/CanonicalExtensions.html. UUIDs are 16 bytes in the order of
 * their text.
 *
 * @module
 */

import { type Data, DataType, Field } from "apache-arrow";
import { isText, plainType } from "./plain_schema.ts";

const nameKey = "ARROW:extension:name";
const parametersKey = "ARROW:extension:metadata";

type ExtensionName = "arrow.json" | "arrow.uuid";

function hasExtension({ metadata }: Field, name: ExtensionName): boolean {
  return metadata.get(nameKey) === name;
}

/** Returns the field with an extension, in place of any other. */
function withExtension({ name, type, nullable, metadata }: Field, as: ExtensionName): Field {
  return new Field(
    name,
    type,
    nullable,
    new Map([...metadata, [nameKey, as], [parametersKey, ""]]),
  );
}

function withoutExtension({ name, type, nullable, metadata }: Field): Field {
  const kept = [...metadata].filter(([key]) => key !== nameKey && key !== parametersKey);
  return new Field(name, type, nullable, new Map(kept));
}

/** Marks the text of a field as JSON. */
export function withJsonMark(field: Field): Field {
  return withExtension(field, "arrow.json");
}

/** Returns the field without the mark; the same object if it has none. */
export function withoutJsonMark(field: Field): Field {
  return hasJsonMark(field) ? withoutExtension(field) : field;
}

/** Whether the text of a column is marked as JSON. */
export function hasJsonMark(field: Field): boolean {
  return hasExtension(field, "arrow.json") && isText(plainType(field.type));
}

const uuidBytes = 16;

/** Whether the values of a column are UUIDs. */
export function isUuid(field: Field): boolean {
  const { type } = field;
  return DataType.isFixedSizeBinary(type) && type.byteWidth === uuidBytes &&
    hasExtension(field, "arrow.uuid");
}

/** Marks the values of a field as UUIDs. */
export function asUuid(field: Field): Field {
  return withExtension(field, "arrow.uuid");
}

/** Returns the field without the mark; the same object if it has none. */
export function withoutUuid(field: Field): Field {
  return isUuid(field) ? withoutExtension(field) : field;
}

/**
 * Returns a function that formats the UUID of a row, as 32 digits in five groups. Undefined if the
 * field is not marked as UUIDs.
 */
export function uuidTextOf(
  { values }: Data,
  field: Field | undefined,
): ((row: number) => string) | undefined {
  if (field === undefined || !isUuid(field)) return undefined;
  const bytes = values as Uint8Array;
  return (row) => {
    const hex = bytes.subarray(row * uuidBytes, (row + 1) * uuidBytes).toHex();
    const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
    return [...parts, hex.slice(20)].join("-");
  };
}
