/**
 * Finds out how much memory of a card Sluice may use. WebGPU does not say, and its largest buffer
 * is a number that drivers invent. So Sluice allocates memory and frees it: drivers refuse an
 * allocation that does not fit. Engines have a limit of their own (`memory`); benches and tests use
 * what the card has.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { WebGpuDevice } from "../device/device.ts";

const GIB = 2 ** 30;

/** The bytes of one allocation: at most one window. */
const STEP_BYTES = 2 * GIB;

/** The most bytes that Sluice allocates to find out. */
const MOST_BYTES = 16 * GIB;

/**
 * Returns the bytes that may be in use before operations wait for each other: half of what the card
 * can allocate, between 1 and 8 GiB; 1 GiB for a software adapter, whose memory is the host's. The
 * other half is for other programs, and for what one batch needs beyond the budget.
 */
export async function memoryBudget(device: WebGpuDevice): Promise<number> {
  const { software, limits } = device.adapter;
  if (software) return GIB;
  const step = Math.min(STEP_BYTES, limits.maxBufferSize - limits.maxBufferSize % 4);
  return Math.max(GIB, Math.floor(await allocatedBytes(device, step) / 2));
}

/** Returns the bytes that the device can allocate in buffers of one size, at most `MOST_BYTES`. */
async function allocatedBytes(device: WebGpuDevice, size: number): Promise<number> {
  const label = "memory of the card";
  const buffers: GPUBuffer[] = [];
  try {
    while ((buffers.length + 1) * size <= MOST_BYTES) {
      // The buffers are never written, so the driver need not clear them. The usage is COPY_DST.
      const make = () => device.gpu.createBuffer({ label, size, usage: 0x08 });
      buffers.push(await device.scoped(label, make));
    }
  } catch (error) {
    if (!isSluiceError(error, "DeviceError") || device.failure !== null) throw error;
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
  return buffers.length * size;
}
