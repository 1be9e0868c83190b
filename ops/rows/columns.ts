/**
 * Columns of a schema by name.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { unknownColumn } from "../expr/nearest_name.ts";

/** Position of a column. A name that the schema lacks is a TypeError with the nearest one. */
export function columnIndex(schema: Schema, name: string): number {
  const names = schema.fields.map((field) => field.name);
  const index = names.indexOf(name);
  if (index < 0) throw new TypeError(unknownColumn(name, names));
  return index;
}
