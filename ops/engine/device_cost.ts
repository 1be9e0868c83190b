/**
 * Estimates the time of a plan on the host and on a device, so that `auto` takes a device only
 * where it is faster.
 *
 *     host   = kernels * bytes / (host speed * threads)
 *     device = waits * rounds + bytes / upload speed + bytes / download speed
 *            + kernels * bytes / kernel speed
 *
 * `waits` is one for each step, for the sizes of its results, and one for the download. All batches
 * that are in flight share them: `rounds` is the number of batches by how many are in flight. The
 * speeds of the device are those of its probe. Reading and writing files costs the same on both.
 *
 * @module
 */

import type { DeviceProbe } from "../../gpu/backend.ts";
import { IN_FLIGHT_BYTES, LEAST_BATCH_BYTES } from "./in_flight.ts";

/** The work of a plan. */
export interface PlanWork {
  /** Bytes that it reads, about. */
  readonly bytes: number;
  /** Bytes of one batch on its way to a device. */
  readonly batchBytes: number;
  /** Steps that compute on columns, whose results need a wait each. */
  readonly numSteps: number;
  /** Kernels of these steps; the probe of a join counts as one. */
  readonly numKernels: number;
}

/**
 * Bytes of text that a thread of the host takes in a millisecond. Measured on two cores of a virtual
 * machine, with batches of 10 MB: `upper` 840 thousand, `+ "!"` 900, `length` 1400, `replace` 270.
 */
const HOST_BYTES_PER_MS = 800_000;

/** An adapter is opened, tested and probed in about this time, which a shorter plan cannot win back. */
const OPENING_MS = 100;

/** A device has to take less than this share of the host's time: neither figure is exact. */
const GAIN = 0.8;

/** Milliseconds that the host takes for the kernels of a plan. */
export function hostMs({ bytes, numKernels }: PlanWork, threads: number): number {
  return numKernels * bytes / (HOST_BYTES_PER_MS * threads);
}

/** Milliseconds that a device takes for the kernels of a plan. */
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

/** Whether a device may gain at all, so that it is worth opening. */
export function mayGain(work: PlanWork, threads: number): boolean {
  return hostMs(work, threads) > OPENING_MS;
}

/** Whether a device gains. */
export function gains(work: PlanWork, probe: DeviceProbe, threads: number): boolean {
  return deviceMs(work, probe) < GAIN * hostMs(work, threads);
}
