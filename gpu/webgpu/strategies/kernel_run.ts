/**
 * Runs a fused kernel over the columns of one batch, with a dispatch for each pass.
 *
 * @module
 */

import { emitWgsl, type PassOptions, type WgslPass } from "../../kernel/emit/wgsl/emit.ts";
import { kernelConstants } from "../../kernel/emit/wgsl/print/columns.ts";
import { ENTRY, type OwnPasses, type Pass, type Rows } from "../../kernel/emit/wgsl/print/pass.ts";
import { takesFewSteps } from "../../kernel/emit/wgsl/print/steps.ts";
import type { RowKernel } from "../../kernel/ir/ir.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type AlignedRange,
  itemParams,
  viewParams,
  type WebGpuColumn,
} from "../memory/device_column.ts";
import { mayTakeLong } from "../dispatch/loop_limit.ts";
import { markingSpec, marksByConstants } from "./lanes.ts";
import type { LaneWidth } from "../dispatch/strategy_options.ts";
import { encodeLongRows, longColumns, type LongRows } from "./long_rows.ts";
import type { Access, PipelineSpec } from "../dispatch/pipelines.ts";
import { BLOCK_SCAN_WGSL, numBlocks } from "../dispatch/scan.ts";
import type { Scope } from "../memory/scope.ts";
import { numTiles, tilesWgsl } from "./tiles.ts";

/** A kernel, the columns that it reads, and the options of its run. */
interface PlannedRun {
  readonly kernel: RowKernel;
  /** One column for each of `kernel.columns`. */
  readonly inputs: readonly WebGpuColumn[];
  /** The number of lanes of a row, unless it is long. */
  readonly lanes: LaneWidth | 1;
  /** Whether the loops of a row count their rounds. */
  readonly countsSteps: boolean;
}

/** A run that is ready to be dispatched. */
export interface KernelRun extends PlannedRun {
  /** Literals and tables, if a pass reads them. */
  readonly constants: PooledBuffer | null;
  /** The indices in `kernel.columns` of columns whose long rows get a workgroup each. */
  readonly longColumns: readonly number[];
}

/** One pass over one range of rows. */
interface PassDispatch {
  readonly pass: Pass;
  readonly range: AlignedRange;
  /** The first two vec4 of the parameters, as `gpu/kernel/emit/wgsl/emit.ts` describes them. */
  readonly params: readonly number[];
  /** The buffers of sizes and output that the pass uses. */
  readonly buffers: readonly PooledBuffer[];
  /** All rows, those that are not long, or the long ones as a list. */
  readonly rows: Exclude<Rows, "long"> | LongRows;
  /** The marks that lanes left, if they did. */
  readonly marks?: PooledBuffer | null;
}

const TAIL_ACCESS: Readonly<Record<Pass, readonly Access[]>> = {
  sizes: ["write"],
  write: ["read", "write"],
  tiles: ["write", "write"],
  single: ["write"],
};

const printed = new WeakMap<RowKernel, Map<string, WgslPass>>();
const specs = new WeakMap<RowKernel, Map<string, PipelineSpec>>();

/** The passes that compute the result of a kernel: one or two. */
export type Passes = readonly ["tiles"] | OwnPasses;

/** A run and its passes, before it is ready to be dispatched. */
export interface CompiledRun extends PlannedRun {
  readonly passes: Passes;
}

/** Whether loops must count their rounds, since a row of these columns may take too many. */
export function mustCountSteps(
  context: WebGpuContext,
  kernel: RowKernel,
  inputs: readonly WebGpuColumn[],
): boolean {
  return mayTakeLong(context, inputs) || !takesFewSteps(kernel);
}

/** Prepares a run. Uploads its constants, which `scope` owns until all passes are submitted. */
export async function prepareRun(
  context: WebGpuContext,
  scope: Scope,
  { passes, ...plan }: CompiledRun,
): Promise<KernelRun> {
  const { kernel, inputs, lanes } = plan;
  const run = { ...plan, longColumns: longColumns(context, kernel, inputs) };
  const usesConstants = codesOf(context, { ...plan, passes })
    .some((code) => printPass(kernel, code).usesConstants);
  if (!usesConstants && (lanes === 1 || !marksByConstants(kernel))) {
    return { ...run, constants: null };
  }
  const words = kernelConstants(kernel);
  const label = `${kernel.label} constants`;
  const constants = scope.own(await context.pool.acquire("storage", words.byteLength, label));
  context.device.gpu.queue.writeBuffer(constants.buffer, 0, words);
  return { ...run, constants };
}

/** Returns the pipelines that a run needs. */
export function pipelineSpecs(context: WebGpuContext, run: CompiledRun): PipelineSpec[] {
  const { kernel, lanes } = run;
  const specs = codesOf(context, run).map((code) => pipelineSpec(context, kernel, code));
  const marking = lanes === 1 || run.passes[0] === "tiles" ? null : markingSpec(kernel);
  return marking === null ? specs : [marking, ...specs];
}

/** One variant of a kernel's code: a pass over some of the rows. */
interface PassCode extends Required<PassOptions> {
  readonly pass: Pass;
}

function codesOf(context: WebGpuContext, run: CompiledRun): PassCode[] {
  const isLong = longColumns(context, run.kernel, run.inputs).length > 0;
  const kinds: Rows[] = isLong ? ["short", "long"] : ["all"];
  return run.passes.flatMap((pass: Pass) => kinds.map((rows) => codeOf(run, pass, rows)));
}

function codeOf({ lanes, countsSteps }: PlannedRun, pass: Pass, rows: Rows): PassCode {
  return {
    pass,
    rows,
    hasLanes: lanes > 1 && pass !== "tiles" && rows !== "long",
    countsSteps: countsSteps || pass === "tiles" || rows !== "all",
  };
}

function keyOf({ pass, rows, hasLanes, countsSteps }: PassCode): string {
  return `${pass} ${rows} ${hasLanes} ${countsSteps}`;
}

/**
 * Returns the same object for the same code over any number of batches, so that it is found without
 * comparing code.
 */
function pipelineSpec(context: WebGpuContext, kernel: RowKernel, code: PassCode): PipelineSpec {
  const key = code.pass === "tiles" ? `tiles ${context.tiles.order}` : keyOf(code);
  return madeOnce(specs, kernel, key, () => specOf(kernel, code, before(context, code.pass)));
}

function specOf(kernel: RowKernel, { pass, rows, ...how }: PassCode, start: string): PipelineSpec {
  const { code, columns, usesConstants } = printPass(kernel, { pass, rows, ...how });
  const isMarked = how.hasLanes && markingSpec(kernel) !== null;
  const numRead = columns.length + (usesConstants ? 1 : 0);
  return {
    label: `${kernel.label} ${pass}${rows === "long" ? " of long rows" : ""}`,
    code: start + code,
    entry: ENTRY,
    storage: [
      ...Array.from({ length: numRead }, () => "read" as const),
      ...TAIL_ACCESS[pass],
      ...(rows === "long" || isMarked ? ["read" as const] : []),
    ],
  };
}

/**
 * Adds the dispatch that lists the long rows of a range; null if there are none. The caller owns
 * the list.
 */
export async function listLongRows(
  context: WebGpuContext,
  commands: Commands,
  { inputs, longColumns }: KernelRun,
  range: AlignedRange,
): Promise<LongRows | null> {
  if (longColumns.length === 0) return null;
  return await encodeLongRows(context, commands, range, longColumns, inputs);
}

/** Adds one pass over one range to `commands`. */
export async function encodePass(
  context: WebGpuContext,
  commands: Commands,
  run: KernelRun,
  { pass, range, params, buffers, rows, marks = null }: PassDispatch,
): Promise<void> {
  const { kernel, constants, lanes } = run;
  const long = typeof rows === "string" ? null : rows;
  const kind = typeof rows === "string" ? rows : "long";
  const code = codeOf(run, pass, kind);
  const { hasLanes } = code;
  const { columns, usesConstants } = printPass(kernel, code);
  const views = columns.map((column) => range.views[column]!);
  const storage = views.map(({ window }) => window.buffer);
  if (usesConstants && constants !== null) storage.push(constants);
  const pipeline = await context.pipelines.get(pipelineSpec(context, kernel, code));
  const tail = [...buffers, ...(hasLanes && marks !== null ? [marks] : [])];
  commands.dispatch(pipeline, {
    params: [
      ...params,
      ...columns.flatMap((column) => columnParams(kernel, range, column)),
      ...(kind === "all" && !hasLanes ? [] : [context.longRowBytes, lanes, 0, 0]),
    ],
    storage: [...storage, ...tail, ...(long === null ? [] : [long.list])],
    workgroups: long !== null
      ? long.atMost
      : pass === "tiles"
      ? numTiles(context.tiles, range.length)
      : numBlocks(range.length),
  });
  await context.firstRuns.after(commands, pipeline);
}

/** Returns the code that has to precede the code of a pass. */
function before({ tiles }: WebGpuContext, pass: Pass): string {
  if (pass === "tiles") return tilesWgsl(tiles);
  return pass === "sizes" ? BLOCK_SCAN_WGSL : "";
}

/** Returns the parameters of a column; a list also has those of its items. */
function columnParams({ columnTypes }: RowKernel, range: AlignedRange, column: number): number[] {
  const view = range.views[column]!;
  const isList = columnTypes[column]!.kind === "list";
  return [...viewParams(view), ...(isList ? itemParams(view) : [])];
}

/** Prints a pass, once for any number of batches. */
function printPass(kernel: RowKernel, { pass, ...options }: PassCode): WgslPass {
  const key = keyOf({ pass, ...options });
  return madeOnce(printed, kernel, key, () => emitWgsl(kernel, pass, options));
}

function madeOnce<T>(
  known: WeakMap<RowKernel, Map<string, T>>,
  kernel: RowKernel,
  key: string,
  make: () => T,
): T {
  let own = known.get(kernel);
  if (own === undefined) known.set(kernel, own = new Map());
  let made = own.get(key);
  if (made === undefined) own.set(key, made = make());
  return made;
}
