/**
 * The types of columns inside a plan, one for each logical type: all text is Utf8 regardless of its
 * layout, and a dictionary-encoded column has the type of its values.
 *
 * @module
 */

import { Binary, DataType, Field, FixedSizeList, List, Schema, Struct, Utf8 } from "apache-arrow";
import { mapType } from "./arrow_data.ts";

/** One object for each type, since caches are keyed by type objects. */
const utf8 = new Utf8();
const binary = new Binary();

/** Returns the type of a column inside a plan. */
export function plainType(type: DataType): DataType {
  if (DataType.isUtf8(type) || DataType.isBinary(type)) return type;
  if (isText(type)) return utf8;
  if (isBinary(type)) return binary;
  if (DataType.isDictionary(type)) return plainType(type.dictionary);
  if (DataType.isList(type) || DataType.isLargeList(type)) {
    return new List(plainField(type.children[0]!));
  }
  if (DataType.isFixedSizeList(type)) {
    return new FixedSizeList(type.listSize, plainField(type.children[0]!));
  }
  if (DataType.isMap(type)) {
    return mapType(plainField(type.children[0]!), type.keysSorted);
  }
  if (DataType.isStruct(type)) return new Struct(type.children.map(plainField));
  return type;
}

/** Returns a field with its plain type; name, nullability and metadata stay. */
function plainField(field: Field): Field {
  return new Field(field.name, plainType(field.type), field.nullable, field.metadata);
}

/** Returns a schema of plain fields without dictionaries; metadata stays. */
export function plainSchema(schema: Schema): Schema {
  return new Schema(schema.fields.map(plainField), schema.metadata);
}

/** Whether a type is UTF-8 text, in any layout. */
export function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

/** Whether a type is bytes of variable length, in any layout. */
export function isBinary(type: DataType): boolean {
  return DataType.isBinary(type) || DataType.isLargeBinary(type) || DataType.isBinaryView(type);
}
