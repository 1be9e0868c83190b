/**
 * Opens the adapter of this machine.
 *
 * @module
 */

import { DeviceError } from "../../../base/errors/device_error.ts";
import { type AdapterDescription, describeGpuAdapter } from "./adapter.ts";
import { oneLine } from "./driver_message.ts";
import { quietly } from "./quiet_drivers.ts";

/** A device and its adapter. */
interface OpenedGpu {
  readonly gpu: GPUDevice;
  readonly adapter: AdapterDescription;
}

/** Timestamps; and a feature that all adapters have except those that come through GL. */
const FEATURES = ["timestamp-query", "rg11b10ufloat-renderable"] as const;

/**
 * Opens a device with all limits of its adapter, hardware before software. Returns null if there
 * is no adapter, or only a software one and `software` is false. Throws a `DeviceError`.
 */
export async function openGpu(
  options: { readonly software: boolean },
): Promise<OpenedGpu | null> {
  const adapter = await requestAdapter();
  if (adapter === null) return null;
  const description = describeGpuAdapter(adapter);
  if (description.software && !options.software) return null;
  try {
    const gpu = await adapter.requestDevice({
      label: "sluice",
      requiredFeatures: FEATURES.filter((name) => adapter.features.has(name)),
      requiredLimits: limitsOf(adapter),
    });
    return { gpu, adapter: description };
  } catch (error) {
    const message = `Cannot open ${description.name}: ${oneLine(String(error))}`;
    throw new DeviceError(message, { cause: error });
  }
}

/** Returns the adapter of this machine; null if there is none or WebGPU does not exist. */
export async function requestAdapter(): Promise<GPUAdapter | null> {
  const gpu = globalThis.navigator?.gpu;
  if (gpu === undefined) return null;
  try {
    return await quietly(() => gpu.requestAdapter({ powerPreference: "high-performance" }));
  } catch {
    return null;
  }
}

/**
 * Returns the limits of the adapter; WebGPU's defaults are lower than those of nearly every
 * adapter.
 */
function limitsOf(adapter: GPUAdapter): Record<string, number> {
  const { limits } = adapter;
  return {
    maxBufferSize: limits.maxBufferSize,
    maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
  };
}
