/** Reads and writes whole arrays of text or bytes, item by item, as only a test may do. */

import {
  allChunks,
  chunkBox,
  type Grid,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import { openVariable } from "./stored_arrays.ts";
import type {
  VariableItems,
  VariableReader,
  VariableWriter,
} from "../../../streams/formats/zarr/items/array.ts";
import type { StoredVariableReader } from "../../../streams/formats/zarr/store/open_array.ts";

/** Opens an array of text or bytes. */
export async function openTexts(path: string): Promise<StoredVariableReader> {
  return await openVariable(path);
}

/** All items of an array in C order; missing chunks are fill values. */
export async function readTexts(reader: VariableReader): Promise<Uint8Array[]> {
  const items = Array.from<unknown, Uint8Array>(
    { length: product(reader.grid.shape) },
    () => reader.fill,
  );
  for (const index of allChunks(reader.grid)) {
    const chunk = await reader.readChunk(index);
    if (chunk === undefined) continue;
    const list = listOf(chunk);
    if (list.length !== product(reader.grid.chunk)) throw new Error("a chunk has too few items");
    for (const [inArray, inChunk] of places(reader.grid, index)) items[inArray] = list[inChunk]!;
  }
  return items;
}

/** Writes all items of an array, given in C order; chunks are padded with the fill value. */
export async function writeTexts(
  writer: VariableWriter,
  items: readonly Uint8Array[],
): Promise<void> {
  for (const index of allChunks(writer.writeGrid)) {
    const chunk = Array.from<unknown, Uint8Array>(
      { length: product(writer.writeGrid.chunk) },
      () => writer.fill,
    );
    for (const [inArray, inChunk] of places(writer.writeGrid, index)) {
      chunk[inChunk] = items[inArray]!;
    }
    await writer.writeChunk(index, textItems(chunk));
  }
}

/** Items one after the other, with other bytes before and after them. */
export function textItems(list: readonly Uint8Array[]): VariableItems {
  const offsets = [3];
  for (const { length } of list) offsets.push(offsets.at(-1)! + length);
  const data = new Uint8Array(offsets.at(-1)! + 2).fill(0xee);
  list.forEach((item, at) => data.set(item, offsets[at]));
  return { offsets: Int32Array.from(offsets), data };
}

/** Items as a list. */
export function listOf({ offsets, data }: VariableItems): Uint8Array[] {
  return Array.from(offsets.subarray(1), (stop, at) => data.slice(offsets[at], stop));
}

/** Where the items of a chunk are: in the array, and in the chunk. */
function* places(grid: Grid, index: readonly number[]): Generator<[number, number]> {
  const { start, stop } = chunkBox(grid, index);
  const box = { shape: stop.map((at, axis) => at - start[axis]!), chunk: start.map(() => 1) };
  for (const place of allChunks(box)) {
    const at = place.map((step, axis) => start[axis]! + step);
    yield [offset(at, grid.shape), offset(place, grid.chunk)];
  }
}

function offset(at: readonly number[], shape: readonly number[]): number {
  return at.reduce((sum, place, axis) => sum * shape[axis]! + place, 0);
}
