/**
 * Makes a Zarr array for benches: compressible float32 items, in chunks of whole planes.
 *
 * @module
 */

import { allChunks, chunkBox, type Grid, product } from "../../streams/formats/zarr/grid/grid.ts";
import type {
  StoredFixedReader,
  StoredFixedWriter,
} from "../../streams/formats/zarr/store/open_array.ts";
import { isFixed } from "../../streams/formats/zarr/items/array.ts";
import type { ZarrMetadata } from "../../streams/formats/zarr/metadata/array_spec.ts";
import { createArray, type NewArray } from "../../streams/formats/zarr/store/create_array.ts";
import { openZarr } from "../../streams/formats/zarr/store/open_zarr.ts";

/** The codec of chunks: none, or zstd. */
export type StoreCodec = "raw" | "zstd";

const compressors = { raw: null, zstd: { id: "zstd", level: 1 } };

/** Creates the array, in version 2, which every peer reads. */
export async function createStore(path: string, grid: Grid, codec: StoreCodec): Promise<void> {
  const array = {
    zarr_format: 2,
    ...{ shape: grid.shape, chunks: grid.chunk, dtype: "<f4", order: "C" },
    ...{ compressor: compressors[codec], filters: null, fill_value: null },
  };
  const metadata = { format: 2, array: JSON.stringify(array) } as const;
  const writer = await createLike(path, metadata, { chunk: grid.chunk });
  const items = new Float32Array(product(grid.chunk));
  const bytes = new Uint8Array(items.buffer);
  for (const index of allChunks(grid)) {
    fillChunk(items, grid, index);
    await writer.writeChunk(index, bytes);
  }
}

/** Opens the array in a folder. */
export async function openStore(path: string): Promise<StoredFixedReader> {
  const node = await openZarr(path);
  if (node.kind === "array" && isFixed(node.array)) return node.array;
  throw new Error(`${path} is not an array of numbers`);
}

/** Creates an array of fixed-size items like another one. */
export async function createLike(
  path: string,
  like: ZarrMetadata,
  changes: NewArray,
): Promise<StoredFixedWriter> {
  const writer = await createArray(path, like, changes);
  if (isFixed(writer)) return writer;
  throw new Error(`${path} is not an array of numbers`);
}

/** Checks some chunks of an array, item by item. */
export async function checkStore(path: string, numChecked: number): Promise<void> {
  const reader = await openStore(path);
  const { grid } = reader;
  const all = [...allChunks(grid)];
  const step = Math.max(1, Math.floor(all.length / numChecked));
  const found = new Float32Array(product(grid.chunk));
  const expected = new Float32Array(product(grid.chunk));
  for (let at = 0; at < all.length; at += step) {
    const index = all[at]!;
    await reader.readChunk(index, new Uint8Array(found.buffer));
    expected.set(found);
    fillChunk(expected, grid, index);
    const wrong = expected.findIndex((item, k) => item !== found[k]);
    if (wrong >= 0) {
      throw new Error(`${path}: item ${wrong} of chunk ${index} is ${found[wrong]}`);
    }
  }
}

/** Fills in the items of a chunk; leaves its padding unchanged. */
function fillChunk(items: Float32Array, grid: Grid, index: readonly number[]): void {
  const { start, stop } = chunkBox(grid, index);
  const [, rows, columns] = grid.shape as [number, number, number];
  const [, chunkRows, chunkColumns] = grid.chunk as [number, number, number];
  for (let t = start[0]!; t < stop[0]!; t++) {
    for (let y = start[1]!; y < stop[1]!; y++) {
      const line = ((t - start[0]!) * chunkRows + y - start[1]!) * chunkColumns - start[2]!;
      const first = (t * rows + y) * columns;
      for (let x = start[2]!; x < stop[2]!; x++) items[line + x] = itemAt(first + x);
    }
  }
}

/** Returns a pseudo-random temperature: one of 128, in eighths of a degree. */
function itemAt(position: number): number {
  let mixed = Math.imul(position ^ (position >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return 273 + ((mixed ^ (mixed >>> 16)) & 127) / 8;
}
