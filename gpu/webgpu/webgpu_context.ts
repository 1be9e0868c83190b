/**
 * What every operation on the device needs, in one place.
 *
 * @module
 */

import type { Backend } from "../backend.ts";
import { createHostBackend } from "../host/backend.ts";
import { BufferPool, BufferStore } from "./memory/buffer_pool.ts";
import type { WebGpuDevice } from "./device/device.ts";
import { FirstRuns, Pipelines } from "./dispatch/pipelines.ts";

/**
 * Bytes of a text above which its row gets a workgroup where it is searched in. Far hits are found
 * sooner then, 64 invocations looking at 16 bytes each and more; but all of them go through the code
 * of the row, so rows with many near hits gain only where there are too few for the device. On a
 * software adapter, which pays for all of them, the loops of an invocation alone reach as far as this.
 * No hardware was at hand to measure where it pays.
 */
const LONG_ROW_BYTES = 12_288;

/** A device with its buffers and its compiled kernels. */
export interface WebGpuContext {
  readonly device: WebGpuDevice;
  readonly pool: BufferPool;
  readonly pipelines: Pipelines;
  readonly firstRuns: FirstRuns;
  /** Computes what the device cannot. */
  readonly host: Backend;
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
    host: createHostBackend({ threads: 1 }),
    windowBytes: Math.min(device.maxBindingBytes, options.windowBytes ?? Infinity),
    longRowBytes: options.longRowBytes ?? LONG_ROW_BYTES,
  };
}
