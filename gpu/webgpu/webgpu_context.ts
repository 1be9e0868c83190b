/**
 * What every operation on the device needs, in one place.
 *
 * @module
 */

import { BufferPool, BufferStore } from "./memory/buffer_pool.ts";
import type { WebGpuDevice } from "./device/device.ts";
import { FirstRuns } from "./dispatch/first_runs.ts";
import { LONG_ROW_BYTES } from "./kernels/long_rows.ts";
import { Pipelines } from "./dispatch/pipelines.ts";

/** A device with its buffers and its compiled kernels. */
export interface WebGpuContext {
  readonly device: WebGpuDevice;
  readonly pool: BufferPool;
  readonly pipelines: Pipelines;
  readonly firstRuns: FirstRuns;
  /** Bytes that one window of a column may have: `maxBindingBytes`, or less in tests. */
  readonly windowBytes: number;
  /** Bytes of a text above which searches in it are shared: `LONG_ROW_BYTES`, or as tests say. */
  readonly longRowBytes: number;
  /** Aborted when nobody wants the result of the operation any more. */
  readonly signal?: AbortSignal;
}

/** Gives a device its pool and its kernels. */
export function createContext(
  device: WebGpuDevice,
  options: {
    readonly budgetBytes: number;
    readonly windowBytes?: number;
    readonly longRowBytes?: number;
  },
): WebGpuContext {
  return {
    device,
    pool: new BufferPool(new BufferStore(device, options.budgetBytes)),
    pipelines: new Pipelines(device),
    firstRuns: new FirstRuns(device),
    windowBytes: Math.min(device.maxBindingBytes, options.windowBytes ?? Infinity),
    longRowBytes: options.longRowBytes ?? LONG_ROW_BYTES,
  };
}
