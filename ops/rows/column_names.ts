/**
 * Checks arguments that are names of columns, and finds columns in a schema.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { kindOf } from "../../base/kind_of.ts";
import { unknownColumn } from "../../base/nearest_name.ts";

/**
 * Throws a TypeError unless `names` is an array of strings: programs without types may pass
 * anything.
 */
export function checkNames(caller: string, names: unknown): void {
  const wrong = Array.isArray(names) ? names.find((name) => typeof name !== "string") : names;
  const isWrong = !Array.isArray(names) || names.some((name) => typeof name !== "string");
  if (isWrong) throw new TypeError(`${caller} takes names of columns, not ${kindOf(wrong)}`);
}

/**
 * Returns the position of a column. A name that the schema lacks is a TypeError that suggests the
 * nearest one.
 */
export function columnIndex(schema: Schema, name: string): number {
  const names = schema.fields.map((field) => field.name);
  const index = names.indexOf(name);
  if (index < 0) throw new TypeError(unknownColumn(name, names));
  return index;
}
