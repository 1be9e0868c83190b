/**
 * Facts about the programs that write Parquet, by the names and versions that they note.
 *
 * @module
 */

import { type FileMetadata, textOf } from "./metadata.ts";

/** Whether parquet-mr before a version wrote a file; it has no version in the oldest. */
function isOlderParquetMr({ createdBy }: FileMetadata, version: string): boolean {
  const writer = textOf(createdBy);
  const [, own = "0"] = /^parquet-mr version (\S+)/.exec(writer) ?? [];
  return writer.startsWith("parquet-mr") &&
    own.localeCompare(version, "en", { numeric: true }) < 0;
}

/** Whether the length of a column is without the header of its dictionary. */
export function hasShortLengths(metadata: FileMetadata): boolean {
  return isOlderParquetMr(metadata, "1.2.9");
}

/** Whether texts of DELTA_BYTE_ARRAY go on with those of the page before (PARQUET-246). */
export function goesOnWithTexts(metadata: FileMetadata): boolean {
  return isOlderParquetMr(metadata, "1.8.0");
}
