/**
 * Renames columns in the metadata of a file so that their names are distinct.
 *
 * @module
 */

import { distinctNames, distinctSchema, type Duplicates } from "../../../types/distinct_names.ts";
import { decodeHint, encodeHint, hintKey } from "./hint.ts";
import { type FileMetadata, leavesOf, type SchemaElement, textOf } from "./metadata.ts";
import { whenRead } from "./thrift.ts";

/**
 * Makes the names of columns distinct, since parquet-wasm and Sluice find columns by name. Throws a
 * TypeError if two names are the same, unless `duplicates` says to number them.
 */
export function nameColumns(metadata: FileMetadata, duplicates: Duplicates | undefined): void {
  const columns = topElements(metadata);
  const names = columns.map(({ name }) => textOf(name));
  const distinct = distinctNames(names, duplicates);
  if (distinct === names) return;
  const encoder = new TextEncoder();
  for (const [place, element] of columns.entries()) element.name = encoder.encode(distinct[place]!);
  renameHint(metadata);
  const paths = leavesOf(metadata).map(({ column }) => encoder.encode(column));
  for (const group of metadata.rowGroups ?? []) {
    whenRead(group, "columns", (decode) => {
      const chunks = decode();
      for (const [leaf, { metadata }] of chunks?.entries() ?? []) {
        if (metadata?.path?.[0] !== undefined) metadata.path[0] = paths[leaf]!;
      }
      return chunks;
    });
  }
}

/** Returns the schema elements of the top-level columns. */
function topElements({ schema = [] }: FileMetadata): SchemaElement[] {
  const columns: SchemaElement[] = [];
  for (let next = 1, left = schema[0]?.numChildren ?? 0; left > 0; left--) {
    const column = schema[next];
    // `leavesOf` reports what a broken schema lacks.
    if (column === undefined) break;
    columns.push(column);
    for (let below = 1; below > 0; below--) below += schema[next++]?.numChildren ?? 0;
  }
  return columns;
}

/** Renames the columns of the Arrow schema too: the hint is dropped where names differ. */
function renameHint({ keyValues }: FileMetadata): void {
  const entry = keyValues?.find(({ key }) => textOf(key) === hintKey);
  const hint = decodeHint(entry?.value)?.schema;
  if (hint !== undefined) entry!.value = encodeHint(distinctSchema(hint, "number"));
}
