/**
 * The mark of text that is JSON: the extension type `arrow.json`, which is metadata of a field.
 * https://arrow.apache.org/docs/format/CanonicalExtensions.html#json
 *
 * @module
 */

import { Field } from "apache-arrow";
import { isText, plainType } from "./plain_schema.ts";

const extensionName = "ARROW:extension:name";
const extensionMetadata = "ARROW:extension:metadata";
const jsonName = "arrow.json";

/** The field with the mark that its text is JSON. */
export function withJsonMark({ name, type, nullable, metadata }: Field): Field {
  const marked = new Map([...metadata, [extensionName, jsonName], [extensionMetadata, ""]]);
  return new Field(name, type, nullable, marked);
}

/** Whether the text of a column is marked as JSON. */
export function hasJsonMark({ type, metadata }: Field): boolean {
  return metadata.get(extensionName) === jsonName && isText(plainType(type));
}
