/**
 * How many lanes a row gets, where its text is long enough for several.
 *
 * Neighbouring lanes that own a row each read words that lie a row apart; several lanes of one row read
 * words side by side, and a batch of few long rows has more to do for a card. But a dispatch more is
 * needed, and what the lanes have found is written and read again. So both are timed once for each kernel
 * and number of lanes. Software adapters run lanes one after the other: there a row always has one.
 *
 * @module
 */

import type { WebGpuDevice } from "../device/device.ts";
import { canBeTimed, type Choices } from "./choices.ts";

/** Whether rows get several lanes, which is the first of two ways. */
export interface LaneOptions extends Choices {
  /** Lanes of a row, whatever its size: for tests. */
  readonly width?: LaneWidth;
  /** Bytes of text of a batch from which on it can tell what is faster. */
  readonly timedBytes: number;
}

/** Several lanes of a row. */
export type LaneWidth = 8 | 16 | 32;

/** As many rows have an invocation each as a card holds, and more words than its caches. */
const TIMED_BYTES = 1 << 23;

/** What a device does unless it is told. */
export function laneOptions(device: WebGpuDevice): LaneOptions {
  return {
    use: canBeTimed(device) ? "timed" : "never",
    timedBytes: TIMED_BYTES,
    isFaster: new Map(),
  };
}

/** Bytes of a row from which on it gets so many lanes; beyond the last it has one again. */
const FEWEST_BYTES: readonly (readonly [bytes: number, width: LaneWidth | 1])[] = [
  [4097, 1],
  [512, 32],
  [256, 16],
  [64, 8],
  [0, 1],
];

/** Lanes of rows of so many bytes on average. */
export function widthFor(rowBytes: number): LaneWidth | 1 {
  return FEWEST_BYTES.find(([bytes]) => rowBytes >= bytes)![1];
}
