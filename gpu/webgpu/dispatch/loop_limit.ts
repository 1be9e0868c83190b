/**
 * Limits how long a loop in a kernel may run. Work that takes longer runs on the host: generated
 * kernels count their rounds and give up, and other kernels get no text that is too long for their
 * loops.
 *
 * Mesa's software adapter computes up to 16 rows side by side, and ends their loops after 65,535
 * rounds in total, without an error and in whatever state they are. Hardware has no such limit, but
 * a round of an invocation that waits for memory takes up to a microsecond, and a system that draws
 * its screen with the same card resets a device that is busy for too long: Windows after two
 * seconds.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { WebGpuContext } from "./webgpu_context.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { nextLongRow } from "../memory/long_rows.ts";

/** The limits for loops on a kind of adapter. */
interface LoopLimits {
  /** The rounds of all loops of a row in a generated kernel. */
  readonly steps: number;
  /** The same for a long row, which has a workgroup of its own. */
  readonly longSteps: number;
  /**
   * The longest text, in bytes, for loops that do not count and that advance by four bytes a round
   * or more.
   */
  readonly textBytes: number;
  /** The most items of a list for such loops. */
  readonly items: number;
}

const SOFTWARE: LoopLimits = { steps: 4000, longSteps: 60_000, textBytes: 32_768, items: 4000 };
const HARDWARE: LoopLimits = {
  steps: 2 ** 20,
  longSteps: 2 ** 20,
  textBytes: 2 ** 22,
  items: 2 ** 20,
};

/** A limit that no row can reach. */
export const UNLIMITED_STEPS = 0xffff_ffff;

function limitsOf({ device }: WebGpuContext): LoopLimits {
  return device.adapter.software ? SOFTWARE : HARDWARE;
}

/** Returns the rounds that the loops of one row of a generated kernel may take. */
export function maxSteps(context: WebGpuContext): number {
  return limitsOf(context).steps;
}

/** Returns the rounds that the loops of a long row may take, which has a workgroup of its own. */
export function maxLongSteps(context: WebGpuContext): number {
  return limitsOf(context).longSteps;
}

/**
 * Whether the host has to read if some row of a fixed-width result took too many rounds, which may
 * cost a wait. Operations take a few rounds for each byte of text, so hardware can only exceed the
 * limit on long texts and on lists.
 */
export function mayTakeLong({ device }: WebGpuContext, inputs: readonly WebGpuColumn[]): boolean {
  return device.adapter.software ||
    inputs.some(({ type, numLongRows }) => type.kind === "list" || numLongRows > 0);
}

/**
 * The bytes of a window that one row may take besides its text: validity, offsets, padding, spare
 * bytes.
 */
const ROW_BYTES = 64;

/**
 * Returns the bytes of the longest text that the device always computes with. Longer text runs on
 * the host, except for searches in it.
 */
export function maxTextBytes(context: WebGpuContext): number {
  return Math.min(limitsOf(context).textBytes, context.windowBytes - ROW_BYTES);
}

/** Whether some text or list of a column is too long for the loops of the device. */
export function hasLongRow(context: WebGpuContext, column: HostColumn): boolean {
  const { offsets, length, type, children } = column;
  if (offsets === null) return false;
  const bytesBefore = bytesBeforeItem(children[0]);
  const { textBytes, items } = limitsOf(context);
  const most = type.kind === "list" ? items : textBytes;
  const isLong = (first: number, last: number) => {
    const [start, stop] = [offsets[first]!, offsets[last]!];
    return stop - start > most || bytesBefore(stop) - bytesBefore(start) > textBytes;
  };
  return nextLongRow(0, length, isLong) < length;
}

/** Whether some text of a column on the device may be too long for loops that do not count. */
export function mayHaveLongRow(context: WebGpuContext, column: WebGpuColumn): boolean {
  const { numLongRows, dataBytes, host } = column;
  if (numLongRows === 0) return false;
  return host === null ? dataBytes > limitsOf(context).textBytes : hasLongRow(context, host);
}

/** Returns a function from an item to the bytes of text before it; 0 if items have no text. */
function bytesBeforeItem(items: HostColumn | undefined): (item: number) => number {
  const offsets = items?.offsets ?? null;
  return offsets === null ? () => 0 : (item) => offsets[item]!;
}
