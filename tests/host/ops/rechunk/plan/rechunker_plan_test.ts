import { assertEquals } from "@std/assert";
import { countChain, countOperations } from "../../../../../ops/rechunk/plan/count_operations.ts";
import { limitsOf } from "../../../../../ops/rechunk/plan/limits.ts";
import {
  consolidateChunks,
  geometricGrids,
  leastShared,
  rechunkerChain,
} from "../../../../../ops/rechunk/plan/rechunker_plan.ts";
import { optionsOfCase, rechunkerCases } from "../../../../support/zarr/rechunk_plans.ts";

Deno.test("consolidateChunks() grows chunks from the last axis as rechunker does", () => {
  const cases: [number, number, number[]][] = [
    [4, 8, [1, 2]],
    [4, 16, [1, 4]],
    [4, 17, [1, 4]],
    [4, 64, [2, 8]],
    [4, 256, [8, 8]],
    [4, 512, [8, 8]],
    [8, 256, [4, 8]],
  ];
  for (const [itemsize, maxMem, grown] of cases) {
    assertEquals(consolidateChunks([8, 8], [1, 2], itemsize, maxMem), grown, `${maxMem}`);
  }
  const [shape, chunk] = [[1000, 50, 1800, 3600], [1, 5, 1800, 3600]];
  assertEquals(consolidateChunks(shape, chunk, 4, 1e9), [1, 35, 1800, 3600]);
  assertEquals(consolidateChunks(shape, chunk, 4, 3e9), [2, 50, 1800, 3600]);
});

Deno.test("consolidateChunks() keeps to a limit of each axis", () => {
  const cases: [number, (number | "whole" | undefined)[], number[]][] = [
    [16, [undefined, "whole"], [1, 4]],
    [16, ["whole", undefined], [2, 2]],
    [32, [undefined, "whole"], [1, 8]],
    [32, [undefined, 4], [1, 4]],
    [32, [8, 4], [2, 4]],
    [32, [8, undefined], [4, 2]],
    [128, [10, undefined], [8, 2]],
  ];
  for (const [maxMem, growth, grown] of cases) {
    assertEquals(consolidateChunks([8, 8], [1, 2], 4, maxMem, growth), grown, `${growth}`);
  }
});

Deno.test("geometricGrids() are spaced by equal ratios and rounded down", () => {
  const cases: [number[], number[], number, number[][]][] = [
    [[100, 1], [1, 100], 1, []],
    [[100, 1], [1, 100], 2, [[10, 10]]],
    [[100, 1], [1, 100], 3, [[21, 4], [4, 21]]],
    [[1e6, 1], [1, 1e6], 2, [[1000, 1000]]],
    [[1e6, 1], [1, 1e6], 3, [[10_000, 100], [100, 10_000]]],
    [[1e6, 1], [1, 1e6], 4, [[31_622, 31], [1000, 1000], [31, 31_622]]],
    [[10, 10], [1, 100], 2, [[3, 31]]],
  ];
  for (const [from, to, stages, grids] of cases) {
    assertEquals(geometricGrids(from, to, stages), grids, `${from} to ${to} in ${stages}`);
  }
});

Deno.test("rechunkerChain() of ERA5 is the plan that rechunker makes", () => {
  const limits = limitsOf(optionsOfCase(rechunkerCases[0]!));
  const chain = rechunkerChain(limits);
  assertEquals(chain, [[93, 721, 1440], [1447, 173, 396], [22528, 41, 109], [350640, 10, 30]]);
  const { shape, source, target } = limits;
  assertEquals(countOperations(shape, source, chain[0]!), 11_311);
  assertEquals(
    chain.slice(1).map((grid, at) => countOperations(shape, chain[at]!, grid)),
    [80_220, 96_492, 86_864],
  );
  assertEquals(countOperations(shape, chain[3]!, target), 10_512);
});

Deno.test("rechunkerChain() has the stages, reads and writes of rechunker's own plans", () => {
  for (const example of rechunkerCases) {
    const limits = limitsOf(optionsOfCase(example));
    const chain = rechunkerChain(limits);
    const { reads, writes } = countChain(limits.shape, limits.source, chain, limits.target);
    assertEquals([chain.length - 1, reads, writes], example.slice(6), `${example[0]}`);
  }
});

Deno.test("rechunkerChain() gives up on minMem where one more stage takes more operations", () => {
  const limits = limitsOf({
    shape: [100, 100],
    itemsize: 1,
    source: [100, 1],
    target: [1, 100],
    minMem: 90,
    maxMem: 100,
  });
  assertEquals(leastShared(rechunkerChain(limits)) < 90, true);
});
