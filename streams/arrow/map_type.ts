/**
 * Maps with the names that their fields have. Arrow wants them to be `entries`, `key` and `value`,
 * but does not insist; apache-arrow calls them so whatever they were called.
 *
 * @module
 */

import { DataType, type Field, Map_, type Schema, type Struct } from "apache-arrow";
import type { FlatTable } from "./flat_table.ts";

/** A map over a field of entries, which keeps its name and those of the keys and values. */
export function mapType(entries: Field, keysSorted: boolean): Map_ {
  const fields = [entries, ...entries.type.children as Field[]];
  const names = fields.map(({ name }) => name);
  const type = new Map_(entries as Field<Struct>, keysSorted);
  for (const [index, field] of fields.entries()) rename(field, names[index]!);
  return type;
}

/** Gives the maps of a schema the names that stand in its description, which was verified. */
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
