/**
 * Reading and writing arrays of Zarr, a row for each chunk. What knows their files is loaded with the
 * first of them.
 *
 * @module
 */

import { type ChunkedArray, type ChunkedText, isChunkedText } from "./chunks/array_json.ts";
import { FileError } from "./errors.ts";
import type { FileSink } from "./file_sink.ts";
import type { Source } from "./source.ts";
import { isStdin } from "./standard_streams.ts";
import { isUrl } from "./url.ts";
import type { ZarrReader, ZarrWriter } from "./zarr/zarr_array.ts";
import type { ZarrMetadata } from "./zarr/array_spec.ts";
import type { NewTextArray } from "./zarr/text/create_text_array.ts";
import type { TextReader, TextWriter } from "./zarr/text_array.ts";
import { zarrSink } from "./zarr/zarr_sink.ts";
import { ZarrSource } from "./zarr/zarr_source.ts";

/**
 * A source of the chunks of an array, which is a folder. A group of arrays is a FileError that names
 * them, and so is a URL.
 */
export function readZarr(path: string): Source {
  if (isUrl(path)) throw new FileError(path, "is a URL, and arrays of Zarr are read from folders");
  if (isStdin(path)) throw new FileError(path, "is a stream, and an array of Zarr is a folder");
  return new ZarrSource(path, () => openArray(path));
}

/** A sink for the chunks of one array of Zarr, which becomes a folder. */
export function writeZarr(path: string): FileSink {
  return zarrSink(path, createArray);
}

async function openArray(path: string): Promise<ZarrReader | TextReader> {
  const { openZarr } = await import("./zarr/open_zarr.ts");
  const node = await openZarr(path);
  if (node.kind !== "group") return node.array;
  const members = [...node.arrays, ...node.texts].map(({ path }) => path).sort();
  const arrays = members.map((path) => `${node.name}/${path}`);
  if (arrays.length === 0) throw new FileError(path, "is a group without an array");
  const shown = arrays.slice(0, mostShown).join(", ");
  const more = arrays.length > mostShown ? ` and ${arrays.length - mostShown} more` : "";
  throw new FileError(path, `is a group, and one array is read: ${shown}${more}`);
}

/** Arrays of a group that an error names. */
const mostShown = 8;

async function createArray(
  folder: string,
  array: ChunkedArray | ChunkedText,
): Promise<ZarrWriter | TextWriter> {
  const { name, grid, writeGrid, dataType, metadata } = array;
  if (metadata === undefined) {
    throw new TypeError(`the rows do not say how the array ${name} is stored`);
  }
  const { shape, chunk } = grid;
  const isSharded = writeGrid.chunk.some((length, axis) => length !== chunk[axis]);
  const changes = { shape, chunk, shard: isSharded ? writeGrid.chunk : undefined };
  const writer = await createLike(folder, metadata, changes, isChunkedText(array));
  const isSame = writer.dataType === dataType &&
    ("itemBytes" in writer ? writer.itemBytes : 0) ===
      ("itemBytes" in array ? array.itemBytes : 0) &&
    writer.grid.chunk.every((length, axis) => length === chunk[axis]);
  if (isSame) return writer;
  throw new TypeError(`the rows of ${name} are not what their metadata says of the array`);
}

async function createLike(
  folder: string,
  metadata: ZarrMetadata,
  changes: NewTextArray,
  isText: boolean,
): Promise<ZarrWriter | TextWriter> {
  if (isText) {
    const { createTextArray } = await import("./zarr/text/create_text_array.ts");
    return await createTextArray(folder, metadata, changes);
  }
  const { createZarrArray } = await import("./zarr/create_zarr_array.ts");
  return await createZarrArray(folder, metadata, changes);
}
