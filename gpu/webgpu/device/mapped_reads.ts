/**
 * Copies bytes of buffers to the host as soon as the device has written them.
 *
 * Deno's `mapAsync` blocks until all submitted work is done, and maps the buffer. Then it sleeps
 * for 10 ms before its promise is fulfilled. So `read` asks for the mapped range right away, and
 * awaits the promise only where the buffer is not mapped yet, as in browsers. `end` awaits the
 * other promises when the device is closed.
 *
 * Deno aborts the process if the range is requested before the buffer was ever mapped. Therefore
 * small buffers are mapped when they are created. The first read of a large one, for which that
 * takes longer, awaits the promise.
 *
 * @module
 */

import { hasShortTurns, turnOfEventLoop } from "../../../base/event_loop.ts";

/** A device that reports its loss. */
interface WaitedDevice {
  readonly gpu: GPUDevice;
  settle<T>(promise: Promise<T>): Promise<T>;
  attempt<T>(call: () => T): T;
}

/** A range of a buffer that `MappedReads` created. */
export interface MappedRange {
  readonly buffer: GPUBuffer;
  /** A multiple of 8. */
  readonly byteStart: number;
  /** A multiple of 4. */
  readonly bytes: number;
}

/** The mapped part of one buffer, from its first byte to the end of the last range. */
interface Mapping {
  readonly buffer: GPUBuffer;
  byteStop: number;
  /** The indices of its ranges. */
  readonly ranges: number[];
}

const MAP_READ = 0x01;
const COPY_DST = 0x08;

/**
 * The most bytes of a buffer that is mapped when it is created: Deno allocates that many zeros and
 * copies them. On Mesa's lavapipe this took up to 0.6 ms for 1 MiB, and about 200 ms for 64 MiB.
 */
const MAPPED_AT_CREATION_BYTES = 1 << 20;

/** Waits for one device, and reads its buffers. */
export class MappedReads {
  readonly #device: WaitedDevice;
  /** The buffers that were mapped before. */
  readonly #mappedBefore = new WeakSet<GPUBuffer>();
  /** The promises of mappings that nobody awaited. */
  readonly #unawaited = new Set<Promise<unknown>>();

  constructor(device: WaitedDevice) {
    this.#device = device;
  }

  /** Creates a buffer that work can copy to, and that `read` can read. */
  createBuffer(label: string, size: number): GPUBuffer {
    const mappedAtCreation = size <= MAPPED_AT_CREATION_BYTES;
    const usage = MAP_READ | COPY_DST;
    const buffer = this.#device.gpu.createBuffer({ label, size, usage, mappedAtCreation });
    if (!mappedAtCreation) return buffer;
    try {
      buffer.unmap();
      this.#mappedBefore.add(buffer);
    } catch {
      // The buffer could not be created; the error scope reports that.
    }
    return buffer;
  }

  /**
   * Waits for the submitted work, and copies ranges to the host, each to a buffer of its own.
   * Nobody else may map these buffers meanwhile. Rejects with a `DeviceError`.
   *
   * The event loop turns once before the call blocks: other work can be submitted, which this wait
   * then covers, timers and signals run, and errors of submitted work are reported.
   */
  async read(ranges: readonly MappedRange[]): Promise<ArrayBuffer[]> {
    const results = ranges.map(() => new ArrayBuffer(0));
    const mappings = mappingsOf(ranges);
    if (mappings.length === 0) return results;
    // Elsewhere, awaiting the promise turns the event loop.
    if (hasShortTurns) await turnOfEventLoop();
    const device = this.#device;
    const takeFrom = ({ buffer, ranges: numbers }: Mapping) => {
      for (const k of numbers) {
        const { byteStart, bytes } = ranges[k]!;
        // A mapped range is already a copy; `transfer` lets it outlive the mapping.
        results[k] = buffer.getMappedRange(byteStart, bytes).transfer();
      }
      buffer.unmap();
    };
    const late: Mapping[] = [];
    const promises: Promise<unknown>[] = [];
    for (const mapping of mappings) {
      const { buffer, byteStop } = mapping;
      const promise = device.attempt(() => buffer.mapAsync(MAP_READ, 0, byteStop));
      // It may reject before it is awaited.
      promise.catch(() => {});
      if (this.#mappedBefore.has(buffer) && succeeds(() => takeFrom(mapping))) this.#keep(promise);
      else {
        late.push(mapping);
        promises.push(promise);
      }
    }
    if (late.length > 0) await device.settle(Promise.all(promises));
    for (const mapping of late) {
      this.#mappedBefore.add(mapping.buffer);
      device.attempt(() => takeFrom(mapping));
    }
    return results;
  }

  /** Waits until all submitted work is done. Rejects with a `DeviceError`. */
  async idle(): Promise<void> {
    const { gpu } = this.#device;
    const buffer = this.createBuffer("idle", 8);
    // A buffer that no work uses would be mapped immediately.
    const encoder = gpu.createCommandEncoder({ label: "idle" });
    encoder.clearBuffer(buffer);
    gpu.queue.submit([encoder.finish()]);
    try {
      await this.read([{ buffer, byteStart: 0, bytes: 8 }]);
    } finally {
      buffer.destroy();
    }
  }

  /** Resolves when no promise is left. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#unawaited);
  }

  #keep(promise: Promise<unknown>): void {
    this.#unawaited.add(promise);
    const forget = () => this.#unawaited.delete(promise);
    promise.then(forget, forget);
  }
}

function mappingsOf(ranges: readonly MappedRange[]): Mapping[] {
  const mappings = new Map<GPUBuffer, Mapping>();
  for (const [k, { buffer, byteStart, bytes }] of ranges.entries()) {
    if (bytes === 0) continue;
    const mapping = mappings.get(buffer) ?? { buffer, byteStop: 0, ranges: [] };
    mappings.set(buffer, mapping);
    mapping.byteStop = Math.max(mapping.byteStop, byteStart + bytes);
    mapping.ranges.push(k);
  }
  return [...mappings.values()];
}

function succeeds(call: () => void): boolean {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}
