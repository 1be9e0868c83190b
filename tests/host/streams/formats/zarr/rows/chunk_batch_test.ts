import { assert, assertEquals, assertThrows } from "@std/assert";
import { Field, FixedSizeList, Float32, RecordBatch, Schema } from "apache-arrow";
import {
  ChunkBatches,
  ChunkFinder,
} from "../../../../../../streams/formats/zarr/rows/chunk_batch.ts";
import { allChunks, product } from "../../../../../../streams/formats/zarr/grid/grid.ts";
import { readIpc, writeIpc } from "../../../../../support/files/ipc.ts";
import { selectColumns } from "../../../../../../streams/types/select_columns.ts";
import { inFolder } from "../../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../../support/zarr/memory_zarr.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../../support/random/seeded_random.ts";
import { readAll, writeAll } from "../../../../../support/values/streams_samples.ts";
import { surroundBatch } from "../../../../../support/values/surround_data.ts";
import type { FixedArray } from "../../../../../../streams/formats/zarr/items/array.ts";

/** The types of Zarr, with the bytes and the type in Arrow of an item. */
const types: readonly (readonly [dataType: string, itemBytes: number, arrowType: string])[] = [
  ["bool", 1, "Uint8"],
  ["int8", 1, "Int8"],
  ["int16", 2, "Int16"],
  ["int32", 4, "Int32"],
  ["int64", 8, "Int64"],
  ["uint8", 1, "Uint8"],
  ["uint16", 2, "Uint16"],
  ["uint32", 4, "Uint32"],
  ["uint64", 8, "Uint64"],
  ["float16", 2, "Float16"],
  ["float32", 4, "Float32"],
  ["float64", 8, "Float64"],
  ["complex64", 8, "FixedSizeBinary[8]"],
  ["complex128", 16, "FixedSizeBinary[16]"],
  ["numpy.datetime64", 8, "Int64"],
  ["r24", 3, "FixedSizeBinary[3]"],
];

function randomBytes(random: SeededRandom, count: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: count }, () => random.below(256));
}

/** A batch of all chunks of an array. */
async function wholeBatch(array: MemoryZarr): Promise<RecordBatch> {
  const places = [...allChunks(array.grid)];
  const chunkBytes = product(array.grid.chunk) * array.itemBytes;
  const items = new Uint8Array(places.length * chunkBytes);
  for (const [row, place] of places.entries()) {
    const into = items.subarray(row * chunkBytes, (row + 1) * chunkBytes);
    if (!await array.readChunk(place, into)) fillWith(into, array.fill);
  }
  return new ChunkBatches(array).batch(places, items);
}

function fillWith(into: Uint8Array, item: Uint8Array): void {
  for (let at = 0; at < into.length; at += item.length) into.set(item, at);
}

Deno.test("chunks of every type lie in a batch without a copy, and come out of it", () =>
  forSeeds(types.length * 2, (random) => {
    const [dataType, itemBytes, arrowType] = types[(round++) % types.length]!;
    const array = MemoryZarr.of({
      name: "data/wind.zarr/",
      shape: [3, 5],
      chunk: [2, 2],
      shard: random.chance(0.5) ? [4, 2] : undefined,
      dataType,
      fill: randomBytes(random, itemBytes),
      dimensionNames: random.pick([undefined, ["lat", "lon"], [null, "x"]]),
      attributes: { units: "m/s", deep: { list: [1, null, "two"] } },
    }, randomBytes(random, 15 * itemBytes));
    const items = randomBytes(random, 2 * 4 * itemBytes);
    const batch = new ChunkBatches(array).batch([[0, 0], [1, 2]], items);
    const field = batch.schema.fields[1]!;
    assertEquals(batch.schema.names, ["origin", "wind"]);
    assertEquals(String(batch.schema.fields[0]!.type), "FixedSizeList[2]<Int64>");
    assertEquals(String(field.type), `FixedSizeList[4]<${arrowType}>`);
    assertEquals(field.metadata.get("ARROW:extension:name"), "arrow.fixed_shape_tensor");
    const names = array.dimensionNames?.[0] === "lat" ? { dim_names: ["lat", "lon"] } : {};
    const parameters = JSON.parse(field.metadata.get("ARROW:extension:metadata")!);
    assertEquals(parameters, { shape: [2, 2], ...names });
    const reader = new ChunkFinder<FixedArray>(batch.schema);
    const { grid, writeGrid, fill, dimensionNames, attributes } = array;
    assertEquals(reader.array, {
      ...{ name: "wind", grid, writeGrid, dataType, itemBytes, fill, dimensionNames, attributes },
    });
    const chunks = [...reader.chunks(batch)];
    assertEquals(chunks.map(({ index }) => index), [[0, 0], [1, 2]]);
    for (const [row, chunk] of chunks.entries()) {
      assert(chunk.items.buffer === items.buffer);
      assertEquals(chunk.items.byteOffset, row * 4 * itemBytes);
      assertEquals(chunk.items.length, 4 * itemBytes);
    }
  }));
let round = 0;

Deno.test("chunks make the array again, however their rows were cut, turned and stored", () => {
  const draws = new Draws(["no axes", "one axis", "three axes", "file", "surrounded"]);
  return forSeeds(60, async (random) => {
    const numAxes = random.below(4);
    draws.add(["no axes", "one axis", "two axes", "three axes"][numAxes]!);
    const shape = Array.from({ length: numAxes }, () => 1 + random.below(6));
    const chunk = shape.map(() => 1 + random.below(4));
    const [dataType, itemBytes] = random.pick(types);
    const fill = new Uint8Array(itemBytes);
    const items = randomBytes(random, product(shape) * itemBytes);
    const batch = await wholeBatch(MemoryZarr.of({ shape, chunk, dataType, fill }, items));
    let batches = pieces(batch, random);
    if (random.chance(0.5)) {
      draws.add("surrounded");
      batches = batches.map((piece) => surroundBatch(piece, random));
    }
    if (random.chance(0.5)) {
      draws.add("file");
      await inFolder(async (folder) => {
        const path = `${folder}/chunks.arrow`;
        const compression = random.pick(["none", "zstd", "lz4"] as const);
        await writeAll(writeIpc(path, { compression }), batches);
        batches = await readAll(readIpc(path));
      });
    }
    const found = new MemoryZarr({ shape, chunk, dataType, fill });
    for (const piece of batches) {
      for (const { index, items } of new ChunkFinder<FixedArray>(piece.schema).chunks(piece)) {
        await found.writeChunk(index, items);
      }
    }
    assertEquals(found.items(), items);
  }, draws);
});

/** The rows of a batch in a random order, in batches of random sizes, some of them empty. */
function pieces(batch: RecordBatch, random: SeededRandom): RecordBatch[] {
  const parts: RecordBatch[] = [];
  for (let row = 0; row < batch.numRows;) {
    const stop = Math.min(batch.numRows, row + random.below(4));
    parts.splice(random.below(parts.length + 1), 0, batch.slice(row, stop));
    row = stop;
  }
  return parts;
}

Deno.test("an array with the name of the other column, or without a name, is named chunk", () => {
  const nameOf = (name: string) =>
    new ChunkBatches(new MemoryZarr({ name, shape: [1], chunk: [1] })).column;
  const paths = ["origin", "a/origin.zarr", "..", "./", ".zarr", "a/b.zarr/c", "x.ZARR"];
  assertEquals(paths.map(nameOf), ["chunk", "chunk", "chunk", "chunk", "chunk", "c", "x"]);
});

Deno.test("chunks of more items than a list has are an error", () => {
  const array = new MemoryZarr({ shape: [2 ** 40], chunk: [2 ** 31] });
  const message = "chunks of 2147483648 items are too large; a list has at most 2147483647";
  assertThrows(() => new ChunkBatches(array), TypeError, message);
});

Deno.test("rows that are no chunks of one array are an error that says why", () => {
  const array = new MemoryZarr({ name: "t", shape: [4], chunk: [2] });
  const batches = new ChunkBatches(array);
  const { schema } = batches;
  const [origin, tensor] = schema.fields as [Field, Field];
  const metadata = (json: unknown) =>
    new Map([["sluice.array", typeof json === "string" ? json : JSON.stringify(json)]]);
  const told = JSON.parse(tensor.metadata.get("sluice.array")!);
  const other = new Field("t", new FixedSizeList(3, tensor.type.children[0]), false);
  const broken = "the metadata of column t does not describe an array: ";
  const cases: [fields: Field[], problem: string][] = [
    [[origin], "the rows are not chunks of an array, as `read` returns them for a Zarr array"],
    [[tensor], "the column origin, with the positions of the chunks of t, is missing"],
    [[origin, tensor, tensor.clone({ name: "u" })], "chunks of two arrays, t and u"],
    [[origin, tensor.clone({ metadata: metadata("{") })], `${broken}it is not JSON`],
    [[origin, tensor.clone({ metadata: metadata("null") })], `${broken}shape`],
    [[origin, tensor.clone({ metadata: metadata({ ...told, shape: [-1] }) })], `${broken}shape`],
    [[origin, tensor.clone({ metadata: metadata({ ...told, chunk: [0] }) })], `${broken}chunk`],
    [[origin, tensor.clone({ metadata: metadata({ ...told, chunk: [1, 1] }) })], `${broken}chunk`],
    [[origin, tensor.clone({ metadata: metadata({ ...told, shard: [3] }) })], `${broken}shard`],
    [[origin, tensor.clone({ metadata: metadata({ ...told, name: 1 }) })], `${broken}name`],
    [[origin, tensor.clone({ metadata: metadata({ ...told, fill: "00" }) })], `${broken}fill`],
    [
      [origin, tensor.clone({ metadata: metadata({ ...told, item_bytes: 0 }) })],
      `${broken}item_bytes`,
    ],
    [
      [origin, tensor.clone({ metadata: metadata({ ...told, item_bytes: undefined }) })],
      `${broken}item_bytes`,
    ],
    [
      [origin, tensor.clone({ metadata: metadata({ ...told, fill: "0" }) })],
      `${broken}fill`,
    ],
    [
      [
        origin,
        tensor.clone({
          metadata: metadata({ ...told, item_bytes: undefined, data_type: "bytes" }),
        }),
      ],
      "column t is fixed_size_list<float32, 2>, but its chunks must be list<binary>",
    ],
    [[origin, tensor.clone({ metadata: metadata({ ...told, zarr: 3 }) })], `${broken}zarr`],
    [
      [origin, tensor.clone({ metadata: metadata({ ...told, zarr: { format: 4, array: "" } }) })],
      `${broken}zarr`,
    ],
    [
      [origin, tensor.clone({ metadata: metadata({ ...told, attributes: [] }) })],
      `${broken}attributes`,
    ],
    [
      [origin, tensor.clone({ metadata: metadata({ ...told, dimension_names: ["x", "y"] }) })],
      `${broken}dimension_names`,
    ],
    [
      [origin, other.clone({ metadata: tensor.metadata })],
      "column t is fixed_size_list<float32, 3>, but its chunks must be fixed_size_list<float32, 2>",
    ],
    [
      [new Field("origin", new Float32(), false), tensor],
      "column origin is float32, but its chunks must be fixed_size_list<int64, 1>",
    ],
  ];
  for (const [fields, problem] of cases) {
    assertThrows(() => new ChunkFinder<FixedArray>(new Schema(fields)), TypeError, problem);
  }
  assertEquals(new ChunkFinder<FixedArray>(schema).array.name, "t");
});

Deno.test("origins that are not on the grid, nulls and missing columns are errors", () => {
  const array = new MemoryZarr({ shape: [4, 3], chunk: [2, 3] });
  const batches = new ChunkBatches(array);
  const reader = new ChunkFinder<FixedArray>(batches.schema);
  const problemAt = (place: number[]) => {
    const batch = batches.batch([place], new Uint8Array(24));
    return assertThrows(() => [...reader.chunks(batch)], RangeError).message;
  };
  const grid = "chunks are of [2, 3] in an array of [4, 3]";
  assertEquals(problemAt([2, 0]), `no chunk begins at [4, 0]; ${grid}`);
  assertEquals(problemAt([-1, 0]), `no chunk begins at [-2, 0]; ${grid}`);
  assertEquals(problemAt([0.5, 0]), `no chunk begins at [1, 0]; ${grid}`);
  const batch = batches.batch([[0, 0]], new Uint8Array(24));
  assertThrows(
    () => [...reader.chunks(selectColumns(batch, ["memory"]))],
    TypeError,
    "a batch has no column origin",
  );
  const [origin, tensor] = batch.data.children;
  const noRow = tensor!.clone(tensor!.type, 0, 1, 1, [, , new Uint8Array(1)] as never);
  const withNull = new RecordBatch(
    batch.schema,
    batch.data.clone(batch.data.type, 0, 1, 0, undefined, [origin!, noRow]),
  );
  assertThrows(() => [...reader.chunks(withNull)], TypeError, "column memory has nulls");
});
