/**
 * Works around what apache-arrow gets wrong in schemas: shared dictionary ids, empty names, map
 * fields.
 *
 * It omits empty names, which other readers reject, and always names the fields of maps `entries`,
 * `key` and `value`, which Arrow recommends but does not require.
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
  Map_,
  Schema,
  Struct,
  Union,
} from "apache-arrow";
import type { FlatTable } from "./flat_table.ts";

/**
 * Numbers the dictionaries of a schema by position, from 0. The ids in types are unusable: columns
 * from two files, or created from one type object, may share one. Returns a schema without
 * dictionaries unchanged.
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

/** Returns a copy of a nested type with other children. */
export function withChildren(type: DataType, children: Field[]): DataType {
  const [child] = children as [Field];
  if (DataType.isList(type)) return new List(child);
  if (DataType.isLargeList(type)) return new LargeList(child);
  if (DataType.isFixedSizeList(type)) return new FixedSizeList(type.listSize, child);
  if (DataType.isMap(type)) return mapType(child, type.keysSorted);
  if (DataType.isUnion(type)) return new Union(type.mode, type.typeIds, children);
  return new Struct(children);
}

/** A name that apache-arrow writes as the empty name; it omits falsy ones. */
const emptyName = new Uint8Array(0) as unknown as string;

/** Returns a schema whose empty names are not omitted when it is encoded. */
export function withEmptyNames(schema: Schema): Schema {
  const fields = namedFields(schema.fields);
  return isSame(fields, schema.fields) ? schema : new Schema(fields, schema.metadata);
}

/** Sets missing names of a decoded schema to "", in place. */
export function nameAll(schema: Schema): Schema {
  fillNames(schema.fields);
  return schema;
}

function namedFields(fields: readonly Field[]): Field[] {
  return fields.map((field) => {
    const children = namedFields(field.type.children ?? []);
    const isPlain = isSame(children, field.type.children ?? []);
    if (field.name !== "" && isPlain) return field;
    const type = isPlain ? field.type : withChildren(field.type, children);
    return new Field(field.name || emptyName, type, field.nullable, field.metadata);
  });
}

function isSame(left: readonly Field[], right: readonly Field[]): boolean {
  return left.every((field, index) => field === right[index]);
}

function fillNames(fields: readonly (Field | undefined)[]): void {
  for (const field of fields) {
    if (field === undefined) continue;
    (field as { name: string }).name ??= "";
    const { type } = field;
    fillNames((DataType.isDictionary(type) ? type.dictionary : type).children ?? []);
  }
}

/** Returns a map type that keeps the names of its entries, keys and values. */
export function mapType(entries: Field, keysSorted: boolean): Map_ {
  const fields = [entries, ...entries.type.children as Field[]];
  const names = fields.map(({ name }) => name);
  const type = new Map_(entries as Field<Struct>, keysSorted);
  for (const [index, field] of fields.entries()) rename(field, names[index]!);
  return type;
}

/** Restores the names of map fields from the schema's flatbuffer, which must be verified. */
export function nameMaps(schema: Schema, description: FlatTable): void {
  nameFields(schema.fields, description, 1);
}

function nameFields(fields: readonly (Field | undefined)[], table: FlatTable, list: number): void {
  let index = 0;
  for (const description of table.tables(list)) {
    const field = fields[index++];
    if (field !== undefined) nameField(field, description);
  }
}

function nameField(field: Field, description: FlatTable): void {
  const type: DataType = field.type;
  const own: DataType = DataType.isDictionary(type) ? type.dictionary : type;
  const children = own.children ?? [];
  nameFields(children, description, 5);
  if (!DataType.isMap(own)) return;
  const [entries] = description.tables(5);
  if (entries === undefined) return;
  rename(children[0], entries.string(0));
  let index = 0;
  for (const part of entries.tables(5)) {
    rename(own.children[0]?.type.children[index++], part.string(0));
  }
}

function rename(field: Field | undefined, name: string | undefined): void {
  if (field !== undefined) (field as { name: string }).name = name ?? "";
}
