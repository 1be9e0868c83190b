/**
 * Parses the metadata of an array of either version.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import type { ArraySpec, ZarrMetadata } from "./array_spec.ts";
import { parseMetadata2 } from "./metadata_v2.ts";
import { parseMetadata3 } from "./metadata_v3.ts";

/** Parses metadata. Throws a FileError that names the array. */
export function specOf(name: string, metadata: ZarrMetadata): ArraySpec {
  try {
    return metadata.format === 2
      ? parseMetadata2(metadata.array, metadata.attributes)
      : parseMetadata3(metadata.array);
  } catch (cause) {
    throw metadataError(name, cause);
  }
}

/** Returns the error for the metadata of an array. */
export function metadataError(name: string, cause: unknown): FileError {
  const problem = (cause as Error).message;
  const isSyntax = cause instanceof SyntaxError;
  const isDeep = isSluiceError(cause, "DeepJsonError");
  const clause = isSyntax ? `its metadata is not JSON: ${problem}` : `its metadata ${problem}`;
  return new FileError(name, isSyntax || isDeep ? clause : problem, { cause });
}
