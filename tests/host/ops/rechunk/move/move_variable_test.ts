import { assert, assertEquals, assertRejects } from "@std/assert";
import { parseBytes } from "../../../../../cli/words/quantities.ts";
import { moveVariable, type VariableMove } from "../../../../../ops/rechunk/move/move_variable.ts";
import { sampleSizes } from "../../../../../ops/rechunk/plan/sample_sizes.ts";
import { ItemSizes } from "../../../../../ops/rechunk/plan/item_sizes.ts";
import { numChunks } from "../../../../../streams/formats/zarr/grid/grid.ts";
import {
  type Item,
  MemoryText,
  randomChunk,
  randomText,
} from "../../../../support/zarr/memory_text.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

/** An empty array of the same items with other chunks. */
function targetFor({ grid, fill, dataType }: MemoryText, random: SeededRandom): MemoryText {
  const chunk = randomChunk(random, grid.shape);
  const shard = random.chance(0.3)
    ? chunk.map((length) => length * (1 + random.below(3)))
    : undefined;
  return new MemoryText({ shape: grid.shape, chunk, shard, fill, dataType, name: "out" });
}

/** Runs; undefined where the memory is too little, else whether it ended in the middle. */
async function attempt(run: VariableMove, after = Infinity): Promise<boolean | undefined> {
  let left = after;
  const onProgress = () => {
    if (left-- === 0) throw new Interrupted();
  };
  try {
    await moveVariable({ ...run, onProgress });
    return false;
  } catch (error) {
    if (error instanceof Interrupted) return true;
    if (error instanceof RangeError && /maxMem of /.test(error.message)) return undefined;
    throw error;
  }
}

class Interrupted extends Error {}

Deno.test("the items stay, whatever the chunks, the memory, and where a run is broken off", () => {
  const draws = new Draws([
    ...["several boxes", "too little", "missing chunks", "no items", "no axes"],
    ...["interrupted", "missing are written", "one box", "given up while it is decoded"],
  ]);
  return forSeeds(300, async (random) => {
    const source = randomText(random, 60);
    const target = targetFor(source, random);
    const { shape } = source.grid;
    const maxMem = random.pick([300, 1000, 3000, 1 << 20]);
    const writesMissing = random.chance(0.2);
    const sizes = random.chance(0.5) ? await sampleSizes(source, Infinity) : new ItemSizes();
    source.reads.length = 0;
    const run = { source, target, sizes, maxMem, writesMissing };
    let state = await attempt(run, random.chance(0.4) ? random.below(30) : Infinity);
    // Each comes further than the one before: what was read of a box is read again.
    for (let most = 0; state === true; most += 60) {
      draws.add("interrupted");
      state = await attempt({ ...run, resume: true }, random.below(60) + most);
    }
    if (state === undefined) return draws.add("too little");
    if (source.numRefused > 0) draws.add("given up while it is decoded");
    const expected = MemoryText.of({ ...target.writeGrid, fill: target.fill }, source.items());
    assertEquals(target.chunks, expected.chunks);
    draws.add(new Set(source.reads).size < source.reads.length ? "several boxes" : "one box");
    if (source.chunks.size < numChunks(source.writeGrid)) draws.add("missing chunks");
    if (shape.includes(0)) draws.add("no items");
    if (shape.length === 0) draws.add("no axes");
    if (writesMissing) {
      draws.add("missing are written");
      assertEquals(new Set(target.writes).size, numChunks(target.writeGrid));
    }
  }, draws);
});

/** 40 rows of 6 items in chunks of rows, with items of `length` bytes. */
function rows(length: (row: number, column: number) => number): MemoryText {
  const items: Item[] = [];
  for (let row = 0; row < 40; row++) {
    for (let column = 0; column < 6; column++) items.push("x".repeat(length(row, column)));
  }
  return MemoryText.of({ name: "rows", shape: [40, 6], chunk: [1, 6] }, items);
}

Deno.test("a box that does not fit is divided, and each chunk is written once", async () => {
  // The first rows let expect much less than what comes.
  const source = rows((row) => row < 20 ? 1 : 100);
  const target = new MemoryText({ shape: [40, 6], chunk: [10, 6], name: "out" });
  const sizes = new ItemSizes();
  await moveVariable({ source, target, sizes, maxMem: 30_000 });
  assertEquals(target.items(), source.items());
  assertEquals(target.writes.toSorted(), ["0,0", "1,0", "2,0", "3,0"]);
  assert(source.reads.length > 40, `${source.reads.length} reads`);
});

Deno.test("boxes are of whole chunks of the source where they can be: each is read once", async () => {
  const source = rows(() => 10);
  const target = new MemoryText({ shape: [40, 6], chunk: [2, 2], name: "out" });
  await moveVariable({
    source,
    target,
    sizes: await sampleSizes(source, Infinity),
    maxMem: 3000,
  });
  assertEquals(target.items(), source.items());
  // Eight samples come before.
  assertEquals(source.reads.length, 8 + 40);
});

Deno.test("a chunk that does not fit is an error that says how much would do", async () => {
  const source = rows(() => 100);
  const target = () => new MemoryText({ shape: [40, 6], chunk: [40, 3], name: "out" });
  const sizes = await sampleSizes(source, Infinity);
  const error = await assertRejects(
    () => moveVariable({ source, target: target(), sizes, maxMem: 20_000 }),
    RangeError,
  );
  const [, needed] = error.message.match(
    /^maxMem of 20\.0 kB is too little for the new chunk at \[0, 0\] of out: raise it to at least ([\d.]+ kB)$/,
  )!;
  const enough = {
    source,
    target: target(),
    sizes: new ItemSizes(),
    maxMem: parseBytes(needed!, ""),
  };
  await moveVariable(enough);
  assertEquals(enough.target.items(), source.items());
  assertEquals(
    await attempt({ ...enough, target: target(), maxMem: parseBytes(needed!, "") / 2 }),
    undefined,
  );
});

Deno.test("a missing chunk is not written, nor one that is there when a run goes on", async () => {
  const source = rows(() => 3);
  for (let row = 0; row < 10; row++) source.chunks.delete(`${row},0`);
  const target = new MemoryText({ shape: [40, 6], chunk: [10, 6], name: "out" });
  const run = { source, target, sizes: new ItemSizes(), maxMem: 1e6 };
  await moveVariable(run);
  assertEquals(target.writes, ["1,0", "2,0", "3,0"]);
  target.chunks.delete("2,0");
  await moveVariable({ ...run, resume: true });
  assertEquals(target.writes, ["1,0", "2,0", "3,0", "2,0"]);
});

Deno.test("a run ends with the reason of its signal, and refuses an array of other items", async () => {
  const source = rows(() => 3);
  const target = new MemoryText({ shape: [40, 6], chunk: [10, 6], name: "out" });
  const run = { source, target, sizes: new ItemSizes(), maxMem: 1e6 };
  const stop = new AbortController();
  const reason = new Error("enough");
  const onProgress = () => stop.abort(reason);
  const error = await assertRejects(() =>
    moveVariable({ ...run, signal: stop.signal, onProgress })
  );
  assertEquals(error, reason);
  assertEquals(source.reads.length, 1);
  const bytes = new MemoryText({ shape: [40, 6], chunk: [10, 6], name: "out", dataType: "bytes" });
  const refused = await assertRejects(() => moveVariable({ ...run, target: bytes }), RangeError);
  assertEquals(refused.message, "out: has another shape, type or fill value than rows");
});
