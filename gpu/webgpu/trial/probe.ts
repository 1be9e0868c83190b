/**
 * Measures the speed of a device: a wait, both directions of the link, and a kernel. It runs when a
 * decision depends on the speed, once in a process for each adapter, and takes about ten waits. The
 * clock of the device times the kernel without the wait; if the device has none, the host's clock
 * times it.
 *
 * @module
 */

import type { DeviceProbe } from "../../backend.ts";
import { Commands } from "../dispatch/commands.ts";
import { Scope } from "../memory/scope.ts";
import { Staging } from "../transfer/readback.ts";
import { writeBytes } from "../transfer/upload.ts";
import { createContext, type WebGpuContext } from "../dispatch/webgpu_context.ts";
import { DeviceClock } from "../device/clock.ts";
import type { WebGpuDevice } from "../device/device.ts";
import probeWgsl from "./probe.wgsl" with { type: "text" };

const PROBE_BYTES = 16 << 20;
const ROW_BYTES = 16;
const LANES = 256;
const LETTER = "a".charCodeAt(0);
/** The smallest measurable difference between two times, as a share of a wait. */
const TELLABLE = 1 / 20;
/** The least time of a kernel, whatever the clock says. */
const LEAST_MS = 1e-3;

const probes = new Map<string, Promise<DeviceProbe>>();

/** Returns the probe of a device, or of an earlier device with the same name. */
export function probeOnce(device: WebGpuDevice): Promise<DeviceProbe> {
  const { name } = device.adapter;
  let probe = probes.get(name);
  if (probe === undefined) {
    probe = probeDevice(device);
    probes.set(name, probe);
    // The next device may succeed.
    probe.catch(() => probes.delete(name));
  }
  return probe;
}

/** Measures a device. Rejects with a DeviceError if that fails. */
export async function probeDevice(device: WebGpuDevice): Promise<DeviceProbe> {
  const bytes = Math.min(PROBE_BYTES, device.maxBindingBytes - device.maxBindingBytes % ROW_BYTES);
  const context = createContext(device, { budgetBytes: 4 * bytes });
  using scope = new Scope();
  const counters = { ...device.counters };
  try {
    const pipeline = await context.pipelines.get({
      label: "probe",
      code: probeWgsl,
      entry: "probe",
      storage: ["read", "write"],
    });
    const text = scope.own(await context.pool.acquire("storage", bytes, "probe text"));
    const capitals = scope.own(await context.pool.acquire("storage", bytes, "probe capitals"));
    const letters = new Uint8Array(bytes).fill(LETTER);
    const upload = () => writeBytes(context, text, 0, letters);
    const encode = (commands: Commands, numRows: number) => {
      const workgroups = Math.ceil(numRows / LANES);
      commands.dispatch(pipeline, { params: [numRows], storage: [text, capitals], workgroups });
    };
    const work = (numRows: number, readBytes: number) => async () => {
      using commands = new Commands(context, "probe");
      encode(commands, numRows);
      await read(context, commands, capitals, readBytes);
    };
    const wait = work(0, 4);
    const numRows = bytes / ROW_BYTES;
    using clock = DeviceClock.open(device);
    await clock?.calibrate();
    // Memory is cleared on its first use, and kernels may be compiled on their first run.
    upload();
    await work(numRows, bytes)();
    const waitMs = Math.min(await elapsedMs(wait), await elapsedMs(wait));
    const speed = async (run: () => Promise<void>) =>
      bytes / Math.max(await elapsedMs(run) - waitMs, TELLABLE * waitMs);
    const link = {
      uploadBytesPerMs: await speed(() => (upload(), wait())),
      downloadBytesPerMs: await speed(work(0, bytes)),
    };
    if (clock === null) {
      return { waitMs, ...link, kernelBytesPerMs: await speed(work(numRows, 4)) };
    }
    await clock.calibrate();
    using commands = new Commands(context, "probe");
    encode(commands, numRows);
    const kernelMs = await clock.timeSubmit(commands);
    return { waitMs, ...link, kernelBytesPerMs: bytes / Math.max(kernelMs, LEAST_MS) };
  } finally {
    scope[Symbol.dispose]();
    context.pool.trim();
    await context.host.close();
    // Only work that users asked for counts.
    Object.assign(device.counters, counters);
  }
}

async function read(
  context: WebGpuContext,
  commands: Commands,
  source: Parameters<Staging["add"]>[0],
  bytes: number,
): Promise<void> {
  const staging = new Staging(context);
  staging.add(source, 0, bytes / 4);
  await staging.read(commands);
}

async function elapsedMs(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
