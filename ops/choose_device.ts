/**
 * Which backend an engine computes on.
 *
 * @module
 */

import type { Backend } from "../gpu/backend.ts";
import { DeviceError } from "../gpu/errors.ts";
import { createHostBackend } from "../gpu/host/backend.ts";
import { createWebGpuBackend } from "../gpu/webgpu/backend.ts";
import { environmentVariable } from "./environment.ts";

/** A user's choice of a device. */
export type Device = "auto" | "gpu" | "cpu";

/** A backend, and why it was taken. */
export interface ChosenDevice {
  readonly backend: Backend;
  readonly reason: string;
}

/**
 * Makes the backend for a choice; without one, the environment variable SLUICE_DEVICE decides. The
 * host computes on so many `threads`, by default as many as the machine has.
 */
export async function chooseDevice(
  device: Device | undefined,
  memoryBytes: number,
  threads?: number,
): Promise<ChosenDevice> {
  const choice = device ?? deviceOfEnvironment();
  const onHost = (reason: string) => {
    return { backend: createHostBackend(threads === undefined ? {} : { threads }), reason };
  };
  const asked = device === undefined && choice !== "auto" ? "SLUICE_DEVICE" : "device";
  if (choice === "cpu") return onHost(`${asked} is cpu`);
  const backend = await createWebGpuBackend({ software: choice === "gpu", memoryBytes });
  if (backend !== null) {
    const reason = choice === "gpu" ? `${asked} is gpu` : "it is a hardware adapter";
    return { backend, reason };
  }
  if (choice === "gpu") throw new DeviceError(`${asked} is gpu, but there is no WebGPU adapter`);
  return onHost("there is no hardware adapter for WebGPU");
}

/** Throws a TypeError for a choice that there is not. */
export function checkDevice(device: unknown): void {
  if (device === undefined || device === "auto" || device === "gpu" || device === "cpu") return;
  throw new TypeError(`device is auto, gpu or cpu, not ${JSON.stringify(device)}`);
}

function deviceOfEnvironment(): Device {
  const value = environmentVariable("SLUICE_DEVICE") ?? "auto";
  if (value === "auto" || value === "gpu" || value === "cpu") return value;
  throw new TypeError(`SLUICE_DEVICE is auto, gpu or cpu, not "${value}"`);
}
