/** Reads and writes whole arrays of Zarr, item by item, as only a test may do. */

import { allChunks, chunkBox, product } from "../../../streams/formats/zarr/grid/grid.ts";
import type { Grid } from "../../../streams/formats/zarr/grid/grid.ts";
import type { FixedReader, FixedWriter } from "../../../streams/formats/zarr/items/array.ts";

/** All items of an array in C order; missing chunks are fill values. */
export async function readItems(reader: FixedReader): Promise<Uint8Array<ArrayBuffer>> {
  const { grid, itemBytes, fill } = reader;
  const items = new Uint8Array(product(grid.shape) * itemBytes);
  const chunk = new Uint8Array(product(grid.chunk) * itemBytes);
  for (const index of allChunks(grid)) {
    if (!await reader.readChunk(index, chunk)) {
      for (let at = 0; at < chunk.length; at += itemBytes) chunk.set(fill, at);
    }
    for (const [inArray, inChunk] of places(grid, index)) {
      const from = inChunk * itemBytes;
      items.set(chunk.subarray(from, from + itemBytes), inArray * itemBytes);
    }
  }
  return items;
}

/** Writes all items of an array, given in C order; chunks are padded with `padding`. */
export async function writeItems(
  writer: FixedWriter,
  items: Uint8Array,
  padding: Uint8Array = writer.fill,
): Promise<void> {
  const { writeGrid: grid, itemBytes } = writer;
  for (const index of allChunks(grid)) {
    const chunk = new Uint8Array(product(grid.chunk) * itemBytes);
    for (let at = 0; at < chunk.length; at += itemBytes) chunk.set(padding, at);
    for (const [inArray, inChunk] of places(grid, index)) {
      const from = inArray * itemBytes;
      chunk.set(items.subarray(from, from + itemBytes), inChunk * itemBytes);
    }
    await writer.writeChunk(index, chunk);
  }
}

/** Where the items of a chunk are: in the array, and in the chunk. */
function* places(grid: Grid, index: readonly number[]): Generator<[number, number]> {
  const { start, stop } = chunkBox(grid, index);
  const at = [...start];
  while (true) {
    yield [offset(at, grid.shape), offset(at.map((place, i) => place - start[i]!), grid.chunk)];
    let axis = at.length - 1;
    while (axis >= 0 && ++at[axis]! === stop[axis]!) at[axis] = start[axis--]!;
    if (axis < 0) return;
  }
}

function offset(at: readonly number[], shape: readonly number[]): number {
  return at.reduce((sum, place, axis) => sum * shape[axis]! + place, 0);
}
