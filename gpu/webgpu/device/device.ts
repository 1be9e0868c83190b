/**
 * The WebGPU device: how it is requested, its limits, and what happens when it is lost.
 *
 * WebGPU does not throw for a kernel that does not compile, and calls to a lost device seem to
 * succeed. So everything that can fail is created inside error scopes (`scoped`), and everything
 * that is awaited goes through `settle`, which rejects when the device is lost.
 *
 * @module
 */

import { type BackendCounters, zeroCounters } from "../../backend.ts";
import { DeviceError } from "../../../base/errors/device_error.ts";
import type { AdapterDescription } from "./adapter.ts";
import { DeviceClock } from "./clock.ts";
import { oneLine } from "./driver_message.ts";
import { MappedReads } from "./mapped_reads.ts";
import { openGpu } from "./open_gpu.ts";

/** The most bytes of a window: positions in a window are non-negative 32-bit integers. */
const MAX_WINDOW_BYTES = 2 ** 31 - 4;

/** A WebGPU device with the limits of its adapter. */
export class WebGpuDevice {
  readonly gpu: GPUDevice;
  readonly adapter: AdapterDescription;
  /** The bytes of one binding, and so of one window of a column; a multiple of 16. */
  readonly maxBindingBytes: number;
  readonly counters: BackendCounters = zeroCounters();
  /** Reads its buffers, and waits for it. */
  readonly reads: MappedReads = new MappedReads(this);
  #failure: DeviceError | null = null;
  #profile: DeviceClock | null = null;
  readonly #onFailure = new Set<(error: DeviceError) => void>();

  constructor(gpu: GPUDevice, adapter: AdapterDescription) {
    this.gpu = gpu;
    this.adapter = adapter;
    const { maxStorageBufferBindingSize, maxBufferSize } = gpu.limits;
    const bytes = Math.min(maxStorageBufferBindingSize, maxBufferSize, MAX_WINDOW_BYTES);
    // A whole number of loads of four words.
    this.maxBindingBytes = bytes - bytes % 16;
    gpu.lost.then((info) => this.fail(`The device was lost: ${oneLine(info.message)}`));
    gpu.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      this.fail(`The device failed: ${oneLine((event as GPUUncapturedErrorEvent).error.message)}`);
    });
  }

  /** The reason why the device can no longer be used; null while it can. */
  get failure(): DeviceError | null {
    return this.#failure;
  }

  /** The clock that times kernels and copies; null while there is no profile. */
  get profile(): DeviceClock | null {
    return this.#profile;
  }

  /** Times kernels and copies from now on; null if the device has no timestamps. */
  async startProfile(): Promise<DeviceClock | null> {
    return this.#profile ??= await DeviceClock.profile(this);
  }

  /** Stops timing. */
  stopProfile(): void {
    this.#profile?.[Symbol.dispose]();
    this.#profile = null;
  }

  /** Throws a `DeviceError` if the device is gone. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /**
   * Marks the device as gone, and tells everyone who waits for it. Only the first reason counts.
   */
  fail(reason: string): void {
    if (this.#failure !== null) return;
    this.#failure = new DeviceError(reason);
    for (const tell of this.#onFailure) tell(this.#failure);
    this.#onFailure.clear();
  }

  /** Calls `tell` when the device goes away; returns a function that cancels this. */
  onFailure(tell: (error: DeviceError) => void): () => void {
    this.#onFailure.add(tell);
    return () => this.#onFailure.delete(tell);
  }

  /**
   * Runs `make`, which creates a module, a pipeline or a buffer, inside error scopes, and rejects
   * with a `DeviceError` that starts with `label` if WebGPU reports an error.
   */
  async scoped<T>(label: string, make: () => T): Promise<T> {
    this.check();
    this.gpu.pushErrorScope("validation");
    this.gpu.pushErrorScope("out-of-memory");
    let scopes: Promise<[GPUError | null, GPUError | null]>;
    let made: T;
    try {
      made = make();
    } finally {
      // Popped before anything is awaited; otherwise the scopes of two calls in flight would mix.
      scopes = Promise.all([this.gpu.popErrorScope(), this.gpu.popErrorScope()]);
      scopes.catch(() => {});
    }
    const [memory, validation] = await this.settle(scopes);
    if (memory !== null) {
      throw new DeviceError(`${label}: the device is out of memory`, { cause: memory });
    }
    if (validation !== null) {
      throw new DeviceError(`${label}: ${oneLine(validation.message)}`, { cause: validation });
    }
    return made;
  }

  /**
   * Compiles a kernel, in parallel with others where the driver can. Rejects with a `DeviceError`
   * that starts with the label if it does not compile.
   */
  async compile(descriptor: GPUComputePipelineDescriptor): Promise<GPUComputePipeline> {
    this.check();
    const compiling = this.gpu.createComputePipelineAsync(descriptor).catch((error) => {
      if (error instanceof GPUPipelineError) return error;
      throw error;
    });
    const compiled = await this.settle(compiling);
    if (!(compiled instanceof GPUPipelineError)) return compiled;
    throw new DeviceError(`${descriptor.label}: ${oneLine(compiled.message)}`, { cause: compiled });
  }

  /**
   * Waits for the device. Rejects with a `DeviceError` when the device goes away or the wait itself
   * fails; then the device counts as gone.
   */
  async settle<T>(promise: Promise<T>): Promise<T> {
    // If the device is gone already, `check` throws, and nobody else handles this rejection.
    promise.catch(() => {});
    this.check();
    const gone = Promise.withResolvers<never>();
    const forget = this.onFailure(gone.reject);
    try {
      const value = await Promise.race([promise, gone.promise]);
      this.check();
      return value;
    } catch (error) {
      // Nothing that is awaited here fails on a working device.
      this.fail(`The device failed: ${oneLine(String(error))}`);
      throw this.#failure ?? error;
    } finally {
      forget();
    }
  }

  /** Makes a call that throws only if the device has just gone away. */
  attempt<T>(call: () => T): T {
    this.check();
    try {
      return call();
    } catch (error) {
      this.fail(`The device failed: ${oneLine(String(error))}`);
      throw this.#failure ?? error;
    }
  }

  /**
   * Closes the device. From now on, every use and every wait in flight ends in a `DeviceError`.
   * Resolves when the runtime no longer needs the device.
   */
  async destroy(): Promise<void> {
    this.fail("The device was closed");
    this.gpu.destroy();
    await this.reads.end();
  }
}

/** Options of a device. */
export interface DeviceOptions {
  /** Whether a software adapter is acceptable. */
  readonly software: boolean;
}

/**
 * Requests a device with all limits of its adapter, hardware before software. Returns null if
 * there is no adapter, or only a software one and `software` is false.
 */
export async function requestWebGpuDevice(options: DeviceOptions): Promise<WebGpuDevice | null> {
  const opened = await openGpu(options);
  return opened && new WebGpuDevice(opened.gpu, opened.adapter);
}
