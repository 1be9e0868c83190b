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

/** The facts in which a new array differs from the existing one. */
export interface NewArray {
  /** The number of items of a chunk along each axis: of an inner chunk, where there are shards. */
  readonly chunk: readonly number[];
  /**
   * The number of items of a shard along each axis, in whole chunks. Default: no shards, or where the other
   * array has shards, about their size, but at least one chunk.
   */
  readonly shard?: readonly number[] | undefined;
  /** The number of items of the array along each axis. Default: as in the other array. */
  readonly shape?: readonly number[] | undefined;
}

/**
 * Creates an array in a folder, which may exist. Format version, data type, codecs with their parameters,
 * fill value, attributes, names of axes and the form of the chunks' names are those of `like`. Replaces
 * the metadata of an existing array, and keeps its chunks. Throws a FileError.
 */
export async function createArray(
  path: string,
  like: ZarrMetadata,
  changes: NewArray,
  options?: WriterOptions,
): Promise<StoredWriter> {
  const writer = await arrayLike(path, like, changes, options);
  writeMetadata(writer.name, writer.metadata, options);
  return writer;
}

/** Returns the writer that `createArray` returns, and writes nothing. */
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

/** Returns the metadata with other chunks. `files` is the grid of files, which may be shards. */
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
    throw new RangeError(`cannot have ${what} [${shape}]: lengths must be at least 1`);
  }
}

/** Writes the files of metadata, attributes first, since a folder without the rest is not an array. */
function writeMetadata(
  name: string,
  { format, array, attributes }: ZarrMetadata,
  options?: WriterOptions,
): void {
  const write = (file: string, text: string) =>
    writeWhole(`${name}/${file}`, new TextEncoder().encode(text), options);
  try {
    if (attributes !== undefined) write(".zattrs", attributes);
    write(format === 2 ? ".zarray" : "zarr.json", array);
  } catch (cause) {
    throw toFileError(name, cause);
  }
}
