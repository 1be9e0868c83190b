import { assert, assertEquals } from "@std/assert";
import { product } from "../../../../../streams/formats/zarr/grid/grid.ts";
import { countOperations } from "../../../../../ops/rechunk/plan/count_operations.ts";
import { limitsOf } from "../../../../../ops/rechunk/plan/limits.ts";
import { leastPieces, leastPiecesAfter } from "../../../../../ops/rechunk/plan/lower_bound.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";

Deno.test("leastPieces() of ERA5 is the published bound", () => {
  const limits = limitsOf({
    shape: [350640, 721, 1440],
    itemsize: 4,
    source: [31, 721, 1440],
    target: [350640, 10, 10],
    maxMem: 500e6,
  });
  assertEquals(leastPieces(limits, 0, false), 0);
  assertEquals(leastPieces(limits, 3, false), 124_910);
  assertEquals(leastPieces(limits, 4, false), 85_650);
});

Deno.test("leastPieces() is at most what the best of all chains of grids has", async () => {
  await forSeeds(40, (random) => {
    const shape = [1 + random.below(14), 1 + random.below(14)];
    const [source, target] = [0, 1].map(() => shape.map((length) => 1 + random.below(length)));
    const largest = Math.max(product(source!), product(target!));
    const maxMem = Math.floor(largest * (1 + 2 * random.next()));
    const limits = limitsOf({ shape, itemsize: 1, source: source!, target: target!, maxMem });
    const grids = allGrids(shape).filter((grid) => product(grid) <= maxMem);
    const reaches = (grid: readonly number[], least: readonly number[]) =>
      grid.every((length, axis) => length >= least[axis]!);
    for (const splitsSource of [false, true]) {
      // The fewest pieces to each grid, from grids that read the source.
      let fewest = grids.map((grid) => splitsSource || reaches(grid, source!) ? 0 : Infinity);
      for (let stages = 1; stages <= 3; stages++) {
        fewest = grids.map((to) =>
          Math.min(
            ...grids.map((from, at) => fewest[at]! + countOperations(shape, from, to)),
          )
        );
        const best = Math.min(...fewest.filter((_, at) => reaches(grids[at]!, target!)));
        const bound = leastPieces(limits, stages, splitsSource);
        assert(bound <= best, `${bound} for ${shape}: ${source} to ${target}, ${maxMem}, ${best}`);
      }
    }
    const from = random.pick(grids);
    const after = Math.min(
      ...grids.filter((grid) => reaches(grid, target!))
        .map((to) => countOperations(shape, from, to)),
    );
    assert(leastPiecesAfter(limits, from, 1) <= after, `${from} of ${shape} to ${target}`);
  });
});

function allGrids([rows, columns]: readonly number[]): number[][] {
  return Array.from(
    { length: rows! },
    (_, row) => Array.from({ length: columns! }, (_, column) => [row + 1, column + 1]),
  ).flat();
}
