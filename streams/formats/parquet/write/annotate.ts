/**
 * Adds the logical types that parquet-wasm cannot write to the footer of a file.
 *
 * @module
 */

import { InternalError } from "../../../../base/errors/internal_error.ts";
import type { Field, Schema } from "apache-arrow";
import { hasJsonMark, isUuid } from "../../../data/extension_type.ts";
import { isMonthDayNano } from "../metadata/twelve_byte_values.ts";
import {
  convertedType,
  fileMetadata,
  isLeaf,
  leavesOf,
  type SchemaElement,
} from "../metadata/metadata.ts";
import { readThrift, struct, type ValueOf, writeThrift } from "../metadata/thrift.ts";

type Note = Pick<SchemaElement, "convertedType" | "logicalType">;

/** The metadata up to the schema, the only part that changes. */
const { version, schema: elements } = fileMetadata.fields;
const front = struct({ version, schema: elements });

/**
 * Marks UUIDs, JSON and intervals in the metadata of a file with this schema. The metadata after
 * the schema stays the same, byte for byte.
 */
export function annotated(metadata: Uint8Array, schema: Schema): Uint8Array {
  const notes = schema.fields.flatMap(notesOf);
  if (notes.every((note) => note === undefined)) return metadata;
  const { value } = readThrift(metadata, front);
  const before = frontBytes(value);
  if (before.some((byte, at) => byte !== metadata[at])) {
    throw new InternalError("the metadata of parquet-wasm are not in their usual order");
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

/** Encodes the fields, without the stop byte of the struct. */
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
