/** @module */

import type { Field } from "apache-arrow";
import { hasJsonMark, isUuid } from "./extension_type.ts";
import { typeName } from "../types/type_name.ts";

/** The type of a column by name: that of `typeName`, or `uuid`, or `utf8 (json)`. */
export function fieldTypeName(field: Field): string {
  if (isUuid(field)) return "uuid";
  return typeName(field.type, "exact", fieldTypeName) + (hasJsonMark(field) ? " (json)" : "");
}
