/** Backends that compute in the way that they are told, wherever that can be. */

import { WebGpuBackend } from "../../../gpu/webgpu/backend.ts";
import {
  isNotThroughGl,
  type LaneOptions,
  type TileOptions,
} from "../../../gpu/webgpu/dispatch/strategy_options.ts";

/** A backend on the same device, which makes text in such passes; it is closed with the other one. */
export function inPasses({ context }: WebGpuBackend, use: TileOptions["use"]): WebGpuBackend {
  return new WebGpuBackend({ ...context, tiles: { ...context.tiles, use } });
}

/** A backend on the same device, whose rows have lanes so; it is closed with the other one. */
export function inLanes(
  { context }: WebGpuBackend,
  options: Pick<LaneOptions, "use" | "width">,
): WebGpuBackend {
  return new WebGpuBackend({ ...context, lanes: { ...context.lanes, ...options } });
}

/** Whether a device can make text in one pass: not through GL, where some drivers never end. */
export function canBeOnePass({ context }: WebGpuBackend): boolean {
  return isNotThroughGl(context.device.gpu.features);
}
