/** Tests that need a WebGPU adapter. */

import { isNotThroughGl } from "../../gpu/webgpu/dispatch/choices.ts";
import { describeGpuAdapter } from "../../gpu/webgpu/device/adapter.ts";
import { SeededRandom } from "./seeded_random.ts";

/** Bytes of a new buffer that are filled, at most. */
const MOST_BYTES = 4 << 20;

/**
 * Makes new buffers of devices begin with random bytes. A new buffer is full of zeros, one that a pool
 * lends again is not: a kernel may count on neither, nor on what lies behind the rows that it writes.
 */
export function fillNewBuffers(): void {
  if (typeof GPUDevice === "undefined") return;
  const random = new SeededRandom(7);
  const noise = Uint32Array.from({ length: 16 << 10 }, () => random.below(2 ** 32));
  const { createBuffer } = GPUDevice.prototype;
  GPUDevice.prototype.createBuffer = function (descriptor) {
    const buffer = createBuffer.call(this, descriptor);
    const wanted = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    if ((descriptor.usage & wanted) !== wanted) return buffer;
    const stop = Math.min(buffer.size, MOST_BYTES);
    for (let at = 0; at < stop; at += noise.byteLength) {
      const numWords = Math.min(noise.length, (stop - at) >> 2);
      this.queue.writeBuffer(buffer, at, noise.subarray(0, numWords));
    }
    return buffer;
  };
}

fillNewBuffers();
const adapter = await navigator.gpu?.requestAdapter() ?? null;
/** Whether the adapter is software, or there is none; one that a test takes for hardware is not. */
export const isSoftware: boolean = adapter === null || describeGpuAdapter(adapter).software;

/** Whether the adapter comes through GL; there text is never made in one pass. */
export const isThroughGl: boolean = adapter !== null && !isNotThroughGl(adapter.features);

const required = Deno.env.get("SLUICE_REQUIRE_ADAPTER") === "1";

/**
 * Registers a test of the device. Without an adapter it is reported as ignored, with the reason in
 * its title; with SLUICE_REQUIRE_ADAPTER=1 it fails instead.
 */
export function deviceTest(name: string, fn: (t: Deno.TestContext) => void | Promise<void>): void {
  if (adapter !== null) {
    Deno.test({ name, fn });
  } else if (required) {
    Deno.test(name, () => {
      throw new Error("SLUICE_REQUIRE_ADAPTER is 1 and there is no WebGPU adapter");
    });
  } else {
    Deno.test({ name: `${name} (ignored: no WebGPU adapter)`, ignore: true, fn });
  }
}
