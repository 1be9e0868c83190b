/**
 * The mark of text that is JSON, an extension type of Arrow.
 * https://arrow.apache.org/docs/format/CanonicalExtensions.html#json
 *
 * @module
 */

import type { Field } from "apache-arrow";
import { hasExtension, withExtension, withoutExtension } from "./extension_type.ts";
import { isText, plainType } from "./plain_schema.ts";

/** The field with the mark that its text is JSON. */
export function withJsonMark(field: Field): Field {
  return withExtension(field, "arrow.json");
}

/** The field without that mark; the same object where it has none. */
export function withoutJsonMark(field: Field): Field {
  return hasJsonMark(field) ? withoutExtension(field) : field;
}

/** Whether the text of a column is marked as JSON. */
export function hasJsonMark(field: Field): boolean {
  return hasExtension(field, "arrow.json") && isText(plainType(field.type));
}
