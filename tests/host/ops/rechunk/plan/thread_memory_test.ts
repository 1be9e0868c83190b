import { assert, assertEquals } from "@std/assert";
import { countThreads, type ThreadLimits } from "../../../../../ops/rechunk/plan/thread_memory.ts";
import { boxLimit } from "../../../../../ops/rechunk/plan/fixed_memory.ts";
import { boxBytes, passesOf } from "../../../../../ops/rechunk/plan/fixed_pass.ts";
import { MemoryZarr } from "../../../../support/zarr/memory_zarr.ts";
import { handMadePlan, randomCase } from "../../../../support/zarr/rechunk_cases.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";

/** Planes of 40,000 bytes to columns of 40,000, all of 400,000 bytes in one box. */
function threadsIn(maxMem: number, limits: Partial<ThreadLimits> = {}): string {
  const shape = [10, 100, 100];
  const scratch = { scratchBytes: 50_000 };
  const source = new MemoryZarr({ shape, chunk: [1, 100, 100], ...scratch });
  const target = new MemoryZarr({ shape, chunk: [10, 10, 100], ...scratch });
  const all = { source, target, maxMem, most: 3, leastBytes: 0, canRead: true, canWrite: true };
  const ends = { source: source.grid, target: target.writeGrid, itemBytes: 4 };
  const passes = passesOf(handMadePlan([], shape), ends, boxLimit(all));
  const { passes: [threads], arenaBytes } = countThreads(passes, { ...all, ...limits });
  return `${threads!.read} read, ${threads!.write} write in ${arenaBytes}`;
}

Deno.test("each thread takes the memory of its codecs and of its stage, writers before readers", () => {
  // 400,000 are for the box, 40,000 for a stage, 4 for the fill value, 50,000 for each codec.
  assertEquals(threadsIn(540_004), "1 read, 1 write in 440000");
  assertEquals(threadsIn(590_003), "1 read, 1 write in 440000");
  assertEquals(threadsIn(590_004), "2 read, 1 write in 440000");
  assertEquals(threadsIn(630_004), "1 read, 2 write in 480000");
  assertEquals(threadsIn(680_004), "2 read, 2 write in 480000");
  assertEquals(threadsIn(770_004), "2 read, 3 write in 520000");
  assertEquals(threadsIn(1e9), "3 read, 3 write in 520000");
});

Deno.test("a side that only the main thread has, and a small box, have one thread", () => {
  assertEquals(threadsIn(1e9, { canRead: false }), "1 read, 3 write in 520000");
  assertEquals(threadsIn(1e9, { canWrite: false }), "3 read, 1 write in 440000");
  assertEquals(threadsIn(1e9, { leastBytes: 400_001 }), "1 read, 1 write in 440000");
  assertEquals(threadsIn(1e9, { leastBytes: 200_001 }), "2 read, 2 write in 480000");
  assertEquals(threadsIn(1e9, { leastBytes: 200_000 }), "3 read, 3 write in 520000");
  assertEquals(threadsIn(1e9, { most: 1 }), "1 read, 1 write in 440000");
});

Deno.test("threads never take more memory than there is, nor do they refuse what one can do", () => {
  const draws = new Draws(["several threads", "one thread"]);
  return forSeeds(200, (random) => {
    const { source, target, plan } = randomCase(random, new Draws([]));
    const ends = { source: source.grid, target: target.writeGrid, itemBytes: source.itemBytes };
    const least = boxBytes(passesOf(plan, ends, 0)) + source.itemBytes;
    const maxMem = Math.ceil(least * (1 + 3 * random.next()));
    const limits = { source, target, maxMem, leastBytes: 0, canRead: true, canWrite: true };
    const passes = passesOf(plan, ends, boxLimit(limits));
    const threads = countThreads(passes, { ...limits, most: 1 + random.below(8) });
    assert(threads.arenaBytes <= Math.max(boxLimit(limits), boxBytes(passes)));
    const counts = threads.passes.flatMap(({ read, write }) => [read, write]);
    assert(counts.every((count) => count >= 1));
    draws.add(counts.some((count) => count > 1) ? "several threads" : "one thread");
  }, draws);
});
