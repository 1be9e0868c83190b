/**
 * How many lanes a row gets, where its text is long enough for several.
 *
 * Neighbouring lanes that own a row each read words that lie a row apart; several lanes of one row read
 * words side by side, and a batch of few long rows has more to do for a card. But where lanes mark rows,
 * a dispatch more is needed, and what they have found is written and read again.
 *
 * @module
 */

import type { WebGpuDevice } from "../device/device.ts";
import { type Ways, waysOf } from "./ways.ts";

/** Whether rows get several lanes, which is the other way. */
export interface LaneOptions extends Ways {
  /** Lanes of a row, whatever its size: for tests. */
  readonly width?: LaneWidth;
}

/** Several lanes of a row. */
export type LaneWidth = 8 | 16 | 32;

/** What a device does unless it is told. */
export function laneOptions(device: WebGpuDevice): LaneOptions {
  return waysOf(device, ["marks", "copies"]);
}

/** Bytes of a row from which on it gets so many lanes; beyond the last it has one again. */
const FEWEST_BYTES: readonly (readonly [bytes: number, width: LaneWidth | 1])[] = [
  [4097, 1],
  [512, 32],
  [256, 16],
  [64, 8],
  [0, 1],
];

/** Returns the most lanes for rows with an average of `rowBytes` bytes. */
export function widthFor(rowBytes: number): LaneWidth | 1 {
  return FEWEST_BYTES.find(([bytes]) => rowBytes >= bytes)![1];
}
