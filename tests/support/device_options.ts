import type { DeviceOptions } from "../../gpu/webgpu/device/device.ts";
import { plantedProgram } from "./planted_threads.ts";

/**
 * How tests ask for a device: any adapter will do, and with SLUICE_TEST_DEVICE_THREAD=1 another thread
 * has it.
 */
export const anyDevice: DeviceOptions = Deno.env.get("SLUICE_TEST_DEVICE_THREAD") === "1"
  ? { software: true, program: plantedProgram() }
  : { software: true };
