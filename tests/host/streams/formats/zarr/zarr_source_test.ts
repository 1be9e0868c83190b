import { assert, assertEquals, assertRejects } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { countRows, defaultEngine, select, slice, take } from "../../../../../mod.ts";
import { BatchStream } from "../../../../../streams/plan/batch_stream.ts";
import { ChunkFinder } from "../../../../../streams/formats/zarr/rows/chunk_batch.ts";
import { allChunks, chunkBox, product } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { ZarrSource } from "../../../../../streams/formats/zarr/zarr_source.ts";
import { MemoryZarr, type MemoryZarrOptions } from "../../../../support/zarr/memory_zarr.ts";
import { randomRequest, requestKinds } from "../../../../support/files/row_requests.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { readAll } from "../../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";
import type { FixedArray } from "../../../../../streams/formats/zarr/items/array.ts";

/** An array whose items are all different, as long as two bytes are enough for that. */
function countedArray(options: Omit<MemoryZarrOptions, "fill">): MemoryZarr {
  const items = Uint16Array.from({ length: product(options.shape) }, (_, at) => at + 1);
  const bytes = new Uint8Array(items.buffer);
  return MemoryZarr.of({ ...options, dataType: "uint16", fill: new Uint8Array(2) }, bytes);
}

function sourceOf(array: MemoryZarr): ZarrSource {
  return new ZarrSource(array.name, () => Promise.resolve(array));
}

function streamOf(array: MemoryZarr): BatchStream {
  const plan = { source: sourceOf(array), nodes: [], engine: defaultEngine().plans };
  return new BatchStream(Object.freeze(plan));
}

/** The first item of each row: that at its origin. */
function firstItems(batches: readonly RecordBatch[]): number[] {
  return batches.flatMap((batch) =>
    [...new ChunkFinder<FixedArray>(batch.schema).chunks(batch)].map(({ items }) =>
      items[0]! | items[1]! << 8
    )
  );
}

/** What lies at the origin of each chunk of a counted array, and the places of all chunks. */
function model({ grid }: MemoryZarr): { items: number[]; places: string[] } {
  const places = [...allChunks(grid)];
  const items = places.map((place) =>
    1 + chunkBox(grid, place).start.reduce((sum, at, axis) => sum * grid.shape[axis]! + at, 0)
  );
  return { items, places: places.map((place) => place.join()) };
}

function randomArray(random: SeededRandom): MemoryZarr {
  const shape = Array.from({ length: random.below(4) }, () => 1 + random.below(9));
  const chunk = shape.map(() => 1 + random.below(4));
  return countedArray({ shape, chunk });
}

Deno.test("rows are the chunks in C order, and a request reads those that it has", () => {
  const draws = new Draws(requestKinds);
  return forSeeds(150, async (random) => {
    const array = randomArray(random);
    const { items, places } = model(array);
    const source = sourceOf(array);
    assertEquals(await source.numRows(), items.length);
    const { request, rows, text } = randomRequest(random, items.length, draws);
    const together = random.chance(0.5) ? { rows: 100, bytes: 1 << 20 } : undefined;
    const found: RecordBatch[] = [];
    const firsts: number[] = [];
    const options = together === undefined ? {} : { together };
    for await (const { batch, firstRow } of source.rows(request, options)) {
      found.push(batch);
      firsts.push(...Array.from({ length: batch.numRows }, (_, row) => firstRow + row));
    }
    assertEquals(firstItems(found), rows.map((row) => items[row]), text);
    assertEquals(firsts, [...rows], text);
    assertEquals(array.reads, rows.map((row) => places[row]!), text);
    assertEquals(source.bytesRead, array.bytesRead);
    assertEquals(await source.describeRows(request), `${rows.length} of ${items.length} chunks`);
  }, draws);
});

Deno.test("a slice of three chunks reads three chunks, a count and a projection none", async () => {
  const array = countedArray({ shape: [100, 7], chunk: [2, 7] });
  const { items, places } = model(array);
  const three = await Array.fromAsync(streamOf(array).pipeThrough(slice(20, 23)));
  assertEquals(firstItems(three), items.slice(20, 23));
  assertEquals(array.reads.splice(0), places.slice(20, 23));
  const last = await Array.fromAsync(streamOf(array).pipeThrough(take([-1, 3])));
  assertEquals(firstItems(last), [items[49], items[3]]);
  assertEquals(array.reads.splice(0).toSorted(), [places[49]!, places[3]!].toSorted());
  assertEquals(await countRows(streamOf(array)), 50);
  const origins = await Array.fromAsync(streamOf(array).pipeThrough(select("origin")));
  const starts = origins.flatMap((batch) =>
    [...batch].map(({ origin }) => [...origin].map(Number))
  );
  assertEquals(starts, Array.from({ length: 50 }, (_, row) => [2 * row, 0]));
  assertEquals(array.reads, []);
});

Deno.test("missing chunks are fill values, and chunks at the end have full size", async () => {
  const items = Uint16Array.of(7, 7, 7, 7, 1);
  const fill = new Uint8Array(Uint16Array.of(7).buffer);
  const options = { shape: [5], chunk: [2], dataType: "uint16", fill };
  const array = MemoryZarr.of(options, new Uint8Array(items.buffer));
  assertEquals([...array.chunks.keys()], ["2"]);
  const batches = await readAll(sourceOf(array));
  const rows = batches.flatMap((batch) => [...batch].map(({ memory }) => [...memory]));
  assertEquals(rows, [[7, 7], [7, 7], [1, 7]]);
});

Deno.test("small chunks come several to a batch, but the first ones alone", async () => {
  const array = countedArray({ shape: [2000], chunk: [4] });
  const sizes = (await readAll(sourceOf(array), { together: { rows: 1000, bytes: 80 } }))
    .map(({ numRows }) => numRows);
  assertEquals(sizes.slice(0, 32), new Array(32).fill(1));
  assert(sizes.every((numRows) => numRows <= 10) && sizes.at(-2) === 10);
  assertEquals(sizes.reduce((sum, numRows) => sum + numRows), 500);
  const alone = await readAll(sourceOf(array));
  assert(alone.length === 500 && alone.every(({ numRows }) => numRows === 1));
});

Deno.test("an array without axes is one row, one without items none", async () => {
  const scalar = countedArray({ shape: [], chunk: [] });
  assertEquals(firstItems(await readAll(sourceOf(scalar))), [1]);
  const empty = countedArray({ shape: [0, 3], chunk: [1, 3] });
  assertEquals(await readAll(sourceOf(empty)), []);
  assertEquals(await countRows(streamOf(empty)), 0);
  const [batch] = await Array.fromAsync(streamOf(empty));
  assertEquals(new ChunkFinder<FixedArray>(batch!.schema).array.grid, empty.grid);
});

Deno.test("no chunk is read once the rows are not wanted any more", async () => {
  const array = countedArray({ shape: [10], chunk: [1] });
  const abort = new AbortController();
  for await (const _ of sourceBatches(sourceOf(array), { signal: abort.signal })) {
    if (array.reads.length === 3) abort.abort();
  }
  assertEquals(array.reads.length, 3);
  assertEquals(await readAll(sourceOf(array), { signal: AbortSignal.abort() }), []);
  assertEquals(await readAll(sourceOf(array), { signal: AbortSignal.abort(), start: 2 }), []);
  assertEquals(array.reads.length, 3);
});

Deno.test("errors name the array", async () => {
  const broken = new ZarrSource("a.zarr", () => Promise.reject(new Error("Damaged metadata.")));
  for (const ask of [() => broken.schema(), () => broken.numRows(), () => readAll(broken)]) {
    await assertRejects(ask, FileError, "a.zarr: Damaged metadata");
  }
  const large = new MemoryZarr({ shape: [2 ** 33], chunk: [2 ** 32], name: "b.zarr" });
  const problem = "b.zarr: chunks of 4294967296 items are too large; a list has at most 2147483647";
  await assertRejects(() => sourceOf(large).schema(), FileError, problem);
});
