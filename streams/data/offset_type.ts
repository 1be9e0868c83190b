/**
 * Converts types of text and binary data between 32-bit and 64-bit offsets.
 *
 * @module
 */

import {
  Binary,
  DataType,
  Field,
  FixedSizeList,
  LargeBinary,
  LargeList,
  LargeUtf8,
  List,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import { mapType } from "./arrow_data.ts";

/** The bits of an offset. */
type OffsetBits = 32 | 64;

/** Returns the schema with 32-bit or 64-bit offsets for all text and binary data. */
export function offsetSchema(schema: Schema, bits: OffsetBits): Schema {
  const fields = schema.fields.map((field) => offsetField(field, bits));
  const same = fields.every((field, index) => field === schema.fields[index]);
  return same ? schema : new Schema(fields, schema.metadata);
}

/**
 * Returns the type with 32-bit or 64-bit offsets for its text and binary data, also inside lists,
 * structs and maps. Lists keep the width of their own offsets, which count values, not bytes;
 * dictionaries, unions and views do not change. Returns the same object if nothing changes.
 */
export function offsetType(type: DataType, bits: OffsetBits): DataType {
  if (DataType.isUtf8(type) || DataType.isLargeUtf8(type)) {
    return DataType.isUtf8(type) === (bits === 32)
      ? type
      : bits === 32
      ? new Utf8()
      : new LargeUtf8();
  }
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) {
    if (DataType.isBinary(type) === (bits === 32)) return type;
    return bits === 32 ? new Binary() : new LargeBinary();
  }
  const { children } = type;
  const fields = (children ?? []).map((field) => offsetField(field, bits));
  if (fields.every((field, index) => field === children[index])) return type;
  return nestedType(type, fields);
}

function offsetField(field: Field, bits: OffsetBits): Field {
  const type = offsetType(field.type, bits);
  return type === field.type ? field : new Field(field.name, type, field.nullable, field.metadata);
}

/** Returns the nested type with other children; unions do not change. */
export function nestedType(type: DataType, children: Field[]): DataType {
  const [child] = children as [Field];
  if (DataType.isList(type)) return new List(child);
  if (DataType.isLargeList(type)) return new LargeList(child);
  if (DataType.isFixedSizeList(type)) return new FixedSizeList(type.listSize, child);
  if (DataType.isStruct(type)) return new Struct(children);
  if (DataType.isMap(type)) return mapType(child, type.keysSorted);
  return type;
}
