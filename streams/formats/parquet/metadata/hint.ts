/**
 * The hint: the Arrow schema that writers add to the metadata of a Parquet file, which can be read
 * without it.
 *
 * @module
 */

import { Binary, DataType, Dictionary, Field, Message, Schema, Utf8 } from "apache-arrow";
import { decodeSchema, withKnownTypes } from "../../../data/arrow_data.ts";
import { nestedType } from "../../../data/offset_type.ts";
import { textOf } from "./metadata.ts";

/** The key of the hint in the metadata. */
export const hintKey = "ARROW:schema";

/** A decoded hint. */
interface Hint {
  readonly schema: Schema;
  /** Whether the schema is just as stored, with no type replaced. */
  readonly isAsWritten: boolean;
}

/**
 * Decodes the hint; undefined if that fails. List views become lists, as which they are stored; any
 * other type that apache-arrow does not know becomes null, which says nothing about its column.
 */
export function decodeHint(value: Uint8Array | undefined): Hint | undefined {
  try {
    const bytes = Uint8Array.fromBase64(textOf(value));
    const isMarked = bytes.subarray(0, 4).every((byte) => byte === 0xff);
    const { message, isAsWritten } = withKnownTypes(isMarked ? bytes.subarray(8) : bytes);
    return { schema: decodeSchema(framed(message)), isAsWritten };
  } catch {
    return undefined;
  }
}

/** Encodes a schema as a hint: a message of the Arrow stream format in base64. */
export function encodeHint(schema: Schema): Uint8Array {
  const bytes = framed(Message.encode(Message.from(schema)));
  return new TextEncoder().encode(bytes.toBase64());
}

/** Adds the continuation marker and the length, which older writers omit. */
function framed(message: Uint8Array): Uint8Array {
  const length = Math.ceil(message.length / 8) * 8;
  const bytes = new Uint8Array(8 + length);
  new DataView(bytes.buffer).setUint32(0, 0xffffffff, true);
  new DataView(bytes.buffer).setUint32(4, length, true);
  bytes.set(message, 8);
  return bytes;
}

/**
 * Replaces dictionaries of views, which Polars writes for categories, with dictionaries of plain
 * text, and dictionaries of anything but text and bytes with their value types: parquet-wasm traps
 * at the former and at some of the latter. Returns the same object if nothing changes.
 */
export function plainHint(hint: Hint): Hint {
  const { schema } = hint;
  const fields = schema.fields.map(plainField);
  const isPlain = fields.every((field, index) => field === schema.fields[index]);
  return isPlain ? hint : { schema: new Schema(fields, schema.metadata), isAsWritten: false };
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
    return isTextOrBytes(dictionary) ? type : plainType(dictionary);
  }
  const children = type.children ?? [];
  const fields = children.map(plainField);
  return fields.every((field, i) => field === children[i]) ? type : nestedType(type, fields);
}

function isTextOrBytes(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isBinary(type) ||
    DataType.isLargeBinary(type);
}
