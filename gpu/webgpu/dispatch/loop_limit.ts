/**
 * Limits how long a loop in a kernel may run. Work that takes longer runs on the host: generated kernels
 * count their rounds and give up, and other kernels get no text that is too long for their loops.
 *
 * Mesa's software adapter computes up to 16 rows side by side, and ends their loops after 65,535 rounds
 * in all, without an error and whatever the state is. Hardware has no such limit, but one invocation
 * takes up to a microsecond a round where each waits for memory, and a system that draws its screen with
 * the same card takes the device away when it is busy for long: Windows after two seconds.
 *
 * @module
 */

import type { HostColumn } from "../../column/column.ts";
import type { WebGpuContext } from "./webgpu_context.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { nextLongRow } from "../memory/long_rows.ts";

/** The limits for loops on a kind of adapter. */
interface LoopLimits {
  /** Rounds of the loops of one row of a generated kernel. */
  readonly steps: number;
  /** The same for a long row, which has a workgroup of its own. */
  readonly longSteps: number;
  /** Bytes of a text that loops take that do not count, of four bytes a round at least. */
  readonly textBytes: number;
  /** Items of a list that they take. */
  readonly items: number;
}

const SOFTWARE: LoopLimits = { steps: 4000, longSteps: 60_000, textBytes: 32_768, items: 4000 };
const HARDWARE: LoopLimits = {
  steps: 2 ** 20,
  longSteps: 2 ** 20,
  textBytes: 2 ** 22,
  items: 2 ** 20,
};

/** Rounds that no row can take. */
export const UNLIMITED_STEPS = 0xffff_ffff;

function limitsOf({ device }: WebGpuContext): LoopLimits {
  return device.adapter.software ? SOFTWARE : HARDWARE;
}

/** Rounds that the loops of one row of a generated kernel may take. */
export function maxSteps(context: WebGpuContext): number {
  return limitsOf(context).steps;
}

/** Rounds that the loops of a long row may take, which is alone with its workgroup. */
export function maxLongSteps(context: WebGpuContext): number {
  return limitsOf(context).longSteps;
}

/**
 * Whether the rows of a result of fixed width must be asked if one took too long, which may cost a
 * wait; else their loops may run for ever. Operations take a few rounds for each byte of text, so on
 * hardware only long texts and lists are asked.
 */
export function mayTakeLong({ device }: WebGpuContext, inputs: readonly WebGpuColumn[]): boolean {
  return device.adapter.software ||
    inputs.some(({ type, numLongRows }) => type.kind === "list" || numLongRows > 0);
}

/** Bytes of a window that one row may take beside its text: validity, offsets, padding, room. */
const ROW_BYTES = 64;

/**
 * Bytes of the longest text that the device computes with in any case. What is longer runs on the
 * host, but for searches in it.
 */
export function maxTextBytes(context: WebGpuContext): number {
  return Math.min(limitsOf(context).textBytes, context.windowBytes - ROW_BYTES);
}

/** Whether a text, or a list, of the column is too long for the loops of the device. */
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

/** Whether a text of a column on the device may be too long for the loops that do not count. */
export function mayHaveLongRow(context: WebGpuContext, column: WebGpuColumn): boolean {
  const { numLongRows, dataBytes, host } = column;
  if (numLongRows === 0) return false;
  return host === null ? dataBytes > limitsOf(context).textBytes : hasLongRow(context, host);
}

/** Gives the bytes of text before an item; 0 where items have no text. */
function bytesBeforeItem(items: HostColumn | undefined): (item: number) => number {
  const offsets = items?.offsets ?? null;
  return offsets === null ? () => 0 : (item) => offsets[item]!;
}
