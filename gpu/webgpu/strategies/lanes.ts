/**
 * The strategy of several lanes a row. They mark the text of the row before the row is computed
 * (`lanes/mark_rows.ts` of `gpu/kernel/emit/wgsl/`) and copy its text (`print/noted_copies.ts`
 * there).
 *
 * No card has run them. Prediction for an H100: a search, count or comparison takes a quarter to
 * half of the time in rows of 512 bytes to 4 KB, and two thirds to all of it in rows of 64 to 255
 * bytes. Keep marks if a card shows a factor of 1.5 at 1 KB (part `lanes` of `deno task pack`),
 * from the fewest bytes at which it shows 1.2; otherwise remove them. Keep copies by lanes if `text
 * + "-"` in rows of 128 bytes gains anything.
 *
 * @module
 */

import { columnsWithLanes } from "../../kernel/emit/wgsl/emit.ts";
import { emitMarks, type MarkingPass } from "../../kernel/emit/wgsl/lanes/mark_rows.ts";
import { ENTRY } from "../../kernel/emit/wgsl/print/pass.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import type { Commands } from "../dispatch/commands.ts";
import { isUsedFor, type LaneWidth, mayUse } from "../dispatch/strategy_options.ts";
import type { PipelineSpec } from "../dispatch/pipelines.ts";
import { BLOCK_ROWS } from "../dispatch/scan.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { type AlignedRange, viewParams, type WebGpuColumn } from "../memory/device_column.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";

/**
 * The number of lanes of a row, by its fewest bytes, longest rows first. Beyond 4 KiB a row has one
 * lane again.
 */
const FEWEST_BYTES: readonly (readonly [bytes: number, width: LaneWidth | 1])[] = [
  [4097, 1],
  [512, 32],
  [256, 16],
  [64, 8],
  [0, 1],
];

/** Returns the most lanes for rows with an average of `rowBytes` bytes. */
export function widthFor(rowBytes: number): LaneWidth | 1 {
  return FEWEST_BYTES.find(([bytes]) => rowBytes >= bytes)![1];
}

/** The work that lanes do for the rows of a kernel. */
interface LaneWork {
  /** The indices in `kernel.columns` of the texts that the lanes read. */
  readonly columns: readonly number[];
  readonly marking: MarkingPass | null;
  /** The same object for any number of batches. */
  readonly spec: PipelineSpec | null;
}

/** A kernel whose rows may have several lanes. */
interface MarkedRun {
  readonly kernel: RowKernel;
  /** Literals and tables, if a pass reads them. */
  readonly constants: PooledBuffer | null;
  readonly lanes: LaneWidth | 1;
}

const works = new WeakMap<RowKernel, LaneWork>();

function workOf(kernel: RowKernel): LaneWork {
  let work = works.get(kernel);
  if (work === undefined) {
    const marking = emitMarks(kernel);
    const spec = marking && specOf(kernel, marking);
    works.set(kernel, work = { columns: columnsWithLanes(kernel), marking, spec });
  }
  return work;
}

function specOf({ label }: RowKernel, { code, columns, usesConstants }: MarkingPass): PipelineSpec {
  const numRead = columns.length + (usesConstants ? 1 : 0);
  const reads = Array.from({ length: numRead }, () => "read" as const);
  return { label: `${label} marks`, code, entry: ENTRY, storage: [...reads, "write"] };
}

/**
 * Returns the number of lanes of a row, by the rules or as a test sets it; 1 if lanes have nothing
 * to do, or the device binds too few buffers.
 */
export function laneWidth(
  { lanes, device }: WebGpuContext,
  kernel: RowKernel,
  inputs: readonly WebGpuColumn[],
): LaneWidth | 1 {
  // Constants, sizes, output and marks take the other four buffers.
  if (inputs.length > device.gpu.limits.maxStorageBuffersPerShaderStage - 4) return 1;
  if (!mayUse(lanes)) return 1;
  const { columns, marking } = workOf(kernel);
  if (columns.length === 0) return 1;
  const rows = inputs[columns[0]!]!.length;
  const textBytes = Math.max(...columns.map((column) => inputs[column]!.dataBytes));
  const rowBytes = textBytes / Math.max(1, rows);
  if (!isUsedFor(lanes, { work: marking === null ? "copies" : "marks", rows, rowBytes })) {
    return 1;
  }
  return lanes.width ?? widthFor(rowBytes);
}

/** Returns the kernel that marks the rows of another; null if there is nothing to mark. */
export function markingSpec(kernel: RowKernel): PipelineSpec | null {
  return workOf(kernel).spec;
}

/** Whether the kernel that marks rows reads literals. */
export function marksByConstants(kernel: RowKernel): boolean {
  return workOf(kernel).marking?.usesConstants === true;
}

/**
 * Adds the dispatch that marks the rows of a range, and returns the marks; null if there are none.
 * The caller owns them.
 */
export async function encodeMarks(
  context: WebGpuContext,
  commands: Commands,
  { kernel, constants, lanes }: MarkedRun,
  { views, length }: AlignedRange,
): Promise<PooledBuffer | null> {
  const { marking, spec } = workOf(kernel);
  if (lanes === 1 || marking === null || spec === null) return null;
  const marks = await context.pool.acquire("storage", 4 * marking.numMarks * length, spec.label);
  try {
    const pipeline = await context.pipelines.get(spec);
    const read = marking.columns.map((column) => views[column]!);
    const storage = read.map(({ window }) => window.buffer);
    if (marking.usesConstants && constants !== null) storage.push(constants);
    commands.dispatch(pipeline, {
      params: [length, lanes, 0, 0, 0, 0, 0, 0, ...read.flatMap(viewParams)],
      storage: [...storage, marks],
      workgroups: Math.ceil(length * lanes / BLOCK_ROWS),
    });
    await context.firstRuns.after(commands, pipeline);
    return marks;
  } catch (error) {
    marks.release();
    throw error;
  }
}
