import { SeededRandom } from "../random/seeded_random.ts";

/** Bytes of a new buffer that are filled, at most. */
const MOST_BYTES = 4 << 20;

/**
 * Makes new buffers of the devices of this thread begin with random bytes. A new buffer is full of
 * zeros, one that a pool lends again is not: a kernel may count on neither, nor on what lies behind the
 * rows that it writes.
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
