/**
 * Chooses the backend of an engine.
 *
 * @module
 */

import { DeviceError } from "../../gpu/errors.ts";
import { createHostBackend, mostThreads } from "../../gpu/host/backend.ts";
import { mayHaveHardware } from "../../gpu/graphics_hardware.ts";
import { numDecodingThreads } from "../../streams/parquet/worker/decode_worker.ts";
import { numEncodingThreads } from "../../streams/parquet/worker/encode_worker.ts";
import { canLoad } from "../../streams/worker_program.ts";
import { AutoDevices, type HardwareBackend } from "./auto_devices.ts";
import { type Devices, OneDevice } from "./devices.ts";
import { environmentVariable } from "../../base/environment.ts";

/** The device that a user requests. */
export type Device = "auto" | "gpu" | "cpu" | "check";

const DEVICES: readonly unknown[] = ["auto", "gpu", "cpu", "check"] satisfies Device[];
const DEVICE_LIST = "auto, gpu, cpu or check";

/**
 * The devices for a choice; by default the environment variable SLUICE_DEVICE decides. The host uses
 * `threads` threads, by default as many as the machine has. If the adapter fails its self-test, `gpu`
 * rejects with a DeviceError, and `auto` falls back to the host and gives that as reason.
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
    return new AutoDevices(host, () => openHardware(memoryBytes, threads), mostThreads(threads));
  }
  const reason = `${device === undefined ? "SLUICE_DEVICE" : "device"} is ${choice}`;
  if (choice === "cpu") return new OneDevice(() => onHost(reason));
  return new OneDevice(async () => {
    const backend = await openDevice({ software: true, memoryBytes, threads });
    if (backend === null) throw new DeviceError(`${reason}, but there is no WebGPU adapter`);
    if (choice === "gpu") return { backend, reason };
    const { CheckBackend } = await import("../../gpu/check/backend.ts");
    return { backend: new CheckBackend(host(), backend), reason };
  });
}

const NO_HARDWARE = "there is no hardware adapter for WebGPU";

/** The backend of a hardware adapter, or why there is none. */
async function openHardware(
  memoryBytes: number,
  threads: number | undefined,
): Promise<HardwareBackend | string> {
  const { canBeQuiet } = await import("../../gpu/webgpu/backend.ts");
  if (!canBeQuiet()) return "graphics drivers are asked only with --allow-env=XDG_RUNTIME_DIR";
  return await openDevice({ software: false, memoryBytes, threads }) ?? NO_HARDWARE;
}

/**
 * The backend of an adapter; null where there is none. Hardware gets a thread of its own, if there may
 * be threads; software computes on the processors that such a thread would take its time from.
 */
async function openDevice(
  options: { software: boolean; memoryBytes: number; threads: number | undefined },
): Promise<HardwareBackend | null> {
  const { createWebGpuBackend, deviceProgram } = await import("../../gpu/webgpu/backend.ts");
  const { software, memoryBytes, threads } = options;
  if (mostThreads(threads) > 1 && mayHaveHardware() && canLoad(deviceProgram)) {
    const program = deviceProgram;
    const backend = await createWebGpuBackend({ software: false, memoryBytes, program });
    if (backend !== null || !software) return backend;
  }
  return await createWebGpuBackend({ software, memoryBytes });
}

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
