/**
 * Copies boxes between buffers of the device: one dispatch for all boxes of a shape.
 *
 * @module
 */

import copyBoxesWgsl from "./copy_boxes.wgsl" with { type: "text" };
import type { BoxRuns, RunAxis } from "../../column/boxes/box_runs.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Scope } from "../memory/scope.ts";
import { writeBytes } from "../transfer/upload.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";

/** The most axes of runs that the kernel takes. */
const MAX_AXES = 8;
/** The most boxes of a dispatch, whose table takes 8 MB. */
const MAX_BOXES = 1 << 20;
/** The words, or parts of words, that a workgroup copies. */
const GROUP_UNITS = 1_024;

/** Boxes to copy from one buffer to another; no two overlap in the target. */
interface BufferBoxes {
  readonly source: PooledBuffer;
  readonly target: PooledBuffer;
  /** Positions count bytes from the start of the buffers, which are bound whole. */
  readonly boxes: readonly BoxRuns[];
}

/**
 * Adds the copies to `commands`: a dispatch for each shape and alignment of boxes. `scope` owns
 * their buffers until `commands` are submitted. Other bytes of the target stay.
 */
export async function encodeBoxes(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { source, target, boxes }: BufferBoxes,
): Promise<void> {
  const ofShape = Map.groupBy(boxes.flatMap(withFewAxes), shapeOf);
  for (const alike of ofShape.values()) {
    const unit = isWords(alike[0]!) ? 4 : 1;
    for (let first = 0; first < alike.length; first += MAX_BOXES) {
      const part = alike.slice(first, first + MAX_BOXES);
      const starts = await startsOf(context, scope, part, unit);
      const { params, units } = paramsOf(part, unit);
      const pipeline = await context.pipelines.get({
        label: "copy boxes",
        code: copyBoxesWgsl,
        entry: unit === 4 ? "copy_words" : "copy_bytes",
        storage: ["read", "read", "write"],
      });
      const workgroups = Math.ceil(units / GROUP_UNITS);
      commands.dispatch(pipeline, { params, storage: [source, starts, target], workgroups });
    }
  }
}

/** Whether all sizes, strides and positions of runs are multiples of 4 bytes. */
function isWords({ runBytes, axes, from, to }: BoxRuns): boolean {
  const isWord = (bytes: number) => bytes % 4 === 0;
  return isWord(runBytes) && isWord(from) && isWord(to) &&
    axes.every(({ fromStride, toStride }) => isWord(fromStride) && isWord(toStride));
}

/** Returns a key for the properties that all boxes of a dispatch share. */
function shapeOf(runs: BoxRuns): string {
  const axes = runs.axes.map(({ length, fromStride, toStride }) => [length, fromStride, toStride]);
  return [isWords(runs), runs.runBytes, ...axes].join();
}

/** Replaces the outermost axes beyond `MAX_AXES` by one box for each place along them. */
function withFewAxes(runs: BoxRuns): BoxRuns[] {
  const [axis, ...inner] = runs.axes;
  if (axis === undefined || runs.axes.length <= MAX_AXES) return [runs];
  return Array.from({ length: axis.length }, (_, place) =>
    withFewAxes({
      ...runs,
      axes: inner,
      from: runs.from + place * axis.fromStride,
      to: runs.to + place * axis.toStride,
    })).flat();
}

/** Returns the table of the boxes' starts, in units. */
async function startsOf(
  context: WebGpuContext,
  scope: Scope,
  boxes: readonly BoxRuns[],
  unit: number,
): Promise<PooledBuffer> {
  const starts = Uint32Array.from(boxes.flatMap(({ from, to }) => [from / unit, to / unit]));
  const bytes = new Uint8Array(starts.buffer);
  const buffer = scope.own(await context.pool.acquire("storage", bytes.length, "box starts"));
  writeBytes(context, buffer, 0, bytes);
  return buffer;
}

function paramsOf(
  boxes: readonly BoxRuns[],
  unit: number,
): { params: number[]; units: number } {
  const { runBytes, axes } = boxes[0]!;
  // A run that begins at the last byte of a word touches one word more than its bytes fill.
  const runUnits = unit === 4 ? runBytes / 4 : Math.floor((runBytes + 2) / 4) + 1;
  const units = axes.reduce((product, { length }) => product * length, boxes.length * runUnits);
  // Negative strides wrap around to the same positions.
  const innermostFirst = axes.toReversed().flatMap((
    { length, fromStride, toStride }: RunAxis,
  ) => [length, (fromStride / unit) >>> 0, (toStride / unit) >>> 0, 0]);
  const padding = Array.from({ length: 4 * (MAX_AXES - axes.length) }, () => 0);
  const head = [units, runUnits, axes.length, 0, runBytes, 0, 0, 0];
  return { params: [...head, ...innermostFirst, ...padding], units };
}
