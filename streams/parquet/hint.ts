/**
 * The schema of Arrow that writers note in a Parquet file beside its own: a hint, since what the
 * file holds is told without it.
 *
 * @module
 */

import { Binary, DataType, Dictionary, Field, Message, Schema, Utf8 } from "apache-arrow";
import { decodeSchema } from "../arrow.ts";
import { nestedType } from "../offsets/offset_type.ts";
import { textOf } from "./metadata.ts";

/** The key under which it stands. */
export const hintKey = "ARROW:schema";

/** The hint; undefined where it cannot be read, for a type that apache-arrow does not know. */
export function decodeHint(value: Uint8Array | undefined): Schema | undefined {
  try {
    const bytes = Uint8Array.fromBase64(textOf(value));
    const isMarked = bytes.subarray(0, 4).every((byte) => byte === 0xff);
    return decodeSchema(isMarked ? bytes : framed(bytes));
  } catch {
    return undefined;
  }
}

/** A schema as it is noted: a message of the stream format in base64. */
export function encodeHint(schema: Schema): Uint8Array {
  const bytes = framed(Message.encode(Message.from(schema)));
  return new TextEncoder().encode(bytes.toBase64());
}

/** A message behind its mark and length, without which older writers note it. */
function framed(message: Uint8Array): Uint8Array {
  const length = Math.ceil(message.length / 8) * 8;
  const bytes = new Uint8Array(8 + length);
  new DataView(bytes.buffer).setUint32(0, 0xffffffff, true);
  new DataView(bytes.buffer).setUint32(4, length, true);
  bytes.set(message, 8);
  return bytes;
}

/**
 * The schema with plain text for the views of dictionaries, at which parquet-wasm traps: Polars
 * writes categories so. The same object where there is nothing to change.
 */
export function plainHint(schema: Schema): Schema {
  const fields = schema.fields.map(plainField);
  const isPlain = fields.every((field, index) => field === schema.fields[index]);
  return isPlain ? schema : new Schema(fields, schema.metadata);
}

function plainField(field: Field): Field {
  const type = plainType(field.type);
  return type === field.type ? field : new Field(field.name, type, field.nullable, field.metadata);
}

function plainType(type: DataType): DataType {
  if (DataType.isDictionary(type)) {
    const { dictionary, indices, id, isOrdered } = type;
    if (DataType.isUtf8View(dictionary)) return new Dictionary(new Utf8(), indices, id, isOrdered);
    if (DataType.isBinaryView(dictionary)) {
      return new Dictionary(new Binary(), indices, id, isOrdered);
    }
    return type;
  }
  const children = type.children ?? [];
  const fields = children.map(plainField);
  return fields.every((field, i) => field === children[i]) ? type : nestedType(type, fields);
}
