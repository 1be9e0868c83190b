/**
 * Writing arrays of Zarr, a row for each chunk.
 *
 * @module
 */

import {
  type ChunkedText,
  isChunkedText,
  type TextWriter,
} from "../formats/zarr/items/text_array.ts";
import type { ChunkedArray, ZarrWriter } from "../formats/zarr/items/zarr_array.ts";
import type { FileSink } from "../sink/file_sink.ts";
import type { ZarrMetadata } from "../formats/zarr/metadata/array_spec.ts";
import type { NewTextArray } from "../formats/zarr/store/create_text_array.ts";
import { zarrSink } from "../formats/zarr/zarr_sink.ts";

/** A sink for the chunks of one array of Zarr, which becomes a folder. */
export function writeZarr(path: string): FileSink {
  return zarrSink(path, createArray);
}

async function createArray(
  folder: string,
  array: ChunkedArray | ChunkedText,
): Promise<ZarrWriter | TextWriter> {
  const { name, grid, writeGrid, dataType, fill, metadata } = array;
  if (metadata === undefined) {
    throw new TypeError(`the rows do not say how the array ${name} is stored`);
  }
  const { shape, chunk } = grid;
  const isSharded = writeGrid.chunk.some((length, axis) => length !== chunk[axis]);
  const changes = { shape, chunk, shard: isSharded ? writeGrid.chunk : undefined };
  const { specOf } = await import("../formats/zarr/metadata/read_metadata.ts");
  if (!sameNumbers(specOf(folder, metadata).shape, shape)) throw otherArray(name);
  const writer = await createLike(folder, metadata, changes, isChunkedText(array));
  const isSame = writer.dataType === dataType &&
    ("itemBytes" in writer ? writer.itemBytes : 0) ===
      ("itemBytes" in array ? array.itemBytes : 0) &&
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

async function createLike(
  folder: string,
  metadata: ZarrMetadata,
  changes: NewTextArray,
  isText: boolean,
): Promise<ZarrWriter | TextWriter> {
  if (isText) {
    const { createTextArray } = await import("../formats/zarr/store/create_text_array.ts");
    return await createTextArray(folder, metadata, changes);
  }
  const { createZarrArray } = await import("../formats/zarr/store/create_zarr_array.ts");
  return await createZarrArray(folder, metadata, changes);
}
