/**
 * The context of every operation: a device, its buffers, its compiled kernels, and its options.
 *
 * @module
 */

import type { Backend } from "../../backend.ts";
import { createHostBackend } from "../../host/backend.ts";
import { BufferPool, BufferStore } from "../memory/buffer_pool.ts";
import type { WebGpuDevice } from "../device/device.ts";
import { FirstRuns, Pipelines } from "./pipelines.ts";
import {
  type LaneOptions,
  laneOptions,
  type TileOptions,
  tileOptions,
} from "./strategy_options.ts";

/**
 * The size of a text, in bytes, above which a search in it gets a workgroup of its own. Its 64
 * invocations read 16 bytes each, which finds distant hits sooner. But all of them run the code of
 * the row, so rows with many close hits gain only if there are too few rows to fill the device. On
 * a software adapter, which pays for every invocation, the loops of a single one reach this far.
 * The number was not tuned on hardware.
 */
const LONG_ROW_BYTES = 12_288;

/**
 * The size of a text result, in bytes, up to which it is cheaper to reserve and transfer the upper
 * bound than to wait for the exact size. The number was not tuned on hardware.
 */
const SURE_BYTES = 2 ** 20;

/**
 * The size of text, in bytes, up to which the host checks sooner than a card whether it is ASCII:
 * the host reads about 4 GB a second and need not wait. The number was not tuned on hardware. A
 * software adapter is never faster: Mesa's lavapipe took 215 to 270 ms for 97 MB where the host
 * took 16 to 64.
 */
const INSPECTED_BYTES = 2 ** 20;

/** A device with its buffers and its compiled kernels. */
export interface WebGpuContext {
  readonly device: WebGpuDevice;
  readonly pool: BufferPool;
  readonly pipelines: Pipelines;
  readonly firstRuns: FirstRuns;
  /** The backend that computes what the device cannot. */
  readonly host: Backend;
  /** The most bytes of a window of a column: `maxBindingBytes`, or less in tests. */
  readonly windowBytes: number;
  /**
   * The bytes of a text above which a workgroup searches it: `LONG_ROW_BYTES`, or less in tests.
   */
  readonly longRowBytes: number;
  /**
   * The bytes up to which a text result is allocated with the upper bound from its kernel's code,
   * without waiting for its size: `SURE_BYTES`, or 0 in tests.
   */
  readonly sureBytes: number;
  /** The bytes of text up to which the host checks whether it is ASCII; the device checks more. */
  readonly inspectedBytes: number;
  /** Whether and how one pass computes text. */
  readonly tiles: TileOptions;
  /** Whether rows get several lanes. */
  readonly lanes: LaneOptions;
  /** Aborts when the result of the operation is no longer wanted. */
  readonly signal?: AbortSignal;
}

/** Creates the context of a device: its pool, its kernels and its options. */
export function createContext(
  device: WebGpuDevice,
  options: {
    readonly budgetBytes: number;
    readonly windowBytes?: number;
    readonly longRowBytes?: number;
    readonly tiles?: TileOptions;
    readonly lanes?: LaneOptions;
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
    sureBytes: SURE_BYTES,
    inspectedBytes: device.adapter.software ? Infinity : INSPECTED_BYTES,
    tiles: options.tiles ?? tileOptions(device),
    lanes: options.lanes ?? laneOptions(device),
  };
}
