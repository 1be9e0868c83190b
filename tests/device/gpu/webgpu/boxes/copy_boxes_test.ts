/** Copies of boxes on a device, against copies item by item. */

import { assertEquals } from "@std/assert";
import type { BoxCopy } from "../../../../../gpu/column/boxes/box_copy.ts";
import { boxRuns } from "../../../../../gpu/column/boxes/box_runs.ts";
import type { Column, HostColumn } from "../../../../../gpu/column/column.ts";
import { copyBoxesOnDevice } from "../../../../../gpu/webgpu/boxes/box_columns.ts";
import { encodeBoxes } from "../../../../../gpu/webgpu/boxes/copy_boxes.ts";
import { Commands } from "../../../../../gpu/webgpu/dispatch/commands.ts";
import { Scope } from "../../../../../gpu/webgpu/memory/scope.ts";
import { Staging } from "../../../../../gpu/webgpu/transfer/readback.ts";
import { writeBytes } from "../../../../../gpu/webgpu/transfer/upload.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { copyByItems, randomChunks, reversed } from "../../../../support/models/box_model.ts";
import { contextTest, uploaded } from "../../../../support/device/device_kernels.ts";
import { columnOf } from "../../../../support/values/host_columns.ts";
import { junkBytes } from "../../../../support/values/junk_bytes.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { boxCases, randomBoxesCase } from "../../../../support/cases/boxes.ts";
import { onDevice } from "../../../../support/cases/on_device.ts";
import { WebGpuColumn } from "../../../../../gpu/webgpu/memory/device_column.ts";

/** Copies between buffers; gives the whole target, and the dispatches that it took. */
async function copied(
  context: WebGpuContext,
  boxes: readonly BoxCopy[],
  from: Uint8Array,
  to: Uint8Array,
): Promise<{ bytes: Uint8Array; dispatches: number }> {
  using scope = new Scope();
  const [source, target] = [
    scope.own(await context.pool.acquire("storage", from.length, "source")),
    scope.own(await context.pool.acquire("storage", to.length, "target")),
  ];
  writeBytes(context, source, 0, from);
  writeBytes(context, target, 0, to);
  using commands = new Commands(context, "copy");
  const before = context.device.counters.dispatches;
  const runs = boxes.map(boxRuns).filter((box) => box !== undefined);
  await encodeBoxes(context, scope, commands, { source, target, boxes: runs });
  const dispatches = context.device.counters.dispatches - before;
  const staging = new Staging(context);
  staging.add(target, 0, Math.ceil(to.length / 4));
  const [bytes] = await staging.read(commands);
  return { bytes: new Uint8Array(bytes!, 0, to.length), dispatches };
}

contextTest("boxes of any items, strides and offsets leave other bytes alone", async (context) => {
  const draws = new Draws(["words", "bytes", "split", "combined", "many boxes"]);
  await forSeeds(40, async (random) => {
    const before = random.below(9);
    const many = random.chance(0.15);
    const made = randomChunks(random, { mostAxes: 5, before, many, turned: random.chance(0.4) });
    const isSplit = random.chance(0.5);
    const { boxes, fromBytes, toBytes, itemBytes } = isSplit ? reversed(made) : made;
    const from = junkBytes(random, fromBytes + random.below(9));
    const to = junkBytes(random, toBytes + random.below(9));
    const kept = boxes.filter(() => random.chance(0.8));
    const expected = to.slice();
    copyByItems(kept, from, expected);
    assertEquals((await copied(context, kept, from, to)).bytes, expected);
    draws.add(itemBytes % 4 === 0 && before % 4 === 0 ? "words" : "bytes");
    draws.add(isSplit ? "split" : "combined");
    if (kept.length > 100) draws.add("many boxes");
  }, draws);
});

contextTest("more axes than the kernel knows become more boxes", async (context) => {
  await forSeeds(2, async (random) => {
    const shape = Array.from({ length: 10 }, () => 2);
    const from = junkBytes(random, 4 * 3 ** 10);
    const to = junkBytes(random, 2 ** 12);
    // Twice three times: no axis goes on where the one inside of it ends.
    const strides = shape.map((_, axis) => 4 * 3 ** (9 - axis));
    const dense = shape.map((_, axis) => 4 * 2 ** (9 - axis));
    const box = {
      itemBytes: 4,
      shape,
      from: { offset: 0, strides },
      to: { offset: 0, strides: dense },
    };
    const expected = to.slice();
    copyByItems([box], from, expected);
    assertEquals((await copied(context, [box], from, to)).bytes, expected);
  });
});

contextTest("all boxes of one shape are copied by one dispatch", async (context) => {
  const box = (number: number): BoxCopy => ({
    itemBytes: 4,
    shape: [10, 12],
    from: { offset: 480 * number, strides: [48, 4] },
    to: { offset: 48 * number, strides: [9_600, 4] },
  });
  const boxes = Array.from({ length: 200 }, (_, number) => box(number));
  const from = Uint8Array.from({ length: 96_000 }, (_, at) => at % 251);
  const expected = new Uint8Array(96_000);
  copyByItems(boxes, from, expected);
  const { bytes, dispatches } = await copied(context, boxes, from, new Uint8Array(96_000));
  assertEquals(bytes, expected);
  assertEquals(dispatches, 1);
});

boxCases(onDevice());
for (const windowBytes of [256, 1_024]) {
  randomBoxesCase(onDevice({ windowBytes }, `, in windows of ${windowBytes} bytes`), {
    kinds: ["on the host", "on the device", "from windows", "to windows"],
    kindsOf: (sources, copied) => [
      ...sources.map(({ place }) => `on the ${place}`),
      ...(sources.some(hasWindows) ? ["from windows"] : []),
      ...(hasWindows(copied) ? ["to windows"] : []),
    ],
  });
}

function hasWindows(column: Column): boolean {
  return column instanceof WebGpuColumn && column.windows.length > 1;
}

const FLOATS = { kind: "list", item: { kind: "float", bits: 32 } } as const;

/** One tensor of so many items. */
function tensor(numItems: number): HostColumn {
  const data = new Uint8Array(Float32Array.from({ length: numItems }, (_, k) => k).buffer);
  const bare = { place: "host", nullCount: 0, validity: null, children: [] } as const;
  const items = { ...bare, type: FLOATS.item, length: numItems, data, offsets: null };
  const offsets = Int32Array.of(0, numItems);
  return { ...bare, type: FLOATS, length: 1, data: new Uint8Array(0), offsets, children: [items] };
}

contextTest("a tensor that no window has room for is left to the host", async (context) => {
  const column = tensor(200);
  const box = {
    itemBytes: 4,
    shape: [200],
    from: { offset: 0, strides: [4] },
    to: { offset: 0, strides: [4] },
  };
  const request = {
    type: FLOATS,
    numRows: 1,
    rowItems: 200,
    fill: new Uint8Array(4),
    sources: [{ column, boxes: [box] }],
  };
  assertEquals(await copyBoxesOnDevice(context, request), null);
}, { windowBytes: 512 });

contextTest("columns that may have nulls are left to the host", async (context) => {
  const column = await uploaded(
    context,
    columnOf({ kind: "int", bits: 32, signed: true }, [1, null]),
  );
  const type = { kind: "fixed", byteWidth: 4 } as const;
  const sources = [{ column, boxes: [] }];
  const request = { type, numRows: 2, rowItems: 1, fill: new Uint8Array(4), sources };
  assertEquals(await copyBoxesOnDevice(context, request), null);
  column.release();
});
