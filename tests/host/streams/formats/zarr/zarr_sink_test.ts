import { assert, assertEquals, assertRejects } from "@std/assert";
import { tableFromArrays } from "apache-arrow";
import { removePartialOutputs } from "../../../../../mod.ts";
import type { FixedArray, VariableArray } from "../../../../../streams/formats/zarr/items/array.ts";
import { ChunkBatches } from "../../../../../streams/formats/zarr/rows/chunk_batch.ts";
import { product } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { zarrJob } from "../../../../../streams/formats/zarr/zarr_sink.ts";
import { ZarrSource } from "../../../../../streams/formats/zarr/zarr_source.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { readAll, writeAll } from "../../../../support/values/streams_samples.ts";
import { sinkOf } from "../../../../../streams/sink/sink_job.ts";

function zarrSink(path: string, create: Parameters<typeof zarrJob>[1]) {
  return sinkOf(path, zarrJob(path, create));
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

/** Makes arrays in memory; their folder has one file. */
class Created {
  array: MemoryZarr | undefined;

  readonly create = (
    folder: string,
    info: FixedArray | VariableArray,
  ): Promise<MemoryZarr> => {
    if (!("itemBytes" in info)) throw new Error("is an array of text");
    Deno.writeTextFileSync(`${folder}/zarr.json`, "{}");
    const { grid, writeGrid, fill, dataType, name } = info;
    this.array = new MemoryZarr({ ...grid, shard: writeGrid.chunk, fill, dataType, name });
    return Promise.resolve(this.array);
  };
}

const small = { name: "t", shape: [4, 3], chunk: [2, 3] };

function chunkAt(place: number[], byte = 1) {
  return new ChunkBatches(new MemoryZarr(small)).batch([place], new Uint8Array(24).fill(byte));
}

Deno.test("an array comes out as it went in, with shards and without, in any order", () => {
  const draws = new Draws(["shards", "chunks", "all at once", "one by one"]);
  return forSeeds(60, (random) =>
    inFolder({}, async (folder) => {
      const shape = Array.from({ length: random.below(4) }, () => 1 + random.below(8));
      const chunk = shape.map(() => 1 + random.below(3));
      const hasShards = random.chance(0.5);
      const shard = hasShards ? chunk.map((length) => length * (1 + random.below(3))) : undefined;
      draws.add(hasShards ? "shards" : "chunks");
      const items = Uint8Array.from({ length: 4 * product(shape) }, () => random.below(4));
      const array = MemoryZarr.of({ shape, chunk, shard }, items);
      const source = new ZarrSource("a", () => Promise.resolve(array));
      const joined = random.chance(0.5);
      draws.add(joined ? "all at once" : "one by one");
      const batches = await readAll(source, joined ? { together: { rows: 9, bytes: 999 } } : {});
      const shuffled = batches.toSorted(() => random.next() - 0.5);
      const created = new Created();
      await writeAll(zarrSink(`${folder}/b.zarr`, created.create), shuffled);
      const written = created.array!;
      assertEquals(written.items(), items);
      assertEquals(written.writeGrid, array.writeGrid);
      assertEquals(new Set(written.writes).size, written.writes.length);
      assertEquals([...written.chunks.keys()].toSorted(), [...array.chunks.keys()].toSorted());
      assertEquals(namesIn(`${folder}/b.zarr`), ["zarr.json"]);
    }), draws);
});

Deno.test("an array without items comes without chunks", () =>
  inFolder({}, async (folder) => {
    const empty = new ChunkBatches(new MemoryZarr({ ...small, shape: [0, 3] }));
    const none = new Created();
    const sink = zarrSink(`${folder}/none.zarr`, none.create);
    await writeAll(sink, [empty.batch([], new Uint8Array(0))]);
    assertEquals([none.array!.writes, namesIn(`${folder}/none.zarr`)], [[], ["zarr.json"]]);
    assertEquals(sink.bytesWritten, 0);
  }));

Deno.test("the folder appears when it is complete, and an abort or a signal leaves nothing", () =>
  inFolder({}, async (folder) => {
    const sink = zarrSink(`${folder}/b.zarr/`, new Created().create);
    const writer = sink.getWriter();
    assertEquals(namesIn(folder), []);
    await writer.write(chunkAt([0, 0]));
    await writer.write(chunkAt([1, 0]));
    const [partial, ...others] = namesIn(folder);
    assert(/^\.b\.zarr\.[0-9a-f]{8}\.partial$/.test(partial!), partial);
    assertEquals(others, []);
    await writer.close();
    assertEquals(namesIn(folder), ["b.zarr"]);
    for (const end of ["abort", "signal"]) {
      const writer = zarrSink(`${folder}/c.zarr`, new Created().create).getWriter();
      await writer.write(chunkAt([0, 0]));
      assertEquals(namesIn(folder).length, 2);
      if (end === "abort") await writer.abort(new Error("enough"));
      else removePartialOutputs();
      assertEquals(namesIn(folder), ["b.zarr"]);
    }
  }));

Deno.test("what is there is not replaced, neither at the beginning nor at the end", () =>
  inFolder({ "b.zarr": "a file" }, async (folder) => {
    const path = `${folder}/b.zarr`;
    const start = zarrSink(path, new Created().create);
    const problem = `${path}: exists already, and is not replaced; remove it first`;
    await assertRejects(() => writeAll(start, [chunkAt([0, 0])]), FileError, problem);
    await Deno.remove(path);
    const writer = zarrSink(path, new Created().create).getWriter();
    await writer.write(chunkAt([0, 0]));
    await writer.write(chunkAt([1, 0]));
    await Deno.mkdir(path);
    const error = await assertRejects(() => writer.close(), FileError);
    assertEquals(error.message, `${path}: was created in the meantime, and is not replaced`);
    assertEquals(namesIn(folder), ["b.zarr"]);
  }));

Deno.test("what is no folder is an error before the first batch", () =>
  inFolder({}, async (folder) => {
    const cases: [path: string, problem: string][] = [
      [
        `${folder}/no/b.zarr`,
        `${folder}/no/b.zarr: cannot be written: the folder ${folder}/no does not exist`,
      ],
      ["-", "-: is a stream, but only a folder can be written"],
      ["/dev/stdout", "/dev/stdout: is a stream, but only a folder can be written"],
    ];
    for (const [path, problem] of cases) {
      const { create } = new Created();
      const error = await assertRejects(
        () => writeAll(zarrSink(path, create), [chunkAt([0, 0])]),
        FileError,
      );
      assertEquals(error.message, problem);
    }
  }));

Deno.test("wrong rows are one clear line, and leave nothing", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/b.zarr`;
    const { batches: [words] } = tableFromArrays({ id: [1, 2] });
    const other = new ChunkBatches(new MemoryZarr({ ...small, name: "u" }));
    const cases: [batches: ReturnType<typeof chunkAt>[], problem: string][] = [
      [[words!], "the rows are not chunks of an array, as `read` returns them for a Zarr array"],
      [[], "got no batch, so the array is unknown"],
      [
        [chunkAt([0, 0]), chunkAt([1, 0]), chunkAt([0, 0])],
        "the chunk of t at [0, 0] occurs twice",
      ],
      [[chunkAt([0, 0]).slice(0, 0)], "none of the 2 chunks of t arrived"],
      [
        [chunkAt([2, 0])],
        "no chunk begins at [4, 0]; chunks are of [2, 3] in an array of [4, 3]",
      ],
      [
        [chunkAt([0, 0]), other.batch([[1, 0]], new Uint8Array(24))],
        "the batches have chunks of two arrays, t and u",
      ],
    ];
    for (const [batches, problem] of cases) {
      const sink = zarrSink(path, new Created().create);
      const error = await assertRejects(() => writeAll(sink, batches), FileError);
      assertEquals(error.message, `${path}: ${problem}`);
      assertEquals(namesIn(folder), []);
    }
  }));

Deno.test("an error in the partial folder names the folder that it was to become", () =>
  inFolder({}, async (folder) => {
    const path = `${folder}/b.zarr`;
    const full = (partial: string, info: FixedArray | VariableArray) => {
      if (!("itemBytes" in info)) throw new Error("is an array of text");
      const array = new MemoryZarr({ ...info.grid, fill: info.fill });
      array.writeChunk = () => Promise.reject(new FileError(`${partial}/c/0`, "no space left"));
      return Promise.resolve(array);
    };
    const error = await assertRejects(
      () => writeAll(zarrSink(path, full), [chunkAt([0, 0])]),
      FileError,
    );
    assertEquals(error.message, `${path}/c/0: no space left`);
    assertEquals(namesIn(folder), []);
  }));
