/**
 * Narrows types for columns copied out of parquet-wasm, which have 32-bit offsets and no views.
 *
 * @module
 */

import {
  Binary,
  DataType,
  Dictionary,
  Field,
  FixedSizeList,
  List,
  Schema,
  Struct,
  Utf8,
} from "apache-arrow";
import { mapType } from "../../../data/arrow_data.ts";

/** Returns a schema with narrowed types. */
export function narrowSchema(schema: Schema): Schema {
  return new Schema(schema.fields.map(narrowField), schema.metadata);
}

/**
 * Narrows a type: LargeUtf8 and Utf8View to Utf8, and so on, also in nested types. Other types
 * stay.
 */
export function narrowType(type: DataType): DataType {
  if (DataType.isLargeUtf8(type) || DataType.isUtf8View(type)) return new Utf8();
  if (DataType.isLargeBinary(type) || DataType.isBinaryView(type)) return new Binary();
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    return new List(narrowField(type.children[0]!));
  }
  if (DataType.isFixedSizeList(type)) {
    return new FixedSizeList(type.listSize, narrowField(type.children[0]!));
  }
  if (DataType.isStruct(type)) return new Struct(type.children.map(narrowField));
  if (DataType.isMap(type)) {
    return mapType(narrowField(type.children[0]!), type.keysSorted);
  }
  if (DataType.isDictionary(type)) {
    const { dictionary, indices, id, isOrdered } = type;
    return new Dictionary(narrowType(dictionary), indices, id, isOrdered);
  }
  return type;
}

function narrowField(field: Field): Field {
  return new Field(field.name, narrowType(field.type), field.nullable, field.metadata);
}
