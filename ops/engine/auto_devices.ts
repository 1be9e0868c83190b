/**
 * Chooses devices for `auto`: for each plan the one that is estimated to take less time.
 *
 * @module
 */

import { sizeText } from "../../base/quantities.ts";
import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { Backend, DeviceProbe } from "../../gpu/backend.ts";
import { deviceMs, gains, hostMs, mayGain, type PlanWork } from "./device_cost.ts";
import type { ChosenDevice, Devices } from "./devices.ts";

/** A backend on a hardware adapter. */
export interface HardwareBackend extends Backend {
  probeSpeed(): Promise<DeviceProbe>;
}

/**
 * A function that opens the adapter, or returns the reason why there is none. May reject with a
 * DeviceError.
 */
type OpenHardware = () => Promise<HardwareBackend | string>;

/** A backend and its speed, or the reason why there is none. */
type Hardware = { readonly backend: HardwareBackend; readonly probe: DeviceProbe } | string;

/**
 * The host, and a hardware adapter if there is one that computes correctly. The adapter is opened
 * and probed for the first plan that may gain from it, and chosen for plans that gain according to
 * its probe.
 */
export class AutoDevices implements Devices {
  readonly #openHost: () => Backend;
  readonly #openHardware: OpenHardware;
  readonly #threads: number;
  #host: Backend | undefined;
  #hardware: Promise<Hardware> | undefined;

  constructor(openHost: () => Backend, openHardware: OpenHardware, threads: number) {
    this.#openHost = openHost;
    this.#openHardware = openHardware;
    this.#threads = threads;
  }

  async choose(estimate: () => Promise<PlanWork>): Promise<ChosenDevice> {
    const work = await estimate();
    if (this.#hardware === undefined && !mayGain(work, this.#threads)) {
      return this.#onHost(tooSmall(work, this.#threads));
    }
    const hardware = await (this.#hardware ??= openAndProbe(this.#openHardware));
    if (typeof hardware === "string") return this.#onHost(hardware);
    const { backend, probe } = hardware;
    const isFaster = gains(work, probe, this.#threads);
    const reason = comparison(work, backend, probe, this.#threads);
    return isFaster ? { backend, reason, probe } : { ...this.#onHost(reason), probe };
  }

  async close(): Promise<void> {
    await this.#host?.close();
    const hardware = await this.#hardware?.catch(() => undefined);
    if (typeof hardware === "object") await hardware.backend.close();
  }

  #onHost(reason: string): ChosenDevice {
    return { backend: this.#host ??= this.#openHost(), reason };
  }
}

/**
 * Opens and probes the adapter. One that cannot be opened, computes wrong results or fails in its
 * probe counts as none.
 */
async function openAndProbe(open: OpenHardware): Promise<Hardware> {
  let backend: HardwareBackend | undefined;
  try {
    const opened = await open();
    if (typeof opened === "string") return opened;
    backend = opened;
    return { backend, probe: await backend.probeSpeed() };
  } catch (error) {
    await backend?.close();
    if (isSluiceError(error, "DeviceError")) return error.message;
    throw error;
  }
}

function tooSmall(work: PlanWork, threads: number): string {
  if (work.numKernels === 0) return "no step computes what an adapter could";
  return `the host takes about ${printMs(hostMs(work, threads))}, too little to open an adapter`;
}

/** Prints the estimated times of both, the host first. */
function comparison(
  work: PlanWork,
  { description }: Backend,
  probe: DeviceProbe,
  threads: number,
): string {
  const host = `the host takes about ${printMs(hostMs(work, threads))}`;
  const device = `${description} about ${printMs(deviceMs(work, probe))}`;
  return `for ${sizeText(work.bytes)} ${host}, ${device}`;
}

/** Prints the figures of a probe in one line. */
export function printProbe(probe: DeviceProbe): string {
  const { waitMs, uploadBytesPerMs, downloadBytesPerMs, kernelBytesPerMs } = probe;
  const speed = (bytesPerMs: number) => `${(bytesPerMs / 1e6).toFixed(1)} GB/s`;
  return `a wait ${waitMs.toFixed(2)} ms, upload ${speed(uploadBytesPerMs)}, ` +
    `download ${speed(downloadBytesPerMs)}, kernel ${speed(kernelBytesPerMs)}`;
}

function printMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
