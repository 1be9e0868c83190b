import { assertEquals } from "@std/assert";
import type { ProbeEstimate } from "../../../../streams/rows/chunk_lengths.ts";
import { Probe, restOf } from "../../../../streams/rows/probe.ts";

/** A probe of chunks that take a time each, and what it told of `count` chunks of 250 bytes. */
async function probed(chunkMs: number, counts: readonly number[]) {
  let time = 0;
  const probe = new Probe(() => time);
  const told: (ProbeEstimate & { readonly after: number })[] = [];
  const learnt: number[] = [];
  for (const count of counts) {
    const first = learnt.length;
    const chunks = Array.from({ length: count }, (_, index) => first + index);
    await probe.run(chunks, {
      learn(chunks) {
        learnt.push(...chunks);
        time += chunkMs * chunks.length;
        return Promise.resolve();
      },
      bytesOf: () => 250,
      onProbe: (estimate) => told.push({ ...estimate, after: learnt.length }),
    });
  }
  assertEquals(learnt, Array.from(learnt, (_, index) => index));
  assertEquals(learnt.length, counts.reduce((sum, count) => sum + count, 0));
  return told;
}

Deno.test("a long probe is told once, with the chunks, bytes and time that are left", async (t) => {
  const cases: readonly (readonly [
    name: string,
    chunkMs: number,
    counts: readonly number[],
    told: readonly (ProbeEstimate & { readonly after: number })[],
  ])[] = [
    ["slow chunks after five", 25, [105], [
      { after: 5, chunks: 100, bytes: 25_000, elapsedMs: 2500 },
    ]],
    ["fast chunks after a hundred", 1, [3000], [
      { after: 100, chunks: 2900, bytes: 725_000, elapsedMs: 2900 },
    ]],
    ["only once", 25, [1, 5, 200, 400], [
      { after: 6, chunks: 200, bytes: 50_000, elapsedMs: 5000 },
    ]],
    ["not what is short", 1, [2000], []],
    ["not the first five", 1000, [5], []],
    ["two seconds", 20, [105], [{ after: 5, chunks: 100, bytes: 25_000, elapsedMs: 2000 }]],
    ["nothing to learn", 1000, [0, 0], []],
  ];
  for (const [name, chunkMs, counts, told] of cases) {
    await t.step(name, async () => assertEquals(await probed(chunkMs, counts), told));
  }
});

Deno.test("what is left of a walk is told by the share that is done", () => {
  const done = { chunks: 100, bytes: 25_000, elapsedMs: 1000 };
  assertEquals(restOf(done, 0.25), { chunks: 300, bytes: 75_000, elapsedMs: 3000 });
  assertEquals(restOf(done, 1 / 3), { chunks: 200, bytes: 50_000, elapsedMs: 2000 });
  assertEquals(restOf(done, 0.5), undefined);
  assertEquals(restOf(done, 1), undefined);
  assertEquals(restOf({ ...done, chunks: 99 }, 0.01), undefined);
});
