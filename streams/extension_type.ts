/**
 * Extension types: a name in the metadata of a field says what its values mean beyond their type.
 * https://arrow.apache.org/docs/format/CanonicalExtensions.html
 *
 * @module
 */

import { Field } from "apache-arrow";

const nameKey = "ARROW:extension:name";
const parametersKey = "ARROW:extension:metadata";

/** The names of Arrow that are known here. */
export type ExtensionName = "arrow.json" | "arrow.uuid";

/** Whether a field has the extension of a name. */
export function hasExtension({ metadata }: Field, name: ExtensionName): boolean {
  return metadata.get(nameKey) === name;
}

/** The field with an extension, which takes the place of another. */
export function withExtension({ name, type, nullable, metadata }: Field, as: ExtensionName): Field {
  return new Field(
    name,
    type,
    nullable,
    new Map([...metadata, [nameKey, as], [parametersKey, ""]]),
  );
}

/** The field without its extension. */
export function withoutExtension({ name, type, nullable, metadata }: Field): Field {
  const kept = [...metadata].filter(([key]) => key !== nameKey && key !== parametersKey);
  return new Field(name, type, nullable, new Map(kept));
}
