/**
 * What is known about two ways to compute the same: text in one pass or in two, rows with several lanes
 * or with one. On hardware both are timed once for each kind of work (`pass_choice.ts`).
 *
 * @module
 */

import type { WebGpuDevice } from "../device/device.ts";

/** What is known about two ways, of which the second is the usual one. */
export interface Choices {
  /** `timed`: in the first way where that was faster. The others are for tests. */
  readonly use: "never" | "timed" | "always";
  /** For each kind of work (`Choice.kind`): whether the first way was faster. */
  readonly isFaster: Map<string, boolean>;
}

/** Whether work of a kind is done in the first way, as far as is known by now. */
export function isKnownToTakeFirst({ use, isFaster }: Choices, kind: string): boolean {
  return use === "always" || (use === "timed" && isFaster.get(kind) === true);
}

/** Whether ways are timed where nothing else is said: not on software, nor without a clock. */
export function canBeTimed({ adapter, gpu }: WebGpuDevice): boolean {
  return !adapter.software && isNotThroughGl(gpu.features) && gpu.features.has("timestamp-query");
}

/** Whether an adapter or a device does not come through GL: there no driver has this feature. */
export function isNotThroughGl(features: GPUSupportedFeatures): boolean {
  return features.has("rg11b10ufloat-renderable");
}
