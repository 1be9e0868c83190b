/**
 * Ids of dictionaries.
 *
 * @module
 */

import {
  DataType,
  Dictionary,
  Field,
  FixedSizeList,
  LargeList,
  List,
  Schema,
  Struct,
  Union,
} from "apache-arrow";
import { mapType } from "./map_type.ts";

/**
 * The schema with the dictionaries of its columns numbered from 0, one for each place. The ids that
 * types carry say nothing here: columns that come from two files may have the same one, and so have
 * columns that were made from one type object. Schemas without dictionaries come back as they are.
 */
export function numberDictionaries(schema: Schema): Schema {
  let next = 0;
  const fields = numberFields(schema.fields, () => next++);
  return next === 0 ? schema : new Schema(fields, schema.metadata);
}

function numberFields(fields: readonly Field[], nextId: () => number): Field[] {
  return fields.map((field) => {
    const type = numberType(field.type, nextId);
    return type === field.type
      ? field
      : new Field(field.name, type, field.nullable, field.metadata);
  });
}

function numberType(type: DataType, nextId: () => number): DataType {
  if (DataType.isDictionary(type)) {
    const values = numberType(type.dictionary, nextId);
    return new Dictionary(values, type.indices, nextId(), type.isOrdered);
  }
  const children = type.children ?? [];
  const numbered = numberFields(children, nextId);
  return numbered.every((child, i) => child === children[i]) ? type : withChildren(type, numbered);
}

/** The nested type with other children. */
export function withChildren(type: DataType, children: Field[]): DataType {
  const [child] = children as [Field];
  if (DataType.isList(type)) return new List(child);
  if (DataType.isLargeList(type)) return new LargeList(child);
  if (DataType.isFixedSizeList(type)) return new FixedSizeList(type.listSize, child);
  if (DataType.isMap(type)) return mapType(child, type.keysSorted);
  if (DataType.isUnion(type)) return new Union(type.mode, type.typeIds, children);
  return new Struct(children);
}
