/**
 * How fast a device is from here: what a wait costs, both directions of the link, and a kernel. It is
 * asked for where a choice depends on it, once a process for each adapter, and takes seven waits.
 *
 * @module
 */

import type { DeviceProbe } from "../../backend.ts";
import { Commands } from "../dispatch/commands.ts";
import { Scope } from "../memory/scope.ts";
import { Staging } from "../transfer/readback.ts";
import { createContext, type WebGpuContext } from "../webgpu_context.ts";
import type { WebGpuDevice } from "./device.ts";
import probeWgsl from "./probe.wgsl" with { type: "text" };

const PROBE_BYTES = 16 << 20;
const ROW_BYTES = 16;
const LANES = 256;
const LETTER = "a".charCodeAt(0);
/** The share of a wait that a difference between two times can be told from nothing. */
const TELLABLE = 1 / 20;

const probes = new Map<string, Promise<DeviceProbe>>();

/** The probe of a device; that of another one with the same name, if there was one. */
export function probeOnce(device: WebGpuDevice): Promise<DeviceProbe> {
  const { name } = device.adapter;
  let probe = probes.get(name);
  if (probe === undefined) {
    probe = probeDevice(device);
    probes.set(name, probe);
    // The next device may do better.
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
    const upload = () => device.gpu.queue.writeBuffer(text.buffer, 0, letters);
    const work = (numRows: number, readBytes: number) => async () => {
      using commands = new Commands(context, "probe");
      const workgroups = Math.ceil(numRows / LANES);
      commands.dispatch(pipeline, { params: [numRows], storage: [text, capitals], workgroups });
      await read(context, commands, capitals, readBytes);
    };
    const wait = work(0, 4);
    const numRows = bytes / ROW_BYTES;
    // Memory that is used for the first time is cleared, and kernels may be compiled when they first run.
    upload();
    await work(numRows, bytes)();
    const waitMs = Math.min(await elapsedMs(wait), await elapsedMs(wait));
    const speed = async (run: () => Promise<void>) =>
      bytes / Math.max(await elapsedMs(run) - waitMs, TELLABLE * waitMs);
    return {
      waitMs,
      uploadBytesPerMs: await speed(() => (upload(), wait())),
      downloadBytesPerMs: await speed(work(0, bytes)),
      kernelBytesPerMs: await speed(work(numRows, 4)),
    };
  } finally {
    scope[Symbol.dispose]();
    context.pool.trim();
    context.host.close();
    // The counters are for what users asked for.
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
