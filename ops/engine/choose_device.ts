/**
 * Chooses the backend of an engine.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { DeviceError } from "../../base/errors/device_error.ts";
import { mostThreads } from "../../base/threads/thread.ts";
import { createHostBackend } from "../../gpu/host/backend.ts";
import { mayHaveHardware } from "../../gpu/graphics_hardware.ts";
import { numDecodingThreads } from "../../streams/formats/parquet/worker/decode_worker.ts";
import { numEncodingThreads } from "../../streams/formats/parquet/worker/encode_worker.ts";
import { AutoDevices, type HardwareBackend } from "./auto_devices.ts";
import { type Devices, OneDevice } from "./devices.ts";
import { environmentVariable } from "../../base/settings/environment.ts";

/** The device that a user requests. */
export type Device = "auto" | "gpu" | "cpu" | "check";

const DEVICES: readonly unknown[] = ["auto", "gpu", "cpu", "check"] satisfies Device[];
const DEVICE_LIST = "auto, gpu, cpu or check";

/**
 * Returns the devices for a choice; by default the environment variable SLUICE_DEVICE decides. The
 * host uses at most `threads` threads, by default as many as the machine has. If the adapter fails
 * its self-test, `gpu` rejects with a DeviceError, and `auto` falls back to the host and reports
 * that as the reason.
 */
export function devicesOf(
  device: Device | undefined,
  memoryBytes: number,
  threads?: number,
): Devices {
  const choice = device ?? deviceOfEnvironment();
  const count = threads === undefined ? {} : { threads };
  const numElsewhere = () => numDecodingThreads() + numEncodingThreads();
  const host = () => createHostBackend({ ...count, numElsewhere });
  const onHost = (reason: string) => Promise.resolve({ backend: host(), reason });
  if (choice === "auto") {
    if (!mayHaveHardware()) return new OneDevice(() => onHost(NO_HARDWARE));
    return new AutoDevices(host, () => openHardware(memoryBytes), mostThreads(threads));
  }
  const reason = `${device === undefined ? "SLUICE_DEVICE" : "device"} is ${choice}`;
  if (choice === "cpu") return new OneDevice(() => onHost(reason));
  return new OneDevice(async () => {
    const { createWebGpuBackend } = await import("../../gpu/webgpu/backend.ts");
    const backend = await createWebGpuBackend({ software: true, memoryBytes });
    if (backend === null) throw new DeviceError(`${reason}, but there is no WebGPU adapter`);
    if (choice === "gpu") return { backend, reason };
    const { CheckBackend } = await import("../../gpu/check/backend.ts");
    return { backend: new CheckBackend(host(), backend), reason };
  });
}

const NO_HARDWARE = "there is no hardware adapter for WebGPU";

/** Opens the backend of a hardware adapter, or returns the reason why there is none. */
async function openHardware(memoryBytes: number): Promise<HardwareBackend | string> {
  const { canBeQuiet, createWebGpuBackend } = await import("../../gpu/webgpu/backend.ts");
  if (!canBeQuiet()) return "graphics drivers are asked only with --allow-env=XDG_RUNTIME_DIR";
  return await createWebGpuBackend({ software: false, memoryBytes }) ?? NO_HARDWARE;
}

/** Throws a TypeError for an unknown device. */
export function checkDevice(device: unknown): void {
  if (device === undefined || isDevice(device)) return;
  throw new TypeError(`device must be ${DEVICE_LIST}, not ${showValue(device)}`);
}

function deviceOfEnvironment(): Device {
  const value = environmentVariable("SLUICE_DEVICE") ?? "auto";
  if (isDevice(value)) return value;
  throw new TypeError(`SLUICE_DEVICE must be ${DEVICE_LIST}, not "${value}"`);
}

function isDevice(value: unknown): value is Device {
  return DEVICES.includes(value);
}
