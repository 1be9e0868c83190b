/**
 * Reads some chunks of an array of variable items to estimate the size of its items.
 *
 * @module
 */

import {
  allChunks,
  type Grid,
  gridShape,
  placeAt,
  product,
} from "../../../streams/formats/zarr/grid/grid.ts";
import type { VariableReader } from "../../../streams/formats/zarr/items/array.ts";
import { readWithin } from "./read_within.ts";
import { ItemSizes } from "./item_sizes.ts";

/** The number of chunks that are read before planning. */
const NUM_SAMPLES = 8;

/**
 * Reads some chunks of an array and returns their sizes: the first, the last, and some between. Throws
 * a RangeError for one that does not fit in `maxMem` bytes while it is decoded.
 */
export async function sampleSizes(reader: VariableReader, maxMem: number): Promise<ItemSizes> {
  const sizes = new ItemSizes();
  const numItems = product(reader.grid.chunk);
  for (const index of samplePlaces(reader.grid)) {
    const items = await readWithin(reader, index, maxMem);
    sizes.add(items, numItems, reader.fill.length);
    if (items !== undefined) reader.free?.(items);
  }
  return sizes;
}

/** Returns the indices of all chunks if they are few, else of some that lie evenly in C order. */
function samplePlaces(grid: Grid): Iterable<readonly number[]> {
  const places = gridShape(grid);
  const count = product(places);
  if (count <= NUM_SAMPLES) return allChunks(grid);
  return Array.from(
    { length: NUM_SAMPLES },
    (_, at) => placeAt(Math.round(at * (count - 1) / (NUM_SAMPLES - 1)), places),
  );
}
