import type { DeviceOptions } from "../../../gpu/webgpu/device/device.ts";

/** How tests ask for a device: any adapter will do. */
export const anyDevice: DeviceOptions = { software: true };
