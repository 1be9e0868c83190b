import { assert, assertEquals, assertInstanceOf, assertMatch, assertThrows } from "@std/assert";
import { parseBytes } from "../../../../../cli/words/quantities.ts";
import { planFixed } from "../../../../../ops/rechunk/plan/plan_fixed.ts";
import { runRechunk } from "../../../../../ops/rechunk/move/run_rechunk.ts";
import { product } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

Deno.test("a plan for arrays runs in the memory that it is for, or is refused", () =>
  inFolder((folder) => {
    const draws = new Draws(["direct", "stages", "too little"]);
    return forSeeds(fewOr(25, 60), async (random) => {
      const shape = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(20));
      const lengths = () => shape.map((length) => 1 + random.below(length + 1));
      const scratchBytes = random.pick([0, 100]);
      const [from, to] = [lengths(), lengths()];
      const items = new Uint8Array(4 * product(shape)).map(() => random.below(256));
      const source = MemoryZarr.of({ shape, chunk: from, scratchBytes }, items);
      const target = new MemoryZarr({ shape, chunk: to });
      const most = 4 * Math.max(product(from), product(to));
      const maxMem = Math.ceil(most * (0.5 + 2.5 * random.next()));
      const ends = { source, target };
      let plan;
      try {
        plan = planFixed({ ...ends, maxMem });
      } catch (error) {
        assertInstanceOf(error, RangeError);
        const isClear = /raise it to at least [\d.]+ k?B$|lower minMem or raise maxMem$/;
        assertMatch((error as RangeError).message, isClear);
        const [, needed] = /at least ([\d.]+ k?B)$/.exec((error as RangeError).message) ?? [];
        if (needed !== undefined) planFixed({ ...ends, maxMem: parseBytes(needed, "") });
        return draws.add("too little");
      }
      draws.add(plan.stages.length === 0 ? "direct" : "stages");
      await runRechunk({ ...ends, plan, maxMem, temp: `${folder}/temp` });
      assertEquals(target.items(), items);
    }, draws);
  }));

Deno.test("an array that fits into memory goes directly", () => {
  const source = new MemoryZarr({ shape: [100, 100], chunk: [1, 100], name: "in.zarr" });
  const target = new MemoryZarr({ shape: [100, 100], chunk: [100, 1] });
  assertEquals(planFixed({ source, target, maxMem: 50_000 }).stages, []);
});

Deno.test("what codecs take is taken from the memory for boxes", () => {
  const planned = (scratchBytes: number) => {
    const source = new MemoryZarr({ shape: [100, 100], chunk: [1, 100], scratchBytes });
    const target = new MemoryZarr({ shape: [100, 100], chunk: [100, 1] });
    return planFixed({ source, target, maxMem: 20_000 }).peakMemory;
  };
  assert(planned(0) > 10_000);
  assert(planned(10_000) <= 10_000);
});

Deno.test("planFixed() names the array that memory is too little for", () => {
  const source = new MemoryZarr({ shape: [100, 100], chunk: [100, 100], name: "in.zarr" });
  const target = new MemoryZarr({ shape: [100, 100], chunk: [100, 1] });
  assertThrows(
    () => planFixed({ source, target, maxMem: 30_000 }),
    RangeError,
    "in.zarr: maxMem of 30.0 kB is too little for its chunks and codecs: " +
      "raise it to at least 40.5 kB",
  );
});

Deno.test("the memory that is asked for where nothing may lie in between is enough, and little more", () => {
  const source = new MemoryZarr({ shape: [100, 100], chunk: [1, 100], name: "in.zarr" });
  const target = new MemoryZarr({ shape: [100, 100], chunk: [100, 1] });
  const plan = (maxMem: number) => planFixed({ source, target, maxMem, stages: 0 });
  const { message } = assertThrows(() => plan(1000), RangeError);
  const [, needed] = message.match(
    /^in\.zarr: maxMem of 1\.0 kB is too little without stages: raise it to at least ([\d.]+ kB), or/,
  )!;
  assertEquals(plan(parseBytes(needed!, "")).stages, []);
  assertThrows(() => plan(0.99 * parseBytes(needed!, "")), RangeError);
});

Deno.test("memory that is more than there can be is not asked for", () => {
  const source = new MemoryZarr({ shape: [56000, 56000], chunk: [28000, 28000], name: "in.zarr" });
  const target = new MemoryZarr({ shape: [56000, 56000], chunk: [20000, 40000] });
  assertThrows(
    () => planFixed({ source, target, maxMem: 500e6 }),
    RangeError,
    "in.zarr: its chunks take 6.3 GB together, 4 GiB at most can be used: take smaller chunks",
  );
});
