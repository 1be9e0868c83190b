import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { planVariable } from "../../../../../ops/rechunk/plan/plan_variable.ts";
import { runVariable, type VariableRun } from "../../../../../ops/rechunk/move/run_variable.ts";
import { sampleSizes } from "../../../../../ops/rechunk/plan/sample_sizes.ts";
import { product } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { MemoryText, randomChunk, randomText } from "../../../../support/zarr/memory_text.ts";
import { handMadePlan } from "../../../../support/zarr/rechunk_cases.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";

class Interrupted extends Error {}

/** Runs until progress was told of some times, then as a process that ends there. */
async function interrupt(run: VariableRun, after: number): Promise<boolean> {
  let left = after;
  let before = 0;
  const onProgress = (share: number) => {
    assert(share >= before && share <= 1, `${share} comes after ${before}`);
    before = share;
    if (left-- === 0) throw new Interrupted();
  };
  try {
    await runVariable({ ...run, onProgress });
    return false;
  } catch (error) {
    if (error instanceof Interrupted) return true;
    throw error;
  }
}

Deno.test("text that passes through stores stays, wherever a run is broken off", () =>
  inFolder({}, (folder) => {
    const draws = new Draws(["no stages", "1 store", "2 stores", "interrupted", "missing chunks"]);
    return forSeeds(150, async (random) => {
      const source = randomText(random, 30);
      const { shape } = source.grid;
      if (product(shape) < 2) return;
      const { fill, dataType } = source;
      const target = new MemoryText({ shape, chunk: randomChunk(random, shape), fill, dataType });
      const stores = Array.from({ length: random.below(3) }, () => randomChunk(random, shape));
      draws.add(["no stages", "1 store", "2 stores"][stores.length]!);
      const plan = handMadePlan(stores.map((chunk) => [chunk, chunk, chunk]), shape);
      const [sizes, temp] = [await sampleSizes(source, Infinity), `${folder}/temp`];
      // So large that one chunk always fits, so small that an array often does not.
      const maxMem = random.pick([45_000, 1 << 20]);
      const run = { source, target, plan, sizes, maxMem, temp };
      if (random.chance(0.5)) {
        draws.add("interrupted");
        let isBroken = await interrupt(run, random.below(60));
        // Each comes further than the one before: what was read of a box is read again.
        for (let most = 60; isBroken; most += 60) {
          isBroken = await interrupt({ ...run, resume: true }, random.below(60) + most);
        }
      } else await runVariable(run);
      const expected = MemoryText.of({ ...target.writeGrid, fill }, source.items());
      assertEquals(target.chunks, expected.chunks);
      if (source.chunks.size < expected.chunks.size) draws.add("missing chunks");
      const written = target.writes.filter((place) => target.chunks.has(place));
      assertEquals(written.length, target.chunks.size);
      assertEquals([...Deno.readDirSync(folder)], []);
    }, draws);
  }));

Deno.test("stores in between are planned where they save time, and taken where they are asked for", () =>
  inFolder({}, async (folder) => {
    const shape = [300, 300];
    const items = Array.from({ length: 90_000 }, (_, at) => `item ${at}`);
    const source = MemoryText.of({ name: "in.zarr", shape, chunk: [1, 300] }, items);
    const target = new MemoryText({ shape, chunk: [300, 1] });
    const sizes = await sampleSizes(source, Infinity);
    const plan = (maxMem: number, stages?: number) =>
      planVariable({ source, target, sizes, maxMem, stages }).plan;
    assertEquals(plan(10_000_000).stages, []);
    assertEquals(plan(10_000_000, 2).stages.length, 2);
    assertEquals(plan(100_000, 0).stages, []);
    const stored = plan(100_000);
    assert(stored.stages.length > 0 && stored.reads < plan(100_000, 0).reads / 3);
    source.reads.length = 0;
    const stored1 = { source, target, sizes, plan: stored, maxMem: 100_000 };
    let storedBytes = 0;
    const onStored = (numBytes: number) => storedBytes += numBytes;
    await runVariable({ ...stored1, temp: `${folder}/temp`, onStored });
    assertEquals(target.items(), items);
    assert(source.reads.length < 2 * 300, `${source.reads.length} reads`);
    assert(storedBytes >= stored.stages.length * items.join("").length);
    const error = await assertRejects(() => runVariable(stored1), RangeError);
    assertMatch(error.message, /^A plan with stages needs a folder for them$/);
  }));
