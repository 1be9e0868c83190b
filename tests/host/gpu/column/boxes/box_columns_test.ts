/** Columns put together from boxes on the host, and runs that are cut, against copies item by item. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { BoxCopy } from "../../../../../gpu/column/boxes/box_copy.ts";
import { copyBoxesOnHost } from "../../../../../gpu/column/boxes/box_columns.ts";
import { type BoxRuns, boxRuns, runsExtent } from "../../../../../gpu/column/boxes/box_runs.ts";
import { CheckBackend } from "../../../../../gpu/check/backend.ts";
import { DifferenceError } from "../../../../../base/errors/device_error.ts";
import { OverflowError } from "../../../../../base/errors/value_error.ts";
import { createHostBackend } from "../../../../../gpu/host/backend.ts";
import { cutRuns } from "../../../../../gpu/webgpu/boxes/cut_runs.ts";
import {
  copyByItems,
  randomChunks,
  randomItems,
  reversed,
} from "../../../../support/models/box_model.ts";
import { junkBytes } from "../../../../support/values/junk_bytes.ts";
import { flipped, PlantedBackend } from "../../../../support/pipelines/planted_backend.ts";
import { forSeeds, SeededRandom } from "../../../../support/random/seeded_random.ts";
import { boxCases } from "../../../../support/cases/boxes.ts";
import { onHost } from "../../../../support/cases/on_host.ts";

/** A box of items of 4 bytes that is dense in C order where it comes from. */
function floats(shape: readonly number[], strides: readonly number[]): BoxCopy {
  const dense = shape.map((_, axis) => 4 * shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  return { itemBytes: 4, shape, from: { offset: 8, strides: dense }, to: { offset: 0, strides } };
}

Deno.test("the runs of a box are as long as both sides allow", () => {
  const cases: [BoxCopy, Pick<BoxRuns, "runBytes" | "axes"> | undefined][] = [
    [floats([], []), { runBytes: 4, axes: [] }],
    [floats([3, 4], [16, 4]), { runBytes: 48, axes: [] }],
    [floats([3, 4], [40, 4]), {
      runBytes: 16,
      axes: [{ length: 3, fromStride: 16, toStride: 40 }],
    }],
    // Both of the outer axes step over what lies behind a run alike.
    [floats([2, 3, 4], [120, 40, 4]), {
      runBytes: 16,
      axes: [{ length: 6, fromStride: 16, toStride: 40 }],
    }],
    [floats([2, 1, 4], [999, 7, 4]), {
      runBytes: 16,
      axes: [{ length: 2, fromStride: 16, toStride: 999 }],
    }],
    // Transposed: the last axis of the source is the first of the target.
    [floats([3, 5], [4, 12]), {
      runBytes: 4,
      axes: [{ length: 5, fromStride: 4, toStride: 12 }, {
        length: 3,
        fromStride: 20,
        toStride: 4,
      }],
    }],
    [floats([3, 0], [4, 12]), undefined],
  ];
  for (const [box, expected] of cases) {
    const runs = boxRuns(box);
    assertEquals(runs && { runBytes: runs.runBytes, axes: runs.axes }, expected);
  }
});

boxCases(onHost);

/** Bytes [0, size) cut into windows of random sizes, some of them empty. */
function randomBounds(random: SeededRandom, size: number): number[] {
  const inner = Array.from({ length: random.below(6) }, () => random.below(size + 1));
  return [0, ...inner, size].sort((a, b) => a - b);
}

Deno.test("runs that are cut lie in one window each, and are the same copies", async () => {
  let numCut = 0;
  await forSeeds(100, (random) => {
    const made = randomChunks(random, { mostAxes: 3, turned: random.chance(0.5) });
    const { boxes, fromBytes, toBytes } = random.chance(0.5) ? made : reversed(made);
    const from = junkBytes(random, fromBytes);
    const [expected, actual] = [new Uint8Array(toBytes), new Uint8Array(toBytes)];
    copyByItems(boxes, from, expected);
    const side = random.pick(["from", "to"] as const);
    const bounds = randomBounds(random, side === "from" ? fromBytes : toBytes);
    for (const box of boxes) {
      const parts = [...cutRuns(boxRuns(box)!, side, bounds)];
      if (parts.length > 1) numCut++;
      for (const { runs, window } of parts) {
        const { start, stop } = runsExtent(runs, side);
        assert(bounds[window]! <= start && stop <= bounds[window + 1]!);
        copyByItems([boxOf(runs)], from, actual);
      }
    }
    assertEquals(actual, expected);
  });
  if (Deno.env.get("SLUICE_SEED") === undefined) assert(numCut > 100);
});

/** Runs as a box of items that are as long. */
function boxOf({ runBytes, axes, from, to }: BoxRuns): BoxCopy {
  return {
    itemBytes: runBytes,
    shape: axes.map(({ length }) => length),
    from: { offset: from, strides: axes.map(({ fromStride }) => fromStride) },
    to: { offset: to, strides: axes.map(({ toStride }) => toStride) },
  };
}

Deno.test("a box in C order is cut into two parts an axis at most", () => {
  const runs = boxRuns(floats([30, 40, 50], [40_000, 800, 4]))!;
  // In the middle of an item, of a run and of a plane.
  const parts = [...cutRuns(runs, "to", [0, 17 * 40_000 + 23 * 800 + 18, 30 * 40_000])];
  assertEquals(parts.length, 6);
});

Deno.test("more items of lists than offsets reach are an error that names the row", () => {
  const item = { kind: "int", bits: 8, signed: false } as const;
  const lists = { type: { kind: "list", item }, fill: new Uint8Array(1), sources: [] } as const;
  const error = assertThrows(
    () => copyBoxesOnHost({ ...lists, numRows: 3, rowItems: 2 ** 30 }),
    OverflowError,
    "Size of output exceeds 2147483647 items of lists at row 1",
  );
  assertEquals(error.row, 1);
});

Deno.test("the backend that checks says in which row boxes were copied wrongly", async () => {
  const host = () => createHostBackend({ threads: 1 });
  const backend = new CheckBackend(host(), new PlantedBackend(host(), { boxes: flipped(4) }));
  const column = randomItems(new SeededRandom(3), 4, 12);
  const box = floats([6], [4]);
  const request = {
    type: { kind: "fixed", byteWidth: 4 },
    rowItems: 1,
    fill: new Uint8Array(4),
    sources: [{ column, boxes: [box] }],
  } as const;
  const error = await assertRejects(
    () => backend.copyBoxes({ ...request, numRows: 6 }),
    DifferenceError,
  );
  const { maker, row, column: differing } = error.difference;
  assertEquals([maker, row, differing], ["the copy of boxes gives", 4, 0]);
  const fewer = { ...request, numRows: 4, sources: [] };
  assertEquals((await backend.copyBoxes(fewer)).length, 4);
  backend.close();
});
