/** Backends that make text in one pass wherever that can be, or never. */

import { WebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { isNotThroughGl } from "../../gpu/webgpu/dispatch/choices.ts";
import type { TileOptions } from "../../gpu/webgpu/dispatch/tiles.ts";

/** A backend on the same device, which makes text in such passes; it is closed with the other one. */
export function inPasses({ context }: WebGpuBackend, use: TileOptions["use"]): WebGpuBackend {
  return new WebGpuBackend({ ...context, tiles: { ...context.tiles, use } });
}

/** Whether a device can make text in one pass: not through GL, where some drivers never end. */
export function canBeOnePass({ context }: WebGpuBackend): boolean {
  return isNotThroughGl(context.device.gpu.features);
}
