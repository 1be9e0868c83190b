/**
 * Describes an adapter, for `sluice doctor` and for the choice between the device and the host.
 *
 * @module
 */

/** An adapter as plain data. */
export interface AdapterDescription {
  /** Its name, for people. */
  readonly name: string;
  /** Its maker, in lower case as WebGPU reports it; may be empty. */
  readonly vendor: string;
  /** Its family, as WebGPU reports it; may be empty. */
  readonly architecture: string;
  /** Whether it computes on the processor of the host. */
  readonly software: boolean;
  /** Limits in bytes and counts that decide how work is cut. */
  readonly limits: {
    readonly maxBufferSize: number;
    readonly maxStorageBufferBindingSize: number;
    readonly maxStorageBuffersPerShaderStage: number;
    readonly maxComputeInvocationsPerWorkgroup: number;
    readonly maxComputeWorkgroupStorageSize: number;
  };
}

const SOFTWARE_NAMES = /llvmpipe|lavapipe|swiftshader|software|basic render/i;

/** Describes an adapter. */
export function describeGpuAdapter(adapter: GPUAdapter): AdapterDescription {
  const { info, limits } = adapter;
  const name = info.description || info.device || "unnamed adapter";
  return {
    name,
    vendor: info.vendor,
    architecture: info.architecture,
    // Some drivers do not report that they are software, but all of them say so in their name.
    software: info.isFallbackAdapter === true || SOFTWARE_NAMES.test(name),
    limits: {
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
      maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
    },
  };
}
