/** Rechunking of chunks that lie on a device. */

import { assertEquals, assertRejects } from "@std/assert";
import type { BoxesRequest } from "../../../../gpu/backend.ts";
import { createWebGpuBackend } from "../../../../gpu/webgpu/backend.ts";
import { createEngine, type Engine, expr, filter, fromBatches, head } from "../../../../mod.ts";
import { rechunk } from "../../../../ops/rechunk/rechunk.ts";
import { deviceTest } from "../../../support/device/adapter.ts";
import { arrayOfRows, chunkRows, randomArray } from "../../../support/zarr/chunk_rows.ts";
import { anyDevice } from "../../../support/device/device_options.ts";
import { MemoryZarr } from "../../../support/zarr/memory_zarr.ts";
import { Draws, forSeeds, SeededRandom } from "../../../support/random/seeded_random.ts";

const maxMem = 1 << 20;

deviceTest("chunks on a device become others there, and nothing is left behind", async () => {
  const device = (await createWebGpuBackend(anyDevice))!;
  const copies: (readonly [from: string, to: string])[] = [];
  const copyBoxes = device.copyBoxes.bind(device);
  Object.defineProperties(device, {
    // Software leaves the copies to the host.
    copiesBoxes: { value: true },
    copyBoxes: {
      async value(request: BoxesRequest) {
        const made = await copyBoxes(request);
        for (const { column } of request.sources) copies.push([column.place, made.place]);
        return made;
      },
    },
  });
  const cpu = createEngine({ device: "cpu" });
  const engine: Engine = Object.assign(createEngine({ device: "cpu" }), {
    backend: () => Promise.resolve(device),
  });
  const draws = new Draws(["copied on the device", "left early"]);
  await forSeeds(12, async (random) => {
    const array = randomArray(random);
    const rows = chunkRows(array, random);
    if (rows.length === 0) return;
    const to = array.grid.shape.map((length) => 1 + random.below(length));
    const leaves = random.chance(0.2);
    const ofEngine = async (of: Engine) => {
      const kept = fromBatches(rows, { engine: of }).pipeThrough(filter(expr("keep == 1")));
      const moved = kept.pipeThrough(rechunk({ to, maxMem }));
      return await arrayOfRows(
        await Array.fromAsync(leaves ? moved.pipeThrough(head(1)) : moved),
      );
    };
    copies.length = 0;
    const { array: expected } = await ofEngine(cpu);
    const { array: found } = await ofEngine(engine);
    assertEquals(found.chunks, expected.chunks);
    for (const [from, to] of copies) if (from === "device") draws.add(`copied on the ${to}`);
    if (leaves) draws.add("left early");
    assertEquals(device.context.pool.inUseBuffers, 0);
  }, draws);
  await device.close();
});

deviceTest(
  "a chunk on a device that comes twice is an error, and nothing is left behind",
  async () => {
    const device = (await createWebGpuBackend(anyDevice))!;
    Object.defineProperty(device, "copiesBoxes", { value: true });
    const engine: Engine = Object.assign(createEngine({ device: "cpu" }), {
      backend: () => Promise.resolve(device),
    });
    const items = Uint8Array.from({ length: 96 }, (_, at) => at + 1);
    const array = MemoryZarr.of({ name: "t", shape: [4, 6], chunk: [2, 3] }, items);
    const rows = chunkRows(array, new SeededRandom(5));
    const kept = fromBatches([...rows, ...rows], { engine }).pipeThrough(filter(expr("keep == 1")));
    const moved = kept.pipeThrough(rechunk({ to: [4, 2], maxMem }));
    await assertRejects(() => Array.fromAsync(moved), Error, "occurs twice");
    assertEquals(device.context.pool.inUseBuffers, 0);
    await device.close();
  },
);

deviceTest("software leaves copies of boxes to the host, hardware keeps them", async () => {
  const device = (await createWebGpuBackend(anyDevice))!;
  assertEquals(device.copiesBoxes, !device.context.device.adapter.software);
  await device.close();
});
