/**
 * Creates an array like another one, with other chunks.
 *
 * @module
 */

import { toFileError } from "../errors.ts";
import type { ZarrMetadata } from "./array_spec.ts";
import { writeWhole } from "./chunk_file.ts";
import { chunkWriter, type StoredZarrWriter } from "./chunk_writer.ts";
import { changedMetadata2 } from "./metadata_v2.ts";
import { changedMetadata3, exactCodecs } from "./metadata_v3.ts";
import { storedArray } from "./stored_array.ts";

/** What an array gets of its own. */
export interface NewArray {
  /** Items of a chunk along each axis. */
  readonly chunk: readonly number[];
  /** Items along each axis of the array. Default: those of the other. */
  readonly shape?: readonly number[] | undefined;
  /** Whether its chunks are the items as they are, without codecs: for intermediate stores. */
  readonly isPlain?: boolean | undefined;
}

/**
 * Creates an array in a folder, which may be there: format version, data type, codecs with their
 * parameters, fill value, attributes, names of axes and the form of the chunks' names are those of
 * `like`. The metadata of an array that is there is replaced, and chunks that it has stay. Throws a
 * FileError.
 */
export async function createZarrArray(
  path: string,
  like: ZarrMetadata,
  changes: NewArray,
): Promise<StoredZarrWriter> {
  const name = path.replace(/(?<=.)\/+$/, "");
  const { info } = await storedArray(name, like);
  const metadata = changedMetadata(like, changes.shape ?? info.grid.shape, changes);
  const array = await storedArray(name, metadata);
  writeMetadata(name, metadata);
  return chunkWriter(array);
}

function changedMetadata(
  like: ZarrMetadata,
  shape: readonly number[],
  { chunk, isPlain = false }: NewArray,
): ZarrMetadata {
  if (like.format === 2) {
    return { ...like, array: changedMetadata2(like.array, { shape, chunk, isPlain }) };
  }
  const codecs = isPlain
    ? [{ name: "bytes", configuration: { endian: "little" } }]
    : exactCodecs(like.array);
  return { ...like, array: changedMetadata3(like.array, { shape, chunk, codecs }) };
}

/** Writes the files of an array's metadata, attributes first: an array without them is none. */
function writeMetadata(name: string, { format, array, attributes }: ZarrMetadata): void {
  try {
    const encoder = new TextEncoder();
    if (attributes !== undefined) writeWhole(`${name}/.zattrs`, encoder.encode(attributes));
    writeWhole(`${name}/${format === 2 ? ".zarray" : "zarr.json"}`, encoder.encode(array));
  } catch (cause) {
    throw toFileError(name, cause);
  }
}
