/**
 * Known bugs of programs that write Parquet, by the names and versions in their files.
 *
 * @module
 */

import { type FileMetadata, textOf } from "./metadata.ts";

/** Whether parquet-mr older than `version` wrote a file; the oldest files have no version. */
function isOlderParquetMr({ createdBy }: FileMetadata, version: string): boolean {
  const writer = textOf(createdBy);
  const [, own = "0"] = /^parquet-mr version (\S+)/.exec(writer) ?? [];
  return writer.startsWith("parquet-mr") &&
    own.localeCompare(version, "en", { numeric: true }) < 0;
}

/** Whether the lengths of columns do not include the header of the dictionary. */
export function hasShortLengths(metadata: FileMetadata): boolean {
  return isOlderParquetMr(metadata, "1.2.9");
}

/**
 * Whether the first text of a DELTA_BYTE_ARRAY page may share a prefix with the last one of the
 * page before (PARQUET-246).
 */
export function goesOnWithTexts(metadata: FileMetadata): boolean {
  return isOlderParquetMr(metadata, "1.8.0");
}
