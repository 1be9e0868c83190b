/**
 * Chooses the backend of an engine.
 *
 * @module
 */

import type { Backend } from "../../gpu/backend.ts";
import { DeviceError } from "../../gpu/errors.ts";
import { createHostBackend } from "../../gpu/host/backend.ts";
import { mayHaveHardware } from "../../gpu/graphics_hardware.ts";
import { numDecodingThreads } from "../../streams/parquet/worker/decode_worker.ts";
import { numEncodingThreads } from "../../streams/parquet/worker/encode_worker.ts";
import { environmentVariable } from "./environment.ts";

/** The device that a user requests. */
export type Device = "auto" | "gpu" | "cpu" | "check";

const DEVICES: readonly unknown[] = ["auto", "gpu", "cpu", "check"] satisfies Device[];
const DEVICE_LIST = "auto, gpu, cpu or check";

/** A backend, and why it was chosen. */
export interface ChosenDevice {
  readonly backend: Backend;
  readonly reason: string;
}

/**
 * Creates the backend for a device; by default the environment variable SLUICE_DEVICE decides. The
 * host uses `threads` threads, by default as many as the machine has. If the adapter fails its
 * self-test, `gpu` throws a DeviceError, and `auto` falls back to the host and gives that as reason.
 */
export async function chooseDevice(
  device: Device | undefined,
  memoryBytes: number,
  threads?: number,
): Promise<ChosenDevice> {
  const choice = device ?? deviceOfEnvironment();
  const count = threads === undefined ? {} : { threads };
  const numElsewhere = () => numDecodingThreads() + numEncodingThreads();
  const host = () => createHostBackend({ ...count, numElsewhere });
  const onHost = (reason: string) => ({ backend: host(), reason });
  const asked = device === undefined && choice !== "auto" ? "SLUICE_DEVICE" : "device";
  if (choice === "cpu") return onHost(`${asked} is cpu`);
  if (choice === "auto" && !mayHaveHardware()) return onHost(NO_HARDWARE);
  const { canBeQuiet, createWebGpuBackend } = await import("../../gpu/webgpu/backend.ts");
  if (choice === "gpu" || choice === "check") {
    const device = await createWebGpuBackend({ software: true, memoryBytes });
    if (device === null) {
      throw new DeviceError(`${asked} is ${choice}, but there is no WebGPU adapter`);
    }
    const reason = `${asked} is ${choice}`;
    if (choice === "gpu") return { backend: device, reason };
    const { CheckBackend } = await import("../../gpu/check/backend.ts");
    return { backend: new CheckBackend(host(), device), reason };
  }
  if (!canBeQuiet()) {
    return onHost("graphics drivers are asked only with --allow-env=XDG_RUNTIME_DIR");
  }
  try {
    const backend = await createWebGpuBackend({ software: false, memoryBytes });
    if (backend !== null) return { backend, reason: "it is a hardware adapter" };
  } catch (error) {
    // An adapter that cannot be opened, or computes wrong results, counts as none.
    if (error instanceof DeviceError) return onHost(error.message);
    throw error;
  }
  return onHost(NO_HARDWARE);
}

const NO_HARDWARE = "there is no hardware adapter for WebGPU";

/** Throws a TypeError for an unknown device. */
export function checkDevice(device: unknown): void {
  if (device === undefined || isDevice(device)) return;
  throw new TypeError(`device is ${DEVICE_LIST}, not ${JSON.stringify(device)}`);
}

function deviceOfEnvironment(): Device {
  const value = environmentVariable("SLUICE_DEVICE") ?? "auto";
  if (isDevice(value)) return value;
  throw new TypeError(`SLUICE_DEVICE is ${DEVICE_LIST}, not "${value}"`);
}

function isDevice(value: unknown): value is Device {
  return DEVICES.includes(value);
}
