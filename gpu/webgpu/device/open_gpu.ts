/**
 * The way to the adapter of this machine, and as much of WebGPU as is used of it.
 *
 * @module
 */

import { DeviceError } from "../../errors.ts";
import { type AdapterDescription, describeGpuAdapter } from "./adapter.ts";
import { oneLine } from "./driver_message.ts";
import { quietly } from "./quiet_drivers.ts";

/** As much of a queue as is used. */
export type GpuQueue =
  & Pick<GPUQueue, "submit" | "onSubmittedWorkDone">
  & { writeBuffer(buffer: GPUBuffer, offset: number, data: GpuData): void };

/** What is written into buffers: bytes or words, not of shared memory. */
export type GpuData = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** Limits that are looked at. */
export const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "minUniformBufferOffsetAlignment",
] as const;

/** As much of a `GPUDevice` as is used: one of this thread, or of another one (`remote/`). */
export type Gpu =
  & Pick<
    GPUDevice,
    | "features"
    | "addEventListener"
    | "pushErrorScope"
    | "popErrorScope"
    | "createBuffer"
    | "createQuerySet"
    | "createShaderModule"
    | "createBindGroupLayout"
    | "createPipelineLayout"
    | "createComputePipelineAsync"
    | "createBindGroup"
    | "createCommandEncoder"
  >
  & {
    readonly limits: Pick<GPUSupportedLimits, typeof LIMITS[number]>;
    readonly lost: Promise<{ readonly message: string }>;
    readonly queue: GpuQueue;
    /** Fulfilled when the thread of the device has ended, if it has one. */
    destroy(): undefined | Promise<void>;
  };

/** A device, and the adapter that it is of. */
export interface OpenedGpu<T extends Gpu = Gpu> {
  readonly gpu: T;
  readonly adapter: AdapterDescription;
}

/** What work is timed by; and what all adapters have but those that come through GL. */
const FEATURES = ["timestamp-query", "rg11b10ufloat-renderable"] as const;

/**
 * Opens a device of this thread with all that its adapter offers, hardware before software. Null where
 * there is no adapter, or only a software one and `software` is not true. Throws a DeviceError.
 */
export async function openGpu(
  options: { readonly software: boolean },
): Promise<OpenedGpu<GPUDevice> | null> {
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

/** The adapter of this machine; null where there is none or WebGPU does not exist. */
export async function requestAdapter(): Promise<GPUAdapter | null> {
  const gpu = globalThis.navigator?.gpu;
  if (gpu === undefined) return null;
  try {
    return await quietly(() => gpu.requestAdapter({ powerPreference: "high-performance" }));
  } catch {
    return null;
  }
}

/** The defaults of WebGPU are lower than what nearly every adapter has. */
function limitsOf(adapter: GPUAdapter): Record<string, number> {
  const { limits } = adapter;
  return {
    maxBufferSize: limits.maxBufferSize,
    maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
    maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
  };
}
