/**
 * Which backend an engine computes on.
 *
 * @module
 */

import type { Backend } from "../../gpu/backend.ts";
import { DeviceError } from "../../gpu/errors.ts";
import { createHostBackend } from "../../gpu/host/backend.ts";
import { canBeQuiet, createWebGpuBackend } from "../../gpu/webgpu/backend.ts";
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
 * host gets so many `threads`, by default as many as the machine has. An adapter that fails its
 * self-test is a DeviceError where it was asked for; with `auto` it is the reason for the host.
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
  if (choice === "gpu") {
    const backend = await createWebGpuBackend({ software: true, memoryBytes });
    if (backend !== null) return { backend, reason: `${asked} is gpu` };
    throw new DeviceError(`${asked} is gpu, but there is no WebGPU adapter`);
  }
  if (!canBeQuiet()) {
    return onHost("graphics drivers are asked only with --allow-env=XDG_RUNTIME_DIR");
  }
  try {
    const backend = await createWebGpuBackend({ software: false, memoryBytes });
    if (backend !== null) return { backend, reason: "it is a hardware adapter" };
  } catch (error) {
    // An adapter that cannot be opened, or computes wrongly, counts as none.
    if (error instanceof DeviceError) return onHost(error.message);
    throw error;
  }
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
