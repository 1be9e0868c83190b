/**
 * Finds out how much memory of a card Sluice may use. WebGPU does not say, and its largest buffer is a number
 * that drivers make up. So Sluice allocates memory and frees it: drivers refuse an allocation that does not fit.
 * Engines have a limit of their own (`memory`); benches and tests take what the card has.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { WebGpuDevice } from "../device/device.ts";

const GIB = 2 ** 30;

/** Bytes of one allocation: one window at the most. */
const STEP_BYTES = 2 * GIB;

/** More is never in use at once. */
const MOST_BYTES = 16 * GIB;

/**
 * Bytes that may be in use before operations wait for each other: half of what the card allocates, from
 * 1 to 8 GiB; 1 GiB of a software adapter, whose memory is the host's. The other half is for other
 * programs, and for what one batch needs beyond the budget.
 */
export async function memoryBudget(device: WebGpuDevice): Promise<number> {
  const { software, limits } = device.adapter;
  if (software) return GIB;
  const step = Math.min(STEP_BYTES, limits.maxBufferSize - limits.maxBufferSize % 4);
  return Math.max(GIB, Math.floor(await allocatedBytes(device, step) / 2));
}

/** Returns the bytes that the device allocates in buffers of one size, `MOST_BYTES` at the most. */
async function allocatedBytes(device: WebGpuDevice, size: number): Promise<number> {
  const label = "memory of the card";
  const buffers: GPUBuffer[] = [];
  try {
    while ((buffers.length + 1) * size <= MOST_BYTES) {
      // COPY_DST: never written, so that the driver has nothing to clear.
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
