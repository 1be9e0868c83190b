/** Chunks of arrays as rows of record batches, for tests of those who rechunk them. */

import { Field, Int32, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import { ChunkBatches, ChunkFinder } from "../../../streams/formats/zarr/rows/chunk_batch.ts";
import { allChunks, product } from "../../../streams/formats/zarr/grid/grid.ts";
import { MemoryZarr } from "./memory_zarr.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import type { FixedArray } from "../../../streams/formats/zarr/items/array.ts";

/** An array of random items of some size; chunks of it may be missing. */
export function randomArray(random: SeededRandom): MemoryZarr {
  const [dataType, itemBytes] = random.pick(
    [["float32", 4], ["uint8", 1], ["int16", 2], ["float64", 8], ["r24", 3]] as const,
  );
  const shape = Array.from({ length: random.below(4) }, () => 1 + random.below(9));
  const chunk = shape.map(() => 1 + random.below(5));
  const bytes = (size: number) => Uint8Array.from({ length: size }, () => random.below(256));
  const items = bytes(itemBytes * product(shape));
  const array = MemoryZarr.of(
    { name: "t", shape, chunk, dataType, fill: bytes(itemBytes) },
    items,
  );
  for (const key of [...array.chunks.keys()]) if (random.chance(0.2)) array.chunks.delete(key);
  return array;
}

/** A chunk of an array, and whether a pipeline is to keep it. */
interface ChunkRow {
  readonly index: readonly number[];
  readonly items: Uint8Array;
  readonly keep: number;
}

/**
 * All chunks of an array, those that are missing as fill values, in any order and several to a batch.
 * Their column `keep` is 1, or 0 for some of other items that are besides.
 */
export function chunkRows(array: MemoryZarr, random: SeededRandom): RecordBatch[] {
  const chunkBytes = product(array.grid.chunk) * array.itemBytes;
  const rows: ChunkRow[] = [];
  for (const index of allChunks(array.grid)) {
    const fill = Uint8Array.from(
      { length: chunkBytes },
      (_, at) => array.fill[at % array.itemBytes]!,
    );
    const items = array.chunks.get(index.join()) ?? fill;
    rows.push({ index, items, keep: 1 });
    if (random.chance(0.3)) rows.push({ index, items: new Uint8Array(chunkBytes), keep: 0 });
  }
  rows.sort(() => random.next() - 0.5);
  const batches = new ChunkBatches(array);
  const result: RecordBatch[] = [];
  while (rows.length > 0) result.push(batchOf(batches, rows.splice(0, 1 + random.below(4))));
  return result;
}

function batchOf(batches: ChunkBatches<FixedArray>, rows: readonly ChunkRow[]): RecordBatch {
  const size = rows[0]!.items.length;
  const items = new Uint8Array(size * rows.length);
  rows.forEach((row, at) => items.set(row.items, at * size));
  const chunks = batches.batch(rows.map(({ index }) => index), items);
  const keep = makeData({
    type: new Int32(),
    length: rows.length,
    nullCount: 0,
    data: Int32Array.from(rows, ({ keep }) => keep),
  });
  const fields = [...chunks.schema.fields, new Field("keep", new Int32(), false)];
  const children = [...chunks.data.children, keep];
  const type = new Struct(fields);
  const data = makeData({ type, length: rows.length, nullCount: 0, children });
  return new RecordBatch(new Schema(fields), data);
}

/** The chunks of batches, in their order: places, and the array that they make. */
export async function arrayOfRows(
  batches: readonly RecordBatch[],
): Promise<{ readonly array: MemoryZarr; readonly places: readonly string[] }> {
  const finder = new ChunkFinder<FixedArray>(batches[0]!.schema);
  const { grid, fill, dataType, name } = finder.array;
  const array = new MemoryZarr({ ...grid, fill, dataType, name });
  for (const batch of batches) {
    for (const { index, items } of finder.chunks(batch)) await array.writeChunk(index, items);
  }
  return { array, places: array.writes };
}
