import { assertEquals } from "@std/assert";
import {
  allChunks,
  boxShape,
  chunkBox,
  chunksOver,
  gridShape,
  intersect,
  numChunks,
  product,
} from "../../../../../../streams/formats/zarr/grid/grid.ts";
import { forSeeds } from "../../../../../support/random/seeded_random.ts";

Deno.test("chunks lie on the grid, and the last along an axis end with the array", () => {
  const grid = { shape: [5, 4], chunk: [2, 4] };
  assertEquals(gridShape(grid), [3, 1]);
  assertEquals([...allChunks(grid)], [[0, 0], [1, 0], [2, 0]]);
  assertEquals(chunkBox(grid, [2, 0]), { start: [4, 0], stop: [5, 4] });
  assertEquals([...chunksOver(grid, { start: [1, 1], stop: [3, 2] })], [[0, 0], [1, 0]]);
  assertEquals([...chunksOver(grid, { start: [1, 1], stop: [1, 2] })].length, 1);
});

Deno.test("an array without axes is one chunk, one without items none", () => {
  const scalar = { shape: [], chunk: [] };
  assertEquals([numChunks(scalar), [...allChunks(scalar)]], [1, [[]]]);
  assertEquals(chunkBox(scalar, []), { start: [], stop: [] });
  const empty = { shape: [3, 0], chunk: [2, 5] };
  assertEquals([numChunks(empty), [...allChunks(empty)]], [0, []]);
});

Deno.test("the chunks over a box are those that share an item with it, and cover it once", () =>
  forSeeds(300, (random) => {
    const shape = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(9));
    const chunk = shape.map(() => 1 + random.below(10));
    const start = shape.map((length) => random.below(length));
    const stop = shape.map((length, axis) =>
      start[axis]! + 1 + random.below(length - start[axis]!)
    );
    const grid = { shape, chunk };
    const box = { start, stop };
    const shared = [...allChunks(grid)].filter((at) => intersect(chunkBox(grid, at), box));
    assertEquals([...chunksOver(grid, box)], shared);
    const items = shared.map((at) => product(boxShape(intersect(chunkBox(grid, at), box)!)));
    assertEquals(items.reduce((sum, count) => sum + count, 0), product(boxShape(box)));
  }));
