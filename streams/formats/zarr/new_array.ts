/**
 * Creates the Zarr array whose chunks are rows.
 *
 * @module
 */

import type { SinkJob } from "../../sink/sink_job.ts";
import type { ArrayWriter, Chunked } from "./items/array.ts";
import { specOf } from "./metadata/read_metadata.ts";
import { createArray } from "./store/create_array.ts";
import { zarrJob } from "./zarr_sink.ts";

/** Creates the job of a sink that writes the chunks of one array into a folder. */
export function newArrayJob(path: string): SinkJob {
  return zarrJob(path, createFrom);
}

async function createFrom(folder: string, array: Chunked): Promise<ArrayWriter> {
  const { name, grid, writeGrid, dataType, fill, metadata } = array;
  if (metadata === undefined) {
    throw new TypeError(`the metadata of column ${name} lacks the description of the stored array`);
  }
  const { shape, chunk } = grid;
  const isSharded = writeGrid.chunk.some((length, axis) => length !== chunk[axis]);
  const changes = { shape, chunk, shard: isSharded ? writeGrid.chunk : undefined };
  if (!sameNumbers(specOf(folder, metadata).shape, shape)) throw otherArray(name);
  const writer = await createArray(folder, metadata, changes);
  const isSame = writer.dataType === dataType && writer.itemBytes === array.itemBytes &&
    sameNumbers(writer.grid.chunk, chunk) && sameNumbers(writer.fill, fill);
  if (isSame) return writer;
  throw otherArray(name);
}

function otherArray(name: string): TypeError {
  return new TypeError(
    `the chunks of ${name} do not match the array that their metadata describes`,
  );
}

function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.prototype.every.call(a, (value, at) => value === b[at]);
}
