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
 * Bytes of a text above which a search in it gets a workgroup of its own. Its 64 invocations look at
 * 16 bytes each, so that far hits are found sooner. But all of them run the code of the row, so rows
 * with many near hits gain only if there are too few rows to fill the device. On a software adapter,
 * which pays for every invocation, the loops of a single one reach this far. The number was not tuned
 * on hardware.
 */
const LONG_ROW_BYTES = 12_288;

/**
 * Bytes of text that take less time to be made and to travel for nothing than a wait for their number
 * takes. The number was not tuned on hardware.
 */
const SURE_BYTES = 2 ** 20;

/**
 * Bytes of text up to which the host finds out sooner than a card whether it is ASCII: it looks at some 4
 * GB in a second, and need not wait. The number was not tuned on hardware. A software adapter never finds
 * it out sooner: Mesa's lavapipe took 215 to 270 ms for 97 MB where the host took 16 to 64.
 */
const INSPECTED_BYTES = 2 ** 20;

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
  /** Bytes of a text above which a workgroup searches it: `LONG_ROW_BYTES`, or less in tests. */
  readonly longRowBytes: number;
  /**
   * Bytes up to which text gets as much room as the code of its kernel says that it takes at most, and
   * is not waited for: `SURE_BYTES`, or none in tests.
   */
  readonly sureBytes: number;
  /** Bytes of text up to which the host looks whether it is ASCII; the device looks at more. */
  readonly inspectedBytes: number;
  /** Whether and how text is made in one pass. */
  readonly tiles: TileOptions;
  /** Whether rows get several lanes. */
  readonly lanes: LaneOptions;
  /** Aborted when the result of the operation is no longer wanted. */
  readonly signal?: AbortSignal;
}

/** Gives a device its pool and its kernels. */
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
