/** Copies of boxes on a device, against copies item by item. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { BoxCopy } from "../../../../../gpu/column/boxes/box_copy.ts";
import { CheckBackend } from "../../../../../gpu/check/backend.ts";
import { boxRuns } from "../../../../../gpu/column/boxes/box_runs.ts";
import type { Column, HostColumn } from "../../../../../gpu/column/column.ts";
import { createHostBackend } from "../../../../../gpu/host/backend.ts";
import { createWebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import { copyBoxesOnDevice } from "../../../../../gpu/webgpu/boxes/box_columns.ts";
import { encodeBoxes } from "../../../../../gpu/webgpu/boxes/copy_boxes.ts";
import { Commands } from "../../../../../gpu/webgpu/dispatch/commands.ts";
import { Scope } from "../../../../../gpu/webgpu/memory/scope.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { Staging } from "../../../../../gpu/webgpu/transfer/readback.ts";
import { uploadColumn, writeBytes } from "../../../../../gpu/webgpu/transfer/upload.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import {
  boxesByItems,
  copyByItems,
  itemBytesOf,
  randomChunks,
  randomRequest,
  reversed,
} from "../../../../support/models/box_model.ts";
import { contextTest, uploaded } from "../../../../support/device/device_kernels.ts";
import { anyDevice } from "../../../../support/device/device_options.ts";
import { columnOf } from "../../../../support/values/host_columns.ts";
import { junkBytes } from "../../../../support/values/junk_bytes.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";

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

for (const windowBytes of [undefined, 256, 1_024]) {
  const place = windowBytes === undefined ? "one window" : `windows of ${windowBytes} bytes`;
  contextTest(`columns are put together from boxes of others, in ${place}`, async (context) => {
    const windows = windowBytes === undefined ? [] : ["from windows", "to windows"];
    const draws = new Draws([
      "values",
      "lists",
      "from lists",
      "from fixeds",
      "on the host",
      "on the device",
      ...windows,
    ]);
    await forSeeds(windowBytes === undefined ? 40 : 60, async (random) => {
      const request = randomRequest(random);
      using scope = new Scope();
      const sources: { column: Column; boxes: readonly BoxCopy[] }[] = [];
      for (const source of request.sources) {
        const column = random.chance(0.7)
          ? await uploadColumn(context, source.column as HostColumn, { label: "input" })
          : null;
        if (column !== null) scope.own(column);
        sources.push({ ...source, column: column ?? source.column });
        draws.add(column === null ? "on the host" : "on the device");
        if ((column?.windows.length ?? 0) > 1) draws.add("from windows");
      }
      const made = await copyBoxesOnDevice(context, { ...request, sources });
      if (made === null) return;
      scope.own(made);
      const [result] = await downloadColumns(context, [made]);
      assertEquals(itemBytesOf(result!), boxesByItems(request));
      assertEquals(result!.length, request.numRows);
      if (result!.offsets !== null) {
        const offsets = Array.from({ length: request.numRows + 1 }, (_, k) => k * request.rowItems);
        assertEquals([...result!.offsets], offsets);
      }
      draws.add(request.type.kind === "list" ? "lists" : "values");
      for (const { column } of sources) draws.add(`from ${column.type.kind}s`);
      if (made.windows.length > 1) draws.add("to windows");
    }, draws);
  }, windowBytes === undefined ? {} : { windowBytes });
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

contextTest("a box that ends behind its column is a RangeError", async (context) => {
  const column = await uploaded(context, tensor(20));
  const box = {
    itemBytes: 4,
    shape: [5],
    from: { offset: 64, strides: [4] },
    to: { offset: 0, strides: [4] },
  };
  const request = {
    type: FLOATS,
    numRows: 1,
    rowItems: 20,
    fill: new Uint8Array(4),
    sources: [{ column, boxes: [box] }],
  };
  await assertRejects(
    () => copyBoxesOnDevice(context, request),
    RangeError,
    "A box from byte 64 to 84 of the column that it is read from, which has 80",
  );
  column.release();
});

deviceTest(
  "host and device make the same columns, and what does not fit is left to the host",
  async () => {
    for (const windowBytes of [2 ** 27, 512]) {
      const device = await createWebGpuBackend({ ...anyDevice, windowBytes });
      const backend = new CheckBackend(createHostBackend({ threads: 1 }), device!);
      await forSeeds(20, async (random) => {
        const request = randomRequest(random);
        const [made] = await backend.download([await backend.copyBoxes(request)]);
        assertEquals(itemBytesOf(made!), boxesByItems(request));
      });
      assert(backend.counters.dispatches > 0);
      assertEquals(device!.context.pool.inUseBuffers, 0);
      await backend.close();
    }
  },
);
