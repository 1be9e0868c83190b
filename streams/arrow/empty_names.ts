/**
 * Fields whose name is the empty text, which apache-arrow writes as fields without a name: other
 * readers refuse a column that has none.
 *
 * @module
 */

import { DataType, Field, Schema } from "apache-arrow";
import { withChildren } from "./dictionary_ids.ts";

/** What apache-arrow writes as the empty name, for it leaves out what is false as a condition. */
const emptyName = new Uint8Array(0) as unknown as string;

/** The schema as it is to be encoded, so that every field has a name. */
export function withEmptyNames(schema: Schema): Schema {
  const fields = namedFields(schema.fields);
  return isSame(fields, schema.fields) ? schema : new Schema(fields, schema.metadata);
}

/** The schema as it was decoded, with the empty name where a field had none. Changes it. */
export function nameAll(schema: Schema): Schema {
  nameFields(schema.fields);
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

function nameFields(fields: readonly (Field | undefined)[]): void {
  for (const field of fields) {
    if (field === undefined) continue;
    (field as { name: string }).name ??= "";
    const { type } = field;
    nameFields((DataType.isDictionary(type) ? type.dictionary : type).children ?? []);
  }
}
