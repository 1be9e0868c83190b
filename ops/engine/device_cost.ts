/**
 * Estimates the time of a plan on the host and on a device, so that `auto` chooses a device only
 * where it is faster.
 *
 *     host   = kernels * bytes / (host speed * threads)
 *     device = waits * rounds + bytes / upload speed + bytes / download speed
 *            + kernels * bytes / kernel speed
 *
 * `waits` is one for each step, for the sizes of its results, and one for the download. All batches
 * in flight share them: `rounds` is the number of batches divided by the number in flight. The
 * speeds of the device are those of its probe. Reading and writing files costs the same on both.
 *
 * @module
 */

import type { DeviceProbe } from "../../gpu/backend.ts";
import { IN_FLIGHT_BYTES, LEAST_BATCH_BYTES } from "./in_flight.ts";

/** The work of a plan. */
export interface PlanWork {
  /** The approximate bytes that it reads. */
  readonly bytes: number;
  /** The bytes of one batch on its way to a device. */
  readonly batchBytes: number;
  /** The steps that compute on columns, each of which needs a wait for its results. */
  readonly numSteps: number;
  /** The kernels of these steps; the probe of a join counts as one. */
  readonly numKernels: number;
}

/**
 * The bytes of text that a host thread computes in a millisecond. Measured on two cores of a
 * virtual machine, with batches of 10 MB, in thousands: `upper` 840, `+ "!"` 900, `length` 1400,
 * `replace` 270.
 */
const HOST_BYTES_PER_MS = 800_000;

/** The time to open, test and probe an adapter, which a shorter plan cannot win back. */
const OPENING_MS = 100;

/** A device must take less than this share of the host's time, since neither estimate is exact. */
const GAIN = 0.8;

/** Returns the milliseconds that the host takes for the kernels of a plan. */
export function hostMs({ bytes, numKernels }: PlanWork, threads: number): number {
  return numKernels * bytes / (HOST_BYTES_PER_MS * threads);
}

/** Returns the milliseconds that a device takes for the kernels of a plan, transfers included. */
export function deviceMs(
  { bytes, batchBytes, numSteps, numKernels }: PlanWork,
  { waitMs, uploadBytesPerMs, downloadBytesPerMs, kernelBytesPerMs }: DeviceProbe,
): number {
  const numTogether = Math.max(1, IN_FLIGHT_BYTES / Math.max(batchBytes, LEAST_BATCH_BYTES));
  const rounds = Math.max(1, Math.ceil(bytes / batchBytes / numTogether));
  const waits = (numSteps + 1) * rounds * waitMs;
  const transfers = bytes / uploadBytesPerMs + bytes / downloadBytesPerMs;
  return waits + transfers + numKernels * bytes / kernelBytesPerMs;
}

/** Whether a plan may gain from a device at all, so that opening one may pay. */
export function mayGain(work: PlanWork, threads: number): boolean {
  return hostMs(work, threads) > OPENING_MS;
}

/** Whether a plan gains from a device. */
export function gains(work: PlanWork, probe: DeviceProbe, threads: number): boolean {
  return deviceMs(work, probe) < GAIN * hostMs(work, threads);
}
