/**
 * Writing arrays of Zarr, a row for each chunk.
 *
 * @module
 */

import type { ArrayWriter, Chunked } from "../formats/zarr/items/array.ts";
import { zarrSink } from "../formats/zarr/zarr_sink.ts";
import type { FileSink } from "../sink/file_sink.ts";

/** A sink for the chunks of one array of Zarr, which becomes a folder. */
export function writeZarr(path: string): FileSink {
  return zarrSink(path, createFrom);
}

async function createFrom(folder: string, array: Chunked): Promise<ArrayWriter> {
  const { name, grid, writeGrid, dataType, fill, metadata } = array;
  if (metadata === undefined) {
    throw new TypeError(`the rows do not say how the array ${name} is stored`);
  }
  const { shape, chunk } = grid;
  const isSharded = writeGrid.chunk.some((length, axis) => length !== chunk[axis]);
  const changes = { shape, chunk, shard: isSharded ? writeGrid.chunk : undefined };
  const { specOf } = await import("../formats/zarr/metadata/read_metadata.ts");
  if (!sameNumbers(specOf(folder, metadata).shape, shape)) throw otherArray(name);
  const { createArray } = await import("../formats/zarr/store/create_array.ts");
  const writer = await createArray(folder, metadata, changes);
  const isSame = writer.dataType === dataType && writer.itemBytes === array.itemBytes &&
    sameNumbers(writer.grid.chunk, chunk) && sameNumbers(writer.fill, fill);
  if (isSame) return writer;
  throw otherArray(name);
}

function otherArray(name: string): TypeError {
  return new TypeError(`the rows of ${name} are not what their metadata says of the array`);
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.prototype.every.call(a, (value, at) => value === b[at]);
}
