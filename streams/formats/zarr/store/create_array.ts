/**
 * Creates an array like another one, with other chunks.
 *
 * @module
 */

import type { Grid } from "../grid/grid.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import type { ZarrMetadata } from "../metadata/array_spec.ts";
import { writeWhole } from "../files/chunk_file.ts";
import { changedMetadata2 } from "../metadata/metadata_v2.ts";
import { changedMetadata3, exactCodecs } from "../metadata/metadata_v3.ts";
import { shardsFor, withChunks, withShards } from "../metadata/new_shards.ts";
import { openWriter, type StoredWriter, type WriterOptions } from "./open_array.ts";
import { storedArray } from "./stored_array.ts";

/** The facts in which a new array differs from the other. */
export interface NewArray {
  /** Items of a chunk along each axis: of one in a shard, where there are shards. */
  readonly chunk: readonly number[];
  /**
   * Items of a shard along each axis: whole chunks. Default: none, and where the other array has
   * shards, about as large as those, but one chunk at least.
   */
  readonly shard?: readonly number[] | undefined;
  /** Items along each axis of the array. Default: those of the other. */
  readonly shape?: readonly number[] | undefined;
}

/**
 * Creates an array in a folder, which may be there: format version, data type, codecs with their
 * parameters, fill value, attributes, names of axes and the form of the chunks' names are those of
 * `like`. The metadata of an array that is there is replaced, and chunks that it has stay. Throws a
 * FileError.
 */
export async function createArray(
  path: string,
  like: ZarrMetadata,
  changes: NewArray,
  options?: WriterOptions,
): Promise<StoredWriter> {
  const writer = await arrayLike(path, like, changes, options);
  writeMetadata(writer.name, writer.metadata);
  return writer;
}

/** Returns what `createArray` would return, and writes nothing. */
export async function arrayLike(
  path: string,
  like: ZarrMetadata,
  changes: NewArray,
  options?: WriterOptions,
): Promise<StoredWriter> {
  const name = path.replace(/(?<=.)\/+$/, "");
  const { info, shard } = await storedArray(name, like);
  let metadata;
  try {
    metadata = changedMetadata(like, changes, info.writeGrid, shard !== undefined);
  } catch (cause) {
    throw toFileError(name, cause);
  }
  return await openWriter(name, metadata, options);
}

/** The metadata of an array in files of a grid, which are shards or not, with other chunks. */
function changedMetadata(
  metadata: ZarrMetadata,
  { chunk, shard, shape }: NewArray,
  files: Grid,
  hasShards: boolean,
): ZarrMetadata {
  const newShape = shape ?? files.shape;
  checkShape("chunks", chunk, newShape.length);
  if (shard !== undefined) checkShape("shards", shard, newShape.length);
  if (metadata.format === 2) {
    if (shard !== undefined) throw new RangeError("cannot have shards: it is of Zarr version 2");
    const array = changedMetadata2(metadata.array, { shape: newShape, chunk });
    return { ...metadata, array };
  }
  const codecs = exactCodecs(metadata.array);
  const file = hasShards
    ? shardsFor(files.chunk, codecs, chunk, shard)
    : shard === undefined
    ? { codecs: withChunks(codecs, chunk), chunk }
    : withShards(codecs, chunk, shard);
  return { ...metadata, array: changedMetadata3(metadata.array, { shape: newShape, ...file }) };
}

function checkShape(what: string, shape: readonly number[], rank: number): void {
  if (shape.length !== rank) {
    throw new RangeError(`cannot have ${what} [${shape}]: it has ${rank} axes`);
  }
  if (!shape.every((length) => Number.isSafeInteger(length) && length >= 1)) {
    throw new RangeError(`cannot have ${what} [${shape}]: lengths are 1 at least`);
  }
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
