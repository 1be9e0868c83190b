/**
 * Pools buffers of the device by size class, under a byte budget.
 *
 * WebGPU frees a dropped buffer too late to rely on, and zeroes a new one; so every buffer comes
 * from this pool and returns to it. A buffer may be released as soon as the work that uses it is
 * submitted: the queue runs in order. A buffer keeps its old contents.
 *
 * @module
 */

import { InternalError } from "../../../base/errors/internal_error.ts";
import type { WebGpuDevice } from "../device/device.ts";
import { MemoryBudget } from "./memory_budget.ts";

/** The use of a buffer. Uniform buffers are small and do not count against the budget. */
type BufferUse = "storage" | "staging" | "uniform";

/** A buffer in use. Its owner releases it exactly once. */
export interface PooledBuffer {
  readonly buffer: GPUBuffer;
  /** The size of the buffer; at least the requested one. */
  readonly bytes: number;
  /** Returns the buffer to the pool. */
  release(): void;
}

/** The bytes of a uniform buffer: the parameters of up to 64 dispatches. */
export const UNIFORM_BYTES = 16 * 1024;

const MIN_BYTES = 1024;

/** The buffers of a device as one batch sees them, in use and idle. */
export class BufferPool {
  readonly #store: BufferStore;
  readonly #batch: number;

  constructor(store: BufferStore, batch: number = 0) {
    this.#store = store;
    this.#batch = batch;
  }

  /** The bytes that may be in use before requests wait. */
  get budgetBytes(): number {
    return this.#store.budget.budgetBytes;
  }

  /** The bytes of storage and staging buffers in use, without idle buffers. */
  get inUseBytes(): number {
    return this.#store.budget.inUseBytes;
  }

  /** The number of buffers in use, without idle ones. */
  get inUseBuffers(): number {
    return this.#store.inUseBuffers;
  }

  /** The most bytes that were ever in use at the same time. */
  get peakBytes(): number {
    return this.#store.budget.peakBytes;
  }

  /**
   * Returns the same pool for the requests of a batch. Where memory is short, batches with smaller
   * numbers come first.
   */
  forBatch(batch: number): BufferPool {
    return new BufferPool(this.#store, batch);
  }

  /** Runs an operation for the batch. */
  async operation<T>(run: () => Promise<T>): Promise<T> {
    const { device, budget } = this.#store;
    device.check();
    budget.begin(this.#batch);
    try {
      return await run();
    } finally {
      budget.end(this.#batch);
    }
  }

  /** Takes a buffer of at least `bytes` bytes; waits while the budget is exhausted. */
  async acquire(
    use: Exclude<BufferUse, "uniform">,
    bytes: number,
    label: string,
  ): Promise<PooledBuffer> {
    const { device, budget } = this.#store;
    device.check();
    const size = sizeClass(bytes, device.maxBindingBytes);
    await budget.reserve(this.#batch, size);
    try {
      return await this.#store.take(use, size, label);
    } catch (error) {
      budget.free(size);
      throw error;
    }
  }

  /** Takes a uniform buffer of `UNIFORM_BYTES` bytes; never waits. */
  acquireUniform(): PooledBuffer {
    return this.#store.takeUniform();
  }

  /** Destroys the idle buffers. */
  trim(): void {
    this.#store.trim();
  }
}

interface IdleBuffer {
  readonly use: BufferUse;
  readonly buffer: GPUBuffer;
}

/** The buffers after all views of a pool. */
export class BufferStore {
  readonly device: WebGpuDevice;
  readonly budget: MemoryBudget;
  /** Oldest first. */
  readonly #idle: IdleBuffer[] = [];
  #idleBytes = 0;
  #inUseBuffers = 0;

  constructor(device: WebGpuDevice, budgetBytes: number) {
    this.device = device;
    this.budget = new MemoryBudget(budgetBytes);
    device.onFailure((error) => {
      this.budget.giveUp(error);
      this.trim();
    });
  }

  get inUseBuffers(): number {
    return this.#inUseBuffers;
  }

  /** Takes a buffer of a size whose bytes are reserved. */
  async take(use: BufferUse, size: number, label: string): Promise<PooledBuffer> {
    this.device.check();
    const buffer = this.#takeIdle(use, size) ?? await this.#create(use, size, label);
    buffer.label = label;
    return this.#lend(use, buffer, size);
  }

  takeUniform(): PooledBuffer {
    this.device.check();
    const buffer = this.#takeIdle("uniform", UNIFORM_BYTES) ??
      this.#count(this.#createNow("uniform", UNIFORM_BYTES, "params"));
    return this.#lend("uniform", buffer, 0);
  }

  trim(): void {
    this.#evict(Infinity);
  }

  #lend(use: BufferUse, buffer: GPUBuffer, reserved: number): PooledBuffer {
    this.#inUseBuffers++;
    let released = false;
    const release = () => {
      if (released) throw new InternalError(`Buffer ${buffer.label} was given back twice`);
      released = true;
      this.#inUseBuffers--;
      this.#idle.push({ use, buffer });
      this.#idleBytes += buffer.size;
      if (this.device.failure !== null) this.trim();
      this.budget.free(reserved);
      this.#evictExcess();
    };
    return { buffer, bytes: buffer.size, release };
  }

  #takeIdle(use: BufferUse, size: number): GPUBuffer | null {
    const at = this.#idle.findLastIndex((idle) => idle.use === use && idle.buffer.size === size);
    if (at < 0) return null;
    this.#idleBytes -= size;
    return this.#idle.splice(at, 1)[0]!.buffer;
  }

  /** Destroys idle buffers beyond what the budget has left. */
  #evictExcess(): void {
    this.#evict(this.budget.inUseBytes + this.#idleBytes - this.budget.budgetBytes);
  }

  /** Destroys idle buffers of `bytes` bytes in total, oldest first. */
  #evict(bytes: number): void {
    for (let left = bytes; left > 0 && this.#idle.length > 0;) {
      const { buffer } = this.#idle.shift()!;
      left -= buffer.size;
      this.#idleBytes -= buffer.size;
      this.device.counters.liveBuffers--;
      this.device.counters.liveBytes -= buffer.size;
      buffer.destroy();
    }
  }

  async #create(use: BufferUse, size: number, label: string): Promise<GPUBuffer> {
    this.#evictExcess();
    const make = () => this.device.scoped(label, () => this.#createNow(use, size, label));
    try {
      return this.#count(await make());
    } catch (error) {
      // The system may have less memory than the budget; free the idle buffers and try once more.
      if (this.#idle.length === 0) throw error;
      this.trim();
      return this.#count(await make());
    }
  }

  #createNow(use: BufferUse, size: number, label: string): GPUBuffer {
    const { gpu, reads } = this.device;
    if (use === "staging") return reads.createBuffer(label, size);
    return gpu.createBuffer({ label, size, usage: USAGE[use] });
  }

  #count(buffer: GPUBuffer): GPUBuffer {
    this.device.counters.liveBuffers++;
    this.device.counters.liveBytes += buffer.size;
    return buffer;
  }
}

const USAGE: Readonly<Record<Exclude<BufferUse, "staging">, number>> = {
  storage: 0x80 | 0x08 | 0x04, // STORAGE, COPY_DST, COPY_SRC
  uniform: 0x40 | 0x08, // UNIFORM, COPY_DST
};

/**
 * Rounds up to one of four steps for each power of two, which wastes at most a fifth of a buffer.
 * The result exceeds `limit` only if the request does.
 */
export function sizeClass(bytes: number, limit: number): number {
  if (bytes <= MIN_BYTES) return MIN_BYTES;
  const step = 2 ** (Math.floor(Math.log2(bytes - 1)) - 2);
  const size = Math.ceil(bytes / step) * step;
  return bytes <= limit ? Math.min(size, limit) : size;
}
