import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import FileSystemStore from "@zarrita/storage/fs";
import { type RecordBatch, tableFromArrays } from "apache-arrow";
import * as zarr from "zarrita";
import {
  type BatchStream as Stream,
  createEngine,
  filter,
  fromBatches,
  head,
  parseExpr,
  read,
  type RunStats,
  StepError,
  write,
} from "../../../../mod.ts";
import { rechunk, type RechunkOptions } from "../../../../ops/rechunk/rechunk.ts";
import { BatchStream } from "../../../../streams/plan/batch_stream.ts";
import { ChunkFinder } from "../../../../streams/formats/zarr/rows/chunk_batch.ts";
import { numChunks, product } from "../../../../streams/formats/zarr/grid/grid.ts";
import { ZarrSource } from "../../../../streams/formats/zarr/zarr_source.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { MemoryZarr } from "../../../support/zarr/memory_zarr.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { readAll } from "../../../support/values/streams_samples.ts";
import type { FixedArray } from "../../../../streams/formats/zarr/items/array.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const engine = createEngine({ device: "cpu" });

function sourceOf(array: MemoryZarr): ZarrSource {
  return new ZarrSource(array.name, () => Promise.resolve(array));
}

/** A stream as `read` gives it of an array. */
function streamOf(array: MemoryZarr): BatchStream {
  const plan = { source: sourceOf(array), nodes: [], engine: engine.plans };
  return new BatchStream(Object.freeze(plan));
}

/** The array that the chunks of batches make; each may come once. */
async function arrayOf(batches: readonly RecordBatch[]): Promise<MemoryZarr> {
  const finder = new ChunkFinder<FixedArray>(batches[0]!.schema);
  const { grid, fill, dataType, name } = finder.array;
  const array = new MemoryZarr({ ...grid, fill, dataType, name });
  for (const batch of batches) {
    for (const { index, items } of finder.chunks(batch)) await array.writeChunk(index, items);
  }
  assertEquals(new Set(array.writes).size, array.writes.length);
  return array;
}

/** An array with chunks that are missing. */
function randomArray(random: SeededRandom): MemoryZarr {
  const shape = Array.from({ length: random.below(4) }, () => 1 + random.below(9));
  const chunk = shape.map(() => 1 + random.below(5));
  const items = Uint8Array.from({ length: 4 * product(shape) }, () => random.below(256));
  const array = MemoryZarr.of({ name: "t", shape, chunk, fill: Uint8Array.of(1, 2, 3, 4) }, items);
  for (const key of [...array.chunks.keys()]) if (random.chance(0.2)) array.chunks.delete(key);
  return array;
}

Deno.test("the items stay, each chunk comes once, read from an array or from rows in any order", () => {
  const draws = new Draws(["array", "rows in memory", "rows in files", "stages", "missing"]);
  return forSeeds(fewOr(30, 80), async (random) => {
    const array = randomArray(random);
    const { shape, chunk } = array.grid;
    if (array.chunks.size < numChunks(array.grid)) draws.add("missing");
    const to = shape.map((length) => random.chance(0.2) ? -1 : 1 + random.below(length));
    const large = 1 << 16;
    const [kind, maxMem] = random.pick(
      [["array", large], ["rows", large], ["rows", 1600]] as const,
    );
    const paddedItems = product(
      chunk.map((length, axis) => Math.ceil(shape[axis]! / length) * length),
    );
    const name = kind === "array"
      ? kind
      : `rows in ${8 * paddedItems <= maxMem ? "memory" : "files"}`;
    const stages = random.pick([undefined, undefined, 0, 1]);
    const expected = array.items();
    const stream = kind === "array"
      ? streamOf(array)
      : fromBatches(shuffled(await readAll(sourceOf(array)), random), { engine });
    const operator = rechunk({ to, maxMem, stages });
    let batches;
    try {
      batches = await Array.fromAsync(stream.pipeThrough(operator));
    } catch (error) {
      // Some chunks do not fit, and some plans of so many stages do not.
      if (/maxMem|No plan/.test((error as Error).message)) return;
      throw error;
    }
    draws.add(name);
    if (stages === 1) draws.add("stages");
    const found = await arrayOf(batches);
    assertEquals(found.items(), expected);
    const wanted = to.map((length, axis) => length === -1 ? shape[axis]! : length);
    assertEquals(found.grid, { shape, chunk: wanted });
    assertEquals(found.writes.length, numChunks(found.grid));
  }, draws);
});

function shuffled(batches: readonly RecordBatch[], random: SeededRandom): RecordBatch[] {
  const left = [...batches];
  return batches.map(() => left.splice(random.below(left.length), 1)[0]!);
}

Deno.test("an array is read box by box: each chunk once where boxes are made of whole chunks", async () => {
  const shape = [16, 12];
  const items = new Uint8Array(Float32Array.from({ length: 192 }, (_, at) => at).buffer);
  const array = MemoryZarr.of({ name: "t", shape, chunk: [1, 12] }, items);
  const whole = await Array.fromAsync(
    streamOf(array).pipeThrough(rechunk({ to: [16, 1], maxMem: 4096 })),
  );
  assertEquals((await arrayOf(whole)).items(), items);
  assertEquals(array.reads.splice(0).length, 16);
  // A first box of the lower half of the rows needs half of the chunks.
  const lower = rechunk({ to: [4, 12], maxMem: 512, stages: 0 });
  const [first] = await Array.fromAsync(streamOf(array).pipeThrough(lower).pipeThrough(head(1)));
  assertEquals(
    [...new ChunkFinder<FixedArray>(first!.schema).chunks(first!)].map(({ index }) => index),
    [
      [0, 0],
    ],
  );
  assert(array.reads.length < 16 && array.reads.includes("3,0"), array.reads.join(" "));
});

Deno.test("the rows of an array count as they are read, and end where the reading ends", async () => {
  const runs: RunStats[] = [];
  const watched = createEngine({ device: "cpu", onRun: (run) => void runs.push(run) });
  const array = new MemoryZarr({ name: "t", shape: [64, 64], chunk: [1, 64] });
  array.chunks.set("3,0", new Uint8Array(256).fill(1));
  for (const most of [1, Infinity]) {
    const plan = { source: sourceOf(array), nodes: [], engine: watched.plans };
    const stream = new BatchStream(Object.freeze(plan));
    const counts: number[] = [];
    for await (const _ of stream.pipeThrough(rechunk({ to: [16, 8], maxMem: 5000 }))) {
      counts.push(runs.at(-1)!.numRowsIn);
      if (counts.length === most) break;
    }
    assert(counts[0]! < 64, `${counts}`);
    assertEquals(counts.toSorted((left, right) => left - right), counts);
    const { numRowsIn, ended } = runs.at(-1)!;
    assertEquals([most === Infinity ? numRowsIn : 64, ended], [64, true]);
  }
});

Deno.test("one who leaves early gets no error, wherever the plan is then", async () => {
  const array = new MemoryZarr({ name: "t", shape: [64, 64], chunk: [1, 64] });
  const rows = await readAll(sourceOf(array));
  for (const streams of [() => streamOf(array), () => fromBatches(rows, { engine })]) {
    for (const most of [1, 2, 5]) {
      const chunks = () => streams().pipeThrough(rechunk({ to: [3, 3], maxMem: 5000 }));
      let left = most;
      for await (const _ of chunks()) if (--left === 0) break;
      const reader = chunks().getReader();
      for (let at = 0; at < most; at++) await reader.read();
      await reader.cancel("enough");
      const some = await Array.fromAsync(chunks().pipeThrough(head(most)));
      assertEquals(some.reduce((sum, { numRows }) => sum + numRows, 0), most);
    }
  }
});

Deno.test("rows are kept in the folder for temporary files, which is empty afterwards", () =>
  inFolder({}, async (folder) => {
    const items = Uint8Array.from({ length: 4 * 4096 }, (_, at) => at % 251);
    const array = MemoryZarr.of({ name: "t", shape: [64, 64], chunk: [1, 64] }, items);
    const options = { to: [64, 1], maxMem: 2600 };
    const rows = await readAll(sourceOf(array));
    const inTemp = createEngine({ device: "cpu", temp: folder });
    for (const part of ["all", "first"]) {
      let most = 0;
      const batches: RecordBatch[] = [];
      for await (
        const batch of fromBatches(rows, { engine: inTemp }).pipeThrough(rechunk(options))
      ) {
        most = Math.max(most, [...Deno.readDirSync(folder)].length);
        batches.push(batch);
        if (part === "first") break;
      }
      assertEquals([most, [...Deno.readDirSync(folder)]], [1, []]);
      if (part === "all") assertEquals((await arrayOf(batches)).items(), items);
    }
    const spoiled = fromBatches([...rows, rows[3]!], { engine: inTemp });
    const twice = spoiled.pipeThrough(rechunk(options));
    const problem = "step 2, rechunk: the chunk of t at [3, 0] occurs twice";
    await assertRejects(() => Array.fromAsync(twice), Error, problem);
    assertEquals([...Deno.readDirSync(folder)], []);
    const none = rechunk({ ...options, temp: `${folder}/none` });
    const error = await assertRejects(() =>
      Array.fromAsync(fromBatches(rows, { engine }).pipeThrough(none))
    );
    assertEquals(
      (error as Error).message,
      `step 2, rechunk: ${folder}/none: cannot hold chunks of an array, no such folder`,
    );
  }));

Deno.test("a failure of the files in between is one of the step, not of the array", () =>
  inFolder(async (folder) => {
    const items = new Uint8Array(64 * 64 * 4);
    const options = { name: "t", shape: [64, 64], chunk: [1, 64], fill: Uint8Array.of(1, 2, 3, 4) };
    const array = MemoryZarr.of(options, items);
    const readChunk = array.readChunk.bind(array);
    array.readChunk = (index, into) => {
      // As if the disk had failed.
      if (index[0] === 32) {
        for (const { name } of Deno.readDirSync(folder)) {
          Deno.removeSync(`${folder}/${name}`, { recursive: true });
        }
      }
      return readChunk(index, into);
    };
    const columns = rechunk({ to: [64, 1], maxMem: 4096, stages: 1, temp: folder });
    const error = await assertRejects(
      () => Array.fromAsync(streamOf(array).pipeThrough(columns)),
      StepError,
    );
    assertEquals([error.step, error.operator], [2, "rechunk"]);
    assertMatch(
      error.message,
      /^step 2, rechunk: .*: cannot hold chunks of an array, no such folder$/,
    );
  }));

Deno.test("read, rechunk and write make an array that zarrita reads, with its metadata", () =>
  inFolder({}, async (folder) => {
    const shape = [6, 10, 8];
    const values = Int16Array.from({ length: 480 }, (_, at) => at * 7);
    const from = `${folder}/group.zarr/t`;
    const array = await zarr.create(zarr.root(new FileSystemStore(from)), {
      shape,
      chunkShape: [1, 10, 8],
      dtype: "int16",
      fillValue: -1,
      attributes: { units: "K" },
      dimensionNames: ["time", "lat", "lon"],
      codecs: [
        { name: "bytes", configuration: { endian: "big" } },
        { name: "zstd", configuration: { level: 3, checksum: false } },
      ],
    });
    await zarr.set(array, null, { data: values, shape, stride: [80, 8, 1] });
    const to = `${folder}/out.zarr`;
    const operator = rechunk({ to: { time: -1, lat: 4, lon: 3 }, maxMem: 8e6 });
    await read(from, { engine }).pipeThrough(operator).pipeTo(write(to));
    const written = await zarr.open.v3(zarr.root(new FileSystemStore(to)), { kind: "array" });
    assertEquals(written.chunks, [6, 4, 3]);
    assertEquals((await zarr.get(written as zarr.Array<"int16">)).data, values);
    const metadataOf = (path: string) => JSON.parse(Deno.readTextFileSync(`${path}/zarr.json`));
    const { chunk_grid: old, ...kept } = metadataOf(from);
    assertEquals(old.configuration.chunk_shape, [1, 10, 8]);
    const { chunk_grid: _, ...same } = metadataOf(to);
    assertEquals(same, kept);
    // Chunks that were dropped on the way are not fill values.
    const part = `${folder}/part.zarr`;
    for (const maxMem of [8e6, 2000]) {
      const dropped = read(from, { engine }).pipeThrough(head(2))
        .pipeThrough(filter(parseExpr("true"))).pipeThrough(rechunk({ to: [2, 5, 8], maxMem }));
      await assertRejects(
        () => dropped.pipeTo(write(part)),
        Error,
        "step 4, rechunk: 2 of the 6 chunks of t arrived, but rechunk needs the whole array",
      );
      await assertRejects(() => Deno.stat(part), Deno.errors.NotFound);
    }
  }));

Deno.test("the schema and explain tell chunks and plan without reading a chunk", async () => {
  const array = new MemoryZarr({ name: "a/t.zarr", shape: [8, 6], chunk: [1, 6] });
  const stream = streamOf(array).pipeThrough(rechunk({ to: [8, 2], maxMem: 4096 }));
  const { grid } = new ChunkFinder<FixedArray>(await stream.schema()).array;
  assertEquals(grid, { shape: [8, 6], chunk: [8, 2] });
  const lines = await stream.explain();
  assert(lines.includes("rechunk to 8,2 in 4"), lines);
  assert(lines.includes("chunks of 1,6 (24 B) become chunks of 8,2 (64 B)"), lines);
  assert(lines.includes("reads chunks of a/t.zarr in the order of the plan"), lines);
  assertEquals(array.reads, []);
  for (const [maxMem, kept] of [[4096, "memory first, 192"], [300, "a temporary folder first"]]) {
    const rows = fromBatches(await readAll(sourceOf(array)), { engine });
    const spooled = rows.pipeThrough(rechunk({ to: [1, 2], maxMem: Number(maxMem) }));
    assert((await spooled.explain()).includes(`keeps all chunks in ${kept}`));
  }
});

Deno.test("what cannot be is an error that says why, before a chunk is read", async () => {
  const names = ["y", "x"];
  const options = { name: "t", shape: [8, 6], chunk: [1, 6], dimensionNames: names };
  const array = new MemoryZarr(options);
  const cases: [options: RechunkOptions, problem: string][] = [
    [{ to: [8], maxMem: 4096 }, "t has 2 axes, but to has 1 axis"],
    [{ to: { z: 1 }, maxMem: 4096 }, 't has no axis "z", it has y, x'],
    [{ to: [8, 6], maxMem: 100 }, "maxMem"],
    [{ to: [8, 6], maxMem: 4096, stages: -1 }, "stages"],
  ];
  for (const [options, problem] of cases) {
    const error = await assertRejects(() => streamOf(array).pipeThrough(rechunk(options)).schema());
    assert((error as Error).message.includes(problem), (error as Error).message);
    assert((error as Error).message.startsWith("step 2, rechunk: "), (error as Error).message);
  }
  const words = fromBatches(tableFromArrays({ id: [1] }), { engine }) as Stream;
  await assertRejects(
    () => words.pipeThrough(rechunk({ to: [1], maxMem: 4096 })).schema(),
    Error,
    "step 2, rechunk: the rows are not chunks of an array",
  );
  const unnamed = streamOf(new MemoryZarr({ ...options, dimensionNames: undefined }));
  await assertRejects(
    () => unnamed.pipeThrough(rechunk({ to: { y: 1 }, maxMem: 4096 })).schema(),
    Error,
    't has no axis "y", its axes have no names',
  );
  const wrong: [options: unknown, error: typeof TypeError | typeof RangeError, problem: string][] =
    [
      [undefined, TypeError, "rechunk() option to takes a list of lengths, or lengths by names"],
      [{ to: 3, maxMem: 1 }, TypeError, "lengths by names of axes, not 3"],
      [{ to: [0], maxMem: 1 }, RangeError, "-1 for the whole axis, but that of axis 0 is 0"],
      [{ to: { x: 1.5 }, maxMem: 1 }, RangeError, 'but that "x" is 1.5'],
      [{ to: [1], maxmem: 9 }, TypeError, "rechunk() has no option maxmem; did you mean maxMem?"],
      [{ to: [1], maxMem: 9, foo: 1 }, TypeError, "rechunk() has no option foo"],
      [{ to: [1], maxMem: 9, temp: 5 }, TypeError, "takes the path of a folder as temp, not 5"],
      [{ to: [1] }, RangeError, "takes the bytes of memory as maxMem, not undefined"],
    ];
  for (const [options, error, problem] of wrong) {
    assertThrows(() => rechunk(options as RechunkOptions), error, problem);
  }
  assertEquals(array.reads, []);
});

Deno.test("an array without axes or without items goes through", async () => {
  for (const shape of [[], [0, 3], [1]]) {
    const chunk = shape.map(() => 1);
    const items = new Uint8Array(4 * product(shape)).fill(7);
    const array = MemoryZarr.of({ name: "t", shape, chunk }, items);
    // As on the command line, -1 is for an array without axes, too.
    for (const to of [shape.map(() => -1), shape.length > 0 ? shape.map(() => 1) : [-1]]) {
      const batches = await Array.fromAsync(
        streamOf(array).pipeThrough(rechunk({ to, maxMem: 4096 })),
      );
      assertEquals((await arrayOf(batches)).items(), items);
    }
  }
});
