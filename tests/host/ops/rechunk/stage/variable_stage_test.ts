import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { createEngine, fromBatches, head, StepError } from "../../../../../mod.ts";
import { rechunk } from "../../../../../ops/rechunk/rechunk.ts";
import { BatchStream } from "../../../../../streams/plan/batch_stream.ts";
import { numChunks } from "../../../../../streams/formats/zarr/grid/grid.ts";
import type { VariableArray } from "../../../../../streams/formats/zarr/items/array.ts";
import { ChunkFinder } from "../../../../../streams/formats/zarr/rows/chunk_batch.ts";
import { ZarrSource } from "../../../../../streams/formats/zarr/zarr_source.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { type Item, MemoryText, randomText } from "../../../../support/zarr/memory_text.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { readAll } from "../../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu" });

function sourceOf(array: MemoryText): ZarrSource {
  return new ZarrSource(array.name, () => Promise.resolve(array));
}

/** A stream as `read` gives it of an array. */
function streamOf(array: MemoryText): BatchStream {
  const plan = { source: sourceOf(array), nodes: [], engine: engine.plans };
  return new BatchStream(Object.freeze(plan));
}

/** The array that the chunks of batches make; each may come once. */
async function arrayOf(batches: readonly RecordBatch[]): Promise<MemoryText> {
  const finder = new ChunkFinder<VariableArray>(batches[0]!.schema);
  const { grid, fill, dataType, name } = finder.array;
  const array = new MemoryText({ ...grid, fill: fill.slice(), dataType, name });
  for (const batch of batches) {
    for (const { index, items } of finder.chunks(batch)) await array.writeChunk(index, items);
  }
  assertEquals(new Set(array.writes).size, array.writes.length);
  return array;
}

function shuffled(batches: readonly RecordBatch[], random: SeededRandom): RecordBatch[] {
  const left = [...batches];
  return batches.map(() => left.splice(random.below(left.length), 1)[0]!);
}

Deno.test("text stays, each chunk comes once, read from an array or from rows in any order", () =>
  inFolder({}, (folder) => {
    const draws = new Draws([
      ...["array", "rows", "rows in files", "missing", "several boxes", "stores"],
    ]);
    return forSeeds(120, async (random) => {
      const array = randomText(random, random.pick([100, 1000]));
      const { shape } = array.grid;
      if (shape.includes(0)) return;
      if (array.chunks.size < numChunks(array.writeGrid)) draws.add("missing");
      const to = shape.map((length) => random.chance(0.2) ? -1 : 1 + random.below(length));
      const kind = random.pick(["array", "rows"] as const);
      const expected = array.items();
      // Of rows, most of it has less than twice their bytes.
      const bytes = expected.join("").length;
      const maxMem = random.pick([1 << 16, 6000, 6000 + bytes]);
      const rows = kind === "rows" ? shuffled(await readAll(sourceOf(array)), random) : [];
      const stream = kind === "array" ? streamOf(array) : fromBatches(rows, { engine });
      array.reads.length = 0;
      let batches;
      try {
        const stages = random.pick([undefined, 0, 1]);
        const operator = rechunk({ to, maxMem, temp: folder, stages });
        batches = await Array.fromAsync(stream.pipeThrough(operator));
        if (stages === 1) draws.add("stores");
      } catch (error) {
        assertMatch(
          (error as Error).message,
          /^step 2, rechunk: (t: )?maxMem of .* is too little for |[Nn]o plan/,
        );
        return;
      }
      draws.add(kind);
      // More than the half of the memory is not kept in it.
      if (kind === "rows" && expected.join("").length > maxMem / 2) {
        draws.add("rows in files");
      }
      if (array.reads.length > new Set(array.reads).size) draws.add("several boxes");
      const found = await arrayOf(batches);
      assertEquals(found.items(), expected);
      const chunk = to.map((length, axis) => length === -1 ? shape[axis]! : length);
      assertEquals(found.grid, { shape, chunk });
      assertEquals(found.writes.length, numChunks(found.grid));
      assertEquals([...Deno.readDirSync(folder)], []);
    }, draws);
  }));

/** 64 rows of 8 items of 100 bytes in chunks of rows. */
function rows(): MemoryText {
  const items: Item[] = Array.from({ length: 512 }, (_, at) => `${at}:`.padEnd(100, "x"));
  return MemoryText.of({ name: "t", shape: [64, 8], chunk: [1, 8] }, items);
}

Deno.test("one who leaves early gets no error, and what is kept in files goes", () =>
  inFolder({}, async (folder) => {
    const array = rows();
    const batches = await readAll(sourceOf(array));
    for (const to of [[64, 1], [3, 8]]) {
      for (const stream of [streamOf(array), fromBatches(batches, { engine })]) {
        const options = { to, maxMem: 60_000, temp: folder };
        const first = stream.pipeThrough(rechunk(options)).pipeThrough(head(1));
        assertEquals((await Array.fromAsync(first)).length, 1);
        assertEquals([...Deno.readDirSync(folder)], []);
      }
    }
  }));

Deno.test("explain tells what becomes of text without reading a chunk", async () => {
  const array = rows();
  const columns = () => rechunk({ to: [64, 1], maxMem: 50_000 });
  const text = await streamOf(array).pipeThrough(columns()).explain();
  assertMatch(text, /reads chunks of t in the order of boxes/);
  assertMatch(text, /chunks of 1,8 become chunks of 64,1/);
  assertMatch(text, /boxes of whole new chunks whose items fit in 50\.0 kB/);
  const row = (await readAll(sourceOf(array))).slice(0, 1);
  array.reads.length = 0;
  const kept = await fromBatches(row, { engine }).pipeThrough(columns()).explain();
  assertMatch(kept, /keeps all chunks first, in memory or in a temporary folder/);
  assertEquals(array.reads, []);
});

Deno.test("memory that is too little for text names the step", async () => {
  const small = rechunk({ to: [64, 8], maxMem: 20_000 });
  const error = await assertRejects(
    () => Array.fromAsync(streamOf(rows()).pipeThrough(small)),
    StepError,
  );
  const line = /^step 2, rechunk: t: maxMem of 20\.0 kB is too little for its chunks: raise it to/;
  assertMatch(error.message, line);
});
