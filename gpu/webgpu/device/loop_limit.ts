/**
 * How long a loop in a kernel may run. Mesa's software adapter computes up to 16 rows side by side, and
 * ends their loops after 65,535 rounds in all, without an error and whatever the state is. Work that
 * could come near that runs on the host instead: generated kernels count their rounds and give up, and
 * other kernels get no text of more than 32,768 bytes.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";

/** Rounds that no row can take. */
export const UNLIMITED_STEPS = 0xffff_ffff;

/** Rounds that the loops of one row of a generated kernel may take. */
export function maxSteps({ device }: WebGpuContext): number {
  return device.adapter.software ? 4000 : UNLIMITED_STEPS;
}

/** Rounds that the loops of a long row may take, which is alone with its workgroup. */
export function maxLongSteps({ device }: WebGpuContext): number {
  return device.adapter.software ? 60_000 : UNLIMITED_STEPS;
}

/** Bytes of one text that the loops of the other kernels take in well under 65,535 rounds. */
const MAX_SOFTWARE_TEXT_BYTES = 32_768;

/** Items of one list that they take in as few rounds. */
const MAX_SOFTWARE_ITEMS = 4000;

/** Bytes of a window that one row may take beside its text: validity, offsets, padding, room. */
const ROW_BYTES = 32;

/**
 * Bytes of the longest text that the device computes with in any case. What is longer runs on the
 * host, but for searches in it.
 */
export function maxTextBytes({ device, windowBytes }: WebGpuContext): number {
  const fits = windowBytes - ROW_BYTES;
  return device.adapter.software ? Math.min(MAX_SOFTWARE_TEXT_BYTES, fits) : fits;
}

/** Whether a text, or a list, of the column is too long for the loops of the device. */
export function hasLongRow({ device }: WebGpuContext, column: HostColumn): boolean {
  const { offsets, length, type, children } = column;
  if (!device.adapter.software || offsets === null) return false;
  const [items] = children;
  const bytesBefore = bytesBeforeItem(items);
  const most = type.kind === "list" ? MAX_SOFTWARE_ITEMS : MAX_SOFTWARE_TEXT_BYTES;
  for (let row = 0; row < length; row++) {
    const [start, stop] = [offsets[row]!, offsets[row + 1]!];
    if (stop - start > most) return true;
    if (bytesBefore(stop) - bytesBefore(start) > MAX_SOFTWARE_TEXT_BYTES) return true;
  }
  return false;
}

/** Whether a text of a column on the device may be too long for the loops that do not count. */
export function mayHaveLongRow(context: WebGpuContext, column: WebGpuColumn): boolean {
  const { numLongRows, dataBytes, host } = column;
  if (!context.device.adapter.software || numLongRows === 0) return false;
  return host === null ? dataBytes > MAX_SOFTWARE_TEXT_BYTES : hasLongRow(context, host);
}

/** Gives the bytes of text before an item; 0 where items have no text. */
function bytesBeforeItem(items: HostColumn | undefined): (item: number) => number {
  const offsets = items?.offsets ?? null;
  return offsets === null ? () => 0 : (item) => offsets[item]!;
}
