/**
 * Names the types of columns, including extension types.
 *
 * @module
 */

import type { Field } from "apache-arrow";
import { hasJsonMark, isUuid } from "./extension_type.ts";
import { typeName } from "../types/type_name.ts";

/** Returns the name of a column's type: that of `typeName`, or `uuid`, or `utf8 (json)`. */
export function fieldTypeName(field: Field): string {
  if (isUuid(field)) return "uuid";
  return typeName(field.type, "exact", fieldTypeName) + (hasJsonMark(field) ? " (json)" : "");
}
