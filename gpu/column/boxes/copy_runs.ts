/**
 * Copies runs between byte arrays on the host.
 *
 * @module
 */

import type { BoxRuns, RunAxis } from "./box_runs.ts";

/** From this many bytes on, copying a run with one call costs less than a loop over its words. */
const CALL_BYTES = 256;

/** Arrays over the same bytes as `from` and `to`, with wider elements where alignment allows. */
interface Views {
  readonly from: Words;
  readonly to: Words;
  /** The bytes of an element. */
  readonly width: number;
}

type Words = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Copies all runs. The arrays must not overlap. */
export function copyRuns(runs: BoxRuns, from: Uint8Array, to: Uint8Array): void {
  // Float64 views are not used: a NaN may lose bits on its way through a register.
  const width = [4, 2].find((bytes) => isAligned(runs, from, to, bytes)) ?? 1;
  const views = { from: viewOf(from, width), to: viewOf(to, width), width };
  const axes = runs.axes.map(({ length, fromStride, toStride }): RunAxis => ({
    length,
    fromStride: fromStride / width,
    toStride: toStride / width,
  }));
  copyAxes(views, axes, 0, runs.runBytes / width, runs.from / width, runs.to / width);
}

function copyAxes(
  views: Views,
  axes: readonly RunAxis[],
  outer: number,
  size: number,
  from: number,
  to: number,
): void {
  const axis = axes[outer] ?? { length: 1, fromStride: 0, toStride: 0 };
  const { length, fromStride, toStride } = axis;
  if (outer < axes.length - 1) {
    for (let k = 0; k < length; k++) {
      copyAxes(views, axes, outer + 1, size, from + k * fromStride, to + k * toStride);
    }
    return;
  }
  if (size * views.width >= CALL_BYTES) copyLong(views, axis, size, from, to);
  else copyShort(views, axis, size, from, to);
}

function copyLong({ from, to }: Views, axis: RunAxis, size: number, at: number, toAt: number) {
  for (let k = 0; k < axis.length; k++) {
    const start = at + k * axis.fromStride;
    to.set(from.subarray(start, start + size), toAt + k * axis.toStride);
  }
}

function copyShort({ from, to }: Views, axis: RunAxis, size: number, at: number, toAt: number) {
  const { length, fromStride, toStride } = axis;
  for (let k = 0; k < length; k++) {
    for (let i = 0; i < size; i++) to[toAt + i] = from[at + i]!;
    at += fromStride;
    toAt += toStride;
  }
}

/** Whether all positions and strides are multiples of `bytes`. */
function isAligned(runs: BoxRuns, from: Uint8Array, to: Uint8Array, bytes: number): boolean {
  const positions = [from.byteOffset, to.byteOffset, runs.from, runs.to, runs.runBytes];
  for (const { fromStride, toStride } of runs.axes) positions.push(fromStride, toStride);
  return positions.every((position) => position % bytes === 0);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array, width: number): Words {
  if (width === 4) return new Uint32Array(buffer, byteOffset, byteLength >> 2);
  if (width === 2) return new Uint16Array(buffer, byteOffset, byteLength >> 1);
  return new Uint8Array(buffer, byteOffset, byteLength);
}
