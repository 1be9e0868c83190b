/**
 * The clock of a device: what work takes there, apart from the wait for it.
 *
 * @module
 */

import type { WebGpuDevice } from "./device.ts";

/** Work that can be sent at once. */
interface Submittable {
  submit(): void;
}

// QUERY_RESOLVE, COPY_SRC; MAP_READ, COPY_DST
const RESOLVED_USAGE = 0x200 | 0x04;
const STAGING_USAGE = 0x01 | 0x08;

/** Bytes of two timestamps. */
const BYTES = 16;

/** Times work on a device that has the feature `timestamp-query`. */
export class DeviceClock implements Disposable {
  readonly #device: WebGpuDevice;
  readonly #timestamps: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;

  constructor(device: WebGpuDevice) {
    const { gpu } = device;
    const label = "clock";
    this.#device = device;
    this.#timestamps = gpu.createQuerySet({ label, type: "timestamp", count: 2 });
    this.#resolved = gpu.createBuffer({ label, size: BYTES, usage: RESOLVED_USAGE });
    this.#staging = gpu.createBuffer({ label, size: BYTES, usage: STAGING_USAGE });
  }

  /** Submits work to the idle device and waits for it; returns the ticks that it took. */
  async ticksOf(work: Submittable): Promise<number> {
    const { gpu } = this.#device;
    await this.#device.settle(gpu.queue.onSubmittedWorkDone());
    const start = gpu.createCommandEncoder({ label: "clock" });
    this.#stamp(start, 0);
    gpu.queue.submit([start.finish()]);
    work.submit();
    const stop = gpu.createCommandEncoder({ label: "clock" });
    this.#stamp(stop, 1);
    stop.resolveQuerySet(this.#timestamps, 0, 2, this.#resolved, 0);
    stop.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, BYTES);
    gpu.queue.submit([stop.finish()]);
    await this.#device.settle(this.#staging.mapAsync(0x01, 0, BYTES));
    const [from, to] = new BigUint64Array(this.#staging.getMappedRange(0, BYTES));
    const ticks = Number(to! - from!);
    this.#staging.unmap();
    return ticks;
  }

  [Symbol.dispose](): void {
    this.#timestamps.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }

  /** Timestamps stand at the ends of passes only. */
  #stamp(encoder: GPUCommandEncoder, index: number): void {
    const timestampWrites = { querySet: this.#timestamps, endOfPassWriteIndex: index };
    encoder.beginComputePass({ label: "clock", timestampWrites }).end();
  }
}
