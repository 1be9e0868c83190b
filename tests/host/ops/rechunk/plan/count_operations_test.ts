import { assertEquals } from "@std/assert";
import { countOperations } from "../../../../../ops/rechunk/plan/count_operations.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

Deno.test("countOperations() counts as rechunker does", () => {
  const cases: [number, number, number, number][] = [
    [6, 1, 6, 6],
    [10, 1, 6, 10],
    [6, 2, 3, 4],
    [24, 2, 3, 16],
    [10, 4, 5, 4],
    [100, 4, 5, 40],
    [100, 43, 100, 3],
    [100, 43, 51, 4],
    [100, 43, 40, 5],
    [100, 43, 10, 12],
    [100, 43, 1, 100],
  ];
  for (const [length, from, to, count] of cases) {
    assertEquals(countOperations([length], [from], [to]), count, `${length}: ${from} to ${to}`);
  }
  assertEquals(countOperations([100, 100], [1, 100], [100, 1]), 10_000);
  assertEquals(countOperations([100, 100], [1, 10], [10, 1]), 10_000);
  assertEquals(countOperations([100, 100], [20, 20], [25, 25]), 64);
  assertEquals(countOperations([50, 50], [20, 20], [25, 25]), 16);
});

Deno.test("countOperations() of an array without axes is 1, and of an empty one 0", () => {
  assertEquals(countOperations([], [], []), 1);
  assertEquals(countOperations([4, 0], [2, 1], [1, 1]), 0);
});

Deno.test("countOperations() is the number of pairs of chunks that share items", async () => {
  await forSeeds(300, (random) => {
    const numAxes = 1 + random.below(2);
    const axis = () => 1 + random.below(numAxes === 1 ? 2000 : 60);
    const shape = Array.from({ length: numAxes }, axis);
    const from = shape.map(axis);
    const to = shape.map(axis);
    const pairs = new Set<string>();
    const visit = (place: number[]) => {
      if (place.length < numAxes) {
        for (let at = 0; at < shape[place.length]!; at++) visit([...place, at]);
        return;
      }
      const chunks = [from, to].map((chunk) => place.map((at, i) => Math.floor(at / chunk[i]!)));
      pairs.add(chunks.join("|"));
    };
    visit([]);
    assertEquals(countOperations(shape, from, to), pairs.size, `${shape}: ${from} to ${to}`);
  });
});
