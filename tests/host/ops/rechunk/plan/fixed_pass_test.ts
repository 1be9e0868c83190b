import { assertEquals } from "@std/assert";
import { boxBytes, passesOf } from "../../../../../ops/rechunk/plan/fixed_pass.ts";
import { handMadePlan } from "../../../../support/zarr/rechunk_cases.ts";

/** Layouts of the only pass of a plan that goes directly, for items of four bytes. */
function layoutOf(
  [shape, box, input, output]: readonly (readonly number[])[],
  limit = Infinity,
): string {
  const source = { shape: shape!, chunk: input! };
  const target = { shape: shape!, chunk: output! };
  const plan = handMadePlan([], box);
  const passes = passesOf(plan, { source, target, itemBytes: 4 }, limit);
  const { buffered, isStraight, bufferedBytes, stageBytes } = passes[0]!.layout;
  assertEquals(boxBytes(passes), bufferedBytes + stageBytes);
  return `${buffered}${isStraight ? ", straight" : ""}: ${bufferedBytes} + ${stageBytes}`;
}

Deno.test("chunks that lie dense in those of the other side need no place of their own", () => {
  assertEquals(layoutOf([[60, 8], [60, 8], [10, 8], [60, 8]]), "output, straight: 1920 + 0");
  assertEquals(layoutOf([[60, 8], [60, 8], [60, 8], [10, 8]]), "input, straight: 1920 + 0");
  assertEquals(layoutOf([[60, 8], [60, 8], [1, 2], [1, 8]]), "output, straight: 1920 + 0");
  assertEquals(layoutOf([[8, 60], [8, 60], [8, 6], [8, 6]]), "input, straight: 1920 + 0");
});

Deno.test("the side is kept in which more lies together", () => {
  assertEquals(
    layoutOf([[64, 64, 64], [64, 64, 64], [64, 64, 4], [4, 64, 64]]),
    "input: 1048576 + 65536",
  );
  assertEquals(
    layoutOf([[64, 64, 64], [64, 64, 64], [4, 64, 64], [64, 64, 4]]),
    "output: 1048576 + 65536",
  );
  // Where little lies together on no side, the chunks on the stage are those that stay in caches.
  assertEquals(
    layoutOf([[100, 480, 480], [100, 480, 480], [100, 480, 480], [100, 10, 480]]),
    "input: 92160000 + 1920000",
  );
});

Deno.test("the smallest layout is taken where no other fits", () => {
  const grids = [[12, 12], [12, 12], [6, 12], [12, 4]];
  assertEquals(layoutOf(grids, 864), "output: 576 + 288");
  assertEquals(layoutOf(grids, 863), "input: 576 + 192");
  assertEquals(layoutOf(grids, 0), "input: 576 + 192");
});

Deno.test("chunks are buffered with their padding, except chunks that boxes cut", () => {
  assertEquals(layoutOf([[10], [10], [4], [3]]), "input: 48 + 12");
  assertEquals(layoutOf([[10], [3], [4], [3]]), "output: 12 + 16");
});
