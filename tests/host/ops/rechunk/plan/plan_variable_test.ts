import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { parseBytes } from "../../../../../cli/words/quantities.ts";
import { planVariable } from "../../../../../ops/rechunk/plan/plan_variable.ts";
import { moveVariable } from "../../../../../ops/rechunk/move/move_variable.ts";
import { sampleSizes } from "../../../../../ops/rechunk/plan/sample_sizes.ts";
import { product } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { MemoryText } from "../../../../support/zarr/memory_text.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";

/** An array of items of `length` bytes. */
function evenText(shape: readonly number[], chunk: readonly number[], length: number): MemoryText {
  return MemoryText.of(
    { name: "in.zarr", shape, chunk },
    Array.from({ length: product(shape) }, () => "x".repeat(length)),
  );
}

Deno.test("where items are of one size, a run reads and writes what its plan says", () => {
  const draws = new Draws(["one box", "several boxes", "too little"]);
  return forSeeds(60, async (random) => {
    const chunk = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(5));
    const shape = chunk.map((length) => length * (1 + random.below(6)));
    const source = evenText(shape, chunk, 1 + random.below(30));
    const to = shape.map((length) => 1 + random.below(length));
    const target = new MemoryText({ shape, chunk: to });
    const maxMem = 1000 + random.below(random.pick([5000, 100_000]));
    const ends = { source, target, sizes: await sampleSizes(source, Infinity), maxMem };
    source.reads.length = 0;
    let plan;
    try {
      ({ plan } = planVariable({ ...ends, stages: 0 }));
      await moveVariable(ends);
    } catch (error) {
      assertMatch((error as Error).message, /is too little for .*: raise it to/);
      return draws.add("too little");
    }
    assertEquals(target.items(), source.items());
    assertEquals([source.reads.length, target.writes.length], [plan.reads, plan.writes]);
    const isWhole = plan.direct!.every((length, axis) => length === shape[axis]);
    draws.add(isWhole ? "one box" : "several boxes");
  }, draws);
});

Deno.test("a plan has the reads and writes of its boxes, and the sizes of the items", async () => {
  const source = evenText([40, 6], [1, 6], 10);
  const target = new MemoryText({ shape: [40, 6], chunk: [2, 2] });
  const sizes = await sampleSizes(source, Infinity);
  const { plan, itemBytes } = planVariable({ source, target, sizes, maxMem: 3000 });
  const { direct, reads, writes, bytes, stages } = plan;
  assertEquals([itemBytes, direct![1], reads, writes, bytes, stages], [14, 6, 40, 60, 6720, []]);
});

Deno.test("memory that is too little for any chunk is an error before all else", async () => {
  const source = evenText([40, 6], [40, 6], 10);
  const target = new MemoryText({ shape: [40, 6], chunk: [40, 1] });
  const sizes = await sampleSizes(source, Infinity);
  const plan = (maxMem: number) => planVariable({ source, target, sizes, maxMem });
  const { message } = assertThrows(() => plan(5000), RangeError);
  const [, likely] = message.match(
    /^in\.zarr: maxMem of 5\.0 kB is too little for its chunks: raise it to about ([\d.]+ kB)$/,
  )!;
  assertEquals(plan(parseBytes(likely!, "")).plan.writes, 6);
});
