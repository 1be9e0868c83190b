/**
 * Several lanes for a row: they mark its text before the row is computed (`lanes/mark_rows.ts` of
 * `gpu/kernel/emit/wgsl/`) and copy its text (`print/noted_copies.ts` there).
 *
 * No card has run them. Prediction for an H100: a search, count or comparison in rows of 512 bytes to 4 KB
 * takes a half to a quarter of the time, in rows of 64 to 255 bytes the same or two thirds. Keep marks if a
 * card shows 1.5 times at 1 KB (part `lanes` of `deno task pack`), with the fewest bytes at which it shows
 * 1.2 times; else remove them. Keep copies by lanes if `text + "-"` in rows of 128 bytes gains anything.
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

/** Bytes of a row and the lanes that it has from there on; beyond the last it has one again. */
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
  /** Indices into `kernel.columns` of the texts that they read. */
  readonly columns: readonly number[];
  readonly marking: MarkingPass | null;
  /** One object, however many batches it runs over. */
  readonly spec: PipelineSpec | null;
}

/** A kernel whose rows may have several lanes. */
interface MarkedRun {
  readonly kernel: RowKernel;
  /** Literals and tables, where some pass reads them. */
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
 * Lanes that rows get by the rules, or as a test says; 1 where lanes have nothing to do, or the device
 * binds too few buffers.
 */
export function laneWidth(
  { lanes, device }: WebGpuContext,
  kernel: RowKernel,
  inputs: readonly WebGpuColumn[],
): LaneWidth | 1 {
  // Constants, sizes, output and the marks take the others.
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

/** The kernel that marks the rows of another one; null where there is nothing to mark. */
export function markingSpec(kernel: RowKernel): PipelineSpec | null {
  return workOf(kernel).spec;
}

/** Whether that kernel reads literals. */
export function marksByConstants(kernel: RowKernel): boolean {
  return workOf(kernel).marking?.usesConstants === true;
}

/** Adds the marks of the rows of a range, one dispatch; null where it has none. The caller owns them. */
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
