/** The buffer pool: reuse, budget, and what it counts. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { DeviceError } from "../../../../../base/errors/device_error.ts";
import { memoryBudget } from "../../../../../gpu/webgpu/memory/card_memory.ts";
import {
  BufferPool,
  BufferStore,
  sizeClass,
} from "../../../../../gpu/webgpu/memory/buffer_pool.ts";
import { requestWebGpuDevice, type WebGpuDevice } from "../../../../../gpu/webgpu/device/device.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { anyDevice } from "../../../../support/device/device_options.ts";

const KIB = 1024;

async function withPool(
  budgetBytes: number,
  use: (pool: BufferPool, device: WebGpuDevice) => Promise<void>,
): Promise<void> {
  const device = await requestWebGpuDevice(anyDevice);
  if (device === null) throw new Error("There is no WebGPU adapter");
  try {
    await use(new BufferPool(new BufferStore(device, budgetBytes)), device);
  } finally {
    await device.destroy();
  }
}

Deno.test("sizeClass() wastes at most a fifth and stops at the limit", () => {
  for (let bytes = 1_025; bytes < 5_000_000; bytes = Math.ceil(bytes * 1.07)) {
    const size = sizeClass(bytes, 2 ** 40);
    assert(size >= bytes && size % 4 === 0 && bytes / size >= 0.8, `${bytes} in ${size}`);
  }
  const limit = 128 * KIB * KIB;
  assertEquals(sizeClass(limit - 4, limit), limit);
  assertEquals(sizeClass(100 * KIB * KIB, 101 * KIB * KIB), 101 * KIB * KIB);
  assert(sizeClass(limit + 4, limit) > limit);
});

deviceTest("a buffer that was given back is used again, and trim() destroys it", async () => {
  await withPool(64 * KIB, async (pool, { counters }) => {
    const first = await pool.acquire("storage", 3_000, "first");
    first.release();
    const second = await pool.acquire("storage", 2_900, "second");
    assert(second.buffer === first.buffer);
    assertEquals(counters.liveBuffers, 1);
    second.release();
    assertEquals([pool.inUseBuffers, pool.inUseBytes], [0, 0]);
    pool.trim();
    assertEquals([counters.liveBuffers, counters.liveBytes], [0, 0]);
  });
});

deviceTest("idle buffers make room under the budget before anybody waits", async () => {
  await withPool(64 * KIB, async (pool, { counters }) => {
    for (const kib of [8, 16, 24, 40, 64]) {
      (await pool.acquire("storage", kib * KIB, "storage")).release();
      assert(counters.liveBytes <= 64 * KIB, `${counters.liveBytes} bytes live`);
    }
  });
});

deviceTest("whoever waits is told when the device goes away", async () => {
  await withPool(4 * KIB, async (pool, device) => {
    const held = await pool.acquire("storage", 4 * KIB, "held");
    const waiting = pool.acquire("storage", 4 * KIB, "waiting");
    const told = assertRejects(() => waiting, DeviceError, "The device was closed");
    await Promise.all([device.destroy(), told]);
    await assertRejects(() => pool.acquire("storage", 4, "later"), DeviceError);
    held.release();
    assertEquals(device.counters.liveBuffers, 0);
  });
});

deviceTest("a buffer that is given back twice is an error", async () => {
  await withPool(4 * KIB, async (pool) => {
    const buffer = await pool.acquire("storage", 4, "once");
    buffer.release();
    assertThrows(() => buffer.release(), Error, "given back twice");
  });
});

deviceTest("more than the device can allocate is a DeviceError, and the pool goes on", async () => {
  await withPool(2 ** 40, async (pool, device) => {
    await assertRejects(() => pool.acquire("storage", 2 ** 40, "huge"), DeviceError, "huge: ");
    assertEquals([pool.inUseBytes, device.counters.liveBuffers], [0, 0]);
    (await pool.acquire("storage", 4, "small")).release();
  });
});

/** A card that has so much memory for buffers, none of them larger than `maxBufferSize`. */
function cardOf(memoryBytes: number, maxBufferSize: number, software = false) {
  let free = memoryBytes;
  const device = {
    adapter: { software, limits: { maxBufferSize } },
    failure: null,
    gpu: {
      createBuffer({ size }: { size: number }) {
        if (size > maxBufferSize || size > free) throw new DeviceError("out of memory");
        free -= size;
        return { destroy: () => void (free += size) };
      },
    },
    scoped: (_label: string, make: () => unknown) => new Promise((resolve) => resolve(make())),
  };
  return { device: device as unknown as WebGpuDevice, freeBytes: () => free };
}

Deno.test("memoryBudget() is half of what a card gives, and gives it back", async () => {
  const gib = KIB ** 3;
  for (
    const [memory, largest, budget] of [
      ...[[139, 2 ** 52, 8], [24, 2 ** 52, 8], [8.5, 2 ** 52, 4], [5, 2 ** 52, 2]],
      ...[[1.5, 2 ** 52, 1], [0, 2 ** 52, 1], [8.5, gib, 4], [64, 2 ** 28, 8]],
    ] as const
  ) {
    const { device, freeBytes } = cardOf(memory! * gib, largest!);
    assertEquals(await memoryBudget(device), budget! * gib, `${memory} GiB, ${largest} at most`);
    assertEquals(freeBytes(), memory! * gib);
  }
  // As Mesa's drivers have it: a buffer ends three bytes before a whole number of words.
  const mesa = await memoryBudget(cardOf(24 * gib, 2 ** 31 - 1).device);
  assert(mesa > 7.9 * gib && mesa < 8 * gib);
  assertEquals(await memoryBudget(cardOf(24 * gib, 2 ** 31 - 1, true).device), gib);
});
