/** Waits for a device: buffers are read as soon as they are mapped, and never before. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { DeviceError } from "../../../../../base/errors/device_error.ts";
import { requestWebGpuDevice, type WebGpuDevice } from "../../../../../gpu/webgpu/device/device.ts";
import type { MappedRange } from "../../../../../gpu/webgpu/device/mapped_reads.ts";
import { deviceTest } from "../../../../support/device/adapter.ts";
import { anyDevice } from "../../../../support/device/device_options.ts";
import { turns } from "../../../../support/running/until.ts";

/** Mapped when it is created, and not; twice a range of each, so that a buffer is mapped once for both. */
const SIZES = [64, 1 << 20, (1 << 20) + 16];
const RANGES = SIZES.flatMap((_, at) => [{ at, byteStart: 8, bytes: 4 }, {
  at,
  byteStart: 24,
  bytes: 12,
}]);

/** Calls `use` with a device, which is closed after it. */
async function withDevice(use: (device: WebGpuDevice) => Promise<void>): Promise<void> {
  const device = (await requestWebGpuDevice(anyDevice))!;
  try {
    await use(device);
  } finally {
    await device.destroy();
  }
}

/** Submits a copy of words that begin with `first` to each buffer. */
function submitWords({ gpu }: WebGpuDevice, buffers: readonly GPUBuffer[], first: number): void {
  const words = Uint32Array.from({ length: 16 }, (_, k) => first + k);
  const source = gpu.createBuffer({ size: words.byteLength, usage: 0x04 | 0x08 });
  gpu.queue.writeBuffer(source, 0, words);
  const encoder = gpu.createCommandEncoder();
  for (const buffer of buffers) {
    encoder.copyBufferToBuffer(source, 0, buffer, 0, words.byteLength);
  }
  gpu.queue.submit([encoder.finish()]);
}

/** The words of all ranges that come back, of buffers that are read in several rounds. */
async function readRounds(device: WebGpuDevice, numRounds: number): Promise<void> {
  const { reads } = device;
  const buffers = SIZES.map((size) => reads.createBuffer("read", size));
  const ranges = RANGES.map(({ at, ...range }) => ({ buffer: buffers[at]!, ...range }));
  const empty: MappedRange = { buffer: buffers[0]!, byteStart: 0, bytes: 0 };
  for (let round = 0; round < numRounds; round++) {
    submitWords(device, buffers, 100 * round);
    const found = await reads.read([...ranges, empty]);
    const words = found.map((bytes) => [...new Uint32Array(bytes)]);
    const wanted = RANGES.map(({ byteStart, bytes }) =>
      Array.from({ length: bytes / 4 }, (_, k) => 100 * round + byteStart / 4 + k)
    );
    assertEquals(words, [...wanted, []]);
  }
  buffers.forEach((buffer) => buffer.destroy());
}

/** What is wrapped for the time of a test. */
type Wrapped = Pick<GPUBuffer, "mapAsync" | "getMappedRange" | "unmap" | "destroy">;

/** Calls `use` while methods of buffers are other ones. */
async function withBuffers(methods: Partial<Wrapped>, use: () => Promise<void>): Promise<void> {
  const { mapAsync, getMappedRange, unmap, destroy } = GPUBuffer.prototype;
  Object.assign(GPUBuffer.prototype, methods);
  try {
    await use();
  } finally {
    Object.assign(GPUBuffer.prototype, { mapAsync, getMappedRange, unmap, destroy });
  }
}

deviceTest(
  "a range is asked for at once, but never before its buffer was mapped, nor left mapped",
  async () => {
    const { createBuffer } = GPUDevice.prototype;
    const { mapAsync, getMappedRange, unmap, destroy } = GPUBuffer.prototype;
    const problems: string[] = [];
    const mappedBefore = new WeakSet<GPUBuffer>();
    const mapped = new WeakSet<GPUBuffer>();
    /** The last promise of each buffer, while it is not fulfilled. */
    const promises = new Map<GPUBuffer, Promise<unknown>>();
    let numAtOnce = 0;
    GPUDevice.prototype.createBuffer = function (this: GPUDevice, descriptor) {
      const buffer = createBuffer.call(this, descriptor);
      if (descriptor.mappedAtCreation) mappedBefore.add(buffer);
      return buffer;
    };
    const watching: Partial<Wrapped> = {
      mapAsync(this: GPUBuffer, ...args) {
        const promise = mapAsync.apply(this, args).finally(() => {
          mappedBefore.add(this);
          if (promises.get(this) === promise) promises.delete(this);
        });
        promises.set(this, promise);
        mapped.add(this);
        return promise;
      },
      getMappedRange(this: GPUBuffer, ...args) {
        if (!mappedBefore.has(this)) {
          problems.push(`${this.size} bytes were never mapped before`);
          throw new Error("Here Deno aborts");
        }
        if (promises.has(this)) numAtOnce++;
        return getMappedRange.apply(this, args);
      },
      unmap(this: GPUBuffer) {
        mapped.delete(this);
        return unmap.call(this);
      },
      destroy(this: GPUBuffer) {
        if (mapped.has(this)) problems.push(`${this.size} bytes are mapped at their end`);
        return destroy.call(this);
      },
    };
    try {
      await withBuffers(watching, async () => {
        await withDevice(async (device) => {
          await readRounds(device, 3);
          await device.reads.idle();
        });
        assertEquals(promises.size, 0, "promises that nobody awaited");
      });
    } finally {
      GPUDevice.prototype.createBuffer = createBuffer;
    }
    assertEquals(problems, []);
    // The large buffer is waited for in the first round.
    assertEquals(numAtOnce, 3 * RANGES.length - 2 + 1);
  },
);

deviceTest("where a runtime maps a buffer later, its promise is awaited", async () => {
  const { mapAsync } = GPUBuffer.prototype;
  let numLate = 0;
  const later: Partial<Wrapped> = {
    async mapAsync(this: GPUBuffer, ...args) {
      await turns(1);
      numLate++;
      return await mapAsync.apply(this, args);
    },
  };
  await withBuffers(later, () =>
    withDevice(async (device) => {
      await readRounds(device, 2);
      await device.reads.idle();
    }));
  assertEquals(numLate, 2 * SIZES.length + 1);
});

/** Where a wait may begin in a turn of the event loop. */
const BEGINNINGS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a microtask": () => Promise.resolve(),
  "a timer": () => new Promise((resolve) => setTimeout(resolve)),
  "an immediate": () => new Promise<void>((resolve) => setImmediate(resolve)),
  "an operation": () => Deno.stat("."),
};

for (const [title, begin] of Object.entries(BEGINNINGS)) {
  deviceTest(`an error of what was submitted ends the wait for it, from ${title}`, async () => {
    for (let round = 0; round < 3; round++) {
      await withDevice(async (device) => {
        const buffer = device.reads.createBuffer("read", 64);
        submitWords(device, [buffer], 0);
        await begin();
        device.gpu.createBuffer({ size: 16, usage: 0xffff });
        const range = { buffer, byteStart: 0, bytes: 8 };
        const read = () => device.reads.read([range]);
        await assertRejects(read, DeviceError, "The device failed: ");
      });
    }
  });
}

deviceTest("waits that begin together block once, behind all that was submitted", async () => {
  const calls: string[] = [];
  const { submit } = GPUQueue.prototype;
  const { mapAsync } = GPUBuffer.prototype;
  const recorded: Partial<Wrapped> = {
    mapAsync(this: GPUBuffer, ...args) {
      calls.push("map");
      return mapAsync.apply(this, args);
    },
  };
  GPUQueue.prototype.submit = function (this: GPUQueue, ...args) {
    calls.push("submit");
    return submit.apply(this, args);
  };
  try {
    await withBuffers(recorded, () =>
      withDevice(async (device) => {
        await Promise.all([1, 2, 3].map(async (numTurns) => {
          for (let k = 0; k < numTurns; k++) await undefined;
          await device.reads.idle();
        }));
      }));
  } finally {
    GPUQueue.prototype.submit = submit;
  }
  assertEquals(calls, [...Array(3).fill("submit"), ...Array(3).fill("map")]);
});

deviceTest("timers come to their turn between waits", () =>
  withDevice(async (device) => {
    let numWaits = 0;
    let isDue = false;
    setTimeout(() => isDue = true, 1);
    // Far more than a millisecond has.
    while (!isDue && ++numWaits < 10_000) await device.reads.idle();
    assert(isDue, `${numWaits} waits, and no timer`);
  }));

deviceTest("a wait on a device that is closed meanwhile is a DeviceError", async () => {
  const device = (await requestWebGpuDevice(anyDevice))!;
  const buffers = SIZES.map((size) => device.reads.createBuffer("read", size));
  submitWords(device, buffers, 0);
  const waits = buffers.map((buffer) => device.reads.read([{ buffer, byteStart: 0, bytes: 8 }]));
  const closing = device.destroy();
  for (const wait of await Promise.allSettled(waits)) {
    assertEquals(wait.status, "rejected");
    assertEquals(`${(wait as PromiseRejectedResult).reason}`, "DeviceError: The device was closed");
  }
  await closing;
});
