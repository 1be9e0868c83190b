/**
 * Notes what a leaf holds in the footer of a written file, where parquet-wasm has no word for it.
 *
 * @module
 */

import type { Field, Schema } from "apache-arrow";
import { hasJsonMark, isUuid } from "../extension_type.ts";
import { isMonthDayNano } from "./twelve_byte_values.ts";
import { convertedType, fileMetadata, isLeaf, leavesOf, type SchemaElement } from "./metadata.ts";
import { readThrift, struct, type ValueOf, writeThrift } from "./thrift.ts";

/** What is noted of a leaf. */
type Note = Pick<SchemaElement, "convertedType" | "logicalType">;

/** The metadata up to the schema, the only part that is changed. */
const { version, schema: elements } = fileMetadata.fields;
const front = struct({ version, schema: elements });

/**
 * The metadata of a file whose columns have this schema, its UUIDs, JSON and intervals noted as such. All
 * but the schema stays byte for byte.
 */
export function annotated(metadata: Uint8Array, schema: Schema): Uint8Array {
  const notes = schema.fields.flatMap(notesOf);
  if (notes.every((note) => note === undefined)) return metadata;
  const { value } = readThrift(metadata, front);
  const before = frontBytes(value);
  if (before.some((byte, at) => byte !== metadata[at])) {
    throw new Error("the metadata of parquet-wasm are not in their usual order");
  }
  for (const [index, { element }] of leavesOf(value).entries()) {
    Object.assign(element, notes[index]);
  }
  const after = frontBytes(value);
  const bytes = new Uint8Array(after.length + metadata.length - before.length);
  bytes.set(after);
  bytes.set(metadata.subarray(before.length), after.length);
  return bytes;
}

/** The fields of the struct, without the byte that ends it. */
function frontBytes(value: ValueOf<typeof front>): Uint8Array {
  return writeThrift(value, front).slice(0, -1);
}

function notesOf(field: Field): (Note | undefined)[] {
  const { type } = field;
  if (!isLeaf(type)) return type.children.flatMap(notesOf);
  if (isUuid(field)) return [{ logicalType: { uuid: {} } }];
  if (hasJsonMark(field)) {
    return [{ convertedType: convertedType.json, logicalType: { json: {} } }];
  }
  if (isMonthDayNano(type)) return [{ convertedType: convertedType.interval }];
  return [undefined];
}
