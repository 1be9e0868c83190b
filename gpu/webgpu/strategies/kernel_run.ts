/**
 * A fused kernel over the columns of one batch, and how one pass of it becomes a dispatch.
 *
 * @module
 */

import { emitWgsl, type WgslPass } from "../../kernel/emit/wgsl/emit.ts";
import { kernelConstants } from "../../kernel/emit/wgsl/columns.ts";
import { ENTRY, type OwnPasses, type Pass, type Rows } from "../../kernel/emit/wgsl/pass.ts";
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
import { markingSpec, marksByConstants } from "./lanes.ts";
import type { LaneWidth } from "../dispatch/strategy_options.ts";
import { encodeLongRows, longColumns, type LongRows } from "./long_rows.ts";
import type { Access, PipelineSpec } from "../dispatch/pipelines.ts";
import { BLOCK_SCAN_WGSL, numBlocks } from "../dispatch/scan.ts";
import type { Scope } from "../memory/scope.ts";
import { numTiles, tilesWgsl } from "./tiles.ts";

/** A kernel and the columns that it reads. */
export interface KernelRun {
  readonly kernel: RowKernel;
  /** One for each of `kernel.columns`. */
  readonly inputs: readonly WebGpuColumn[];
  /** Literals and tables, where some pass reads them. */
  readonly constants: PooledBuffer | null;
  /** Indices into `kernel.columns` of those whose long rows get a workgroup each. */
  readonly longColumns: readonly number[];
  /** Lanes of a row, but of one that is long. */
  readonly lanes: LaneWidth | 1;
}

/** One pass over one range of rows. */
interface PassDispatch {
  readonly pass: Pass;
  readonly range: AlignedRange;
  /** The first two vec4 of the parameters, as `gpu/kernel/emit/wgsl/emit.ts` describes them. */
  readonly params: readonly number[];
  /** The buffers of sizes and output, as far as the pass has them. */
  readonly buffers: readonly PooledBuffer[];
  /** All rows, or those that are not long; or the long ones of a list. */
  readonly rows: Exclude<Rows, "long"> | LongRows;
  /** What lanes have marked, where they have. */
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

/** The passes that make the result of a kernel: one or two. */
export type Passes = readonly ["tiles"] | OwnPasses;

/** Readies a kernel: uploads its constants, which `scope` owns until all passes are submitted. */
export async function prepareRun(
  context: WebGpuContext,
  scope: Scope,
  { kernel, inputs, passes, lanes }: CompiledRun,
): Promise<KernelRun> {
  const run = { kernel, inputs, longColumns: longColumns(context, kernel, inputs), lanes };
  const usesConstants = passesOf(context, { kernel, inputs, passes, lanes })
    .some(([pass, rows, hasLanes]) => printPass(kernel, pass, rows, hasLanes).usesConstants);
  if (!usesConstants && (lanes === 1 || !marksByConstants(kernel))) {
    return { ...run, constants: null };
  }
  const words = kernelConstants(kernel);
  const label = `${kernel.label} constants`;
  const constants = scope.own(await context.pool.acquire("storage", words.byteLength, label));
  context.device.gpu.queue.writeBuffer(constants.buffer, 0, words);
  return { ...run, constants };
}

/** A kernel over some columns, its passes, and the lanes of its rows. */
export interface CompiledRun {
  readonly kernel: RowKernel;
  readonly inputs: readonly WebGpuColumn[];
  readonly passes: Passes;
  readonly lanes: LaneWidth | 1;
}

/** What is compiled for a kernel over some columns. */
export function pipelineSpecs(context: WebGpuContext, run: CompiledRun): PipelineSpec[] {
  const { kernel, lanes } = run;
  const specs = passesOf(context, run).map(([pass, rows, hasLanes]) =>
    pipelineSpec(context, kernel, pass, rows, hasLanes)
  );
  const marking = lanes === 1 || run.passes[0] === "tiles" ? null : markingSpec(kernel);
  return marking === null ? specs : [marking, ...specs];
}

function passesOf(
  context: WebGpuContext,
  { kernel, inputs, passes, lanes }: CompiledRun,
): [Pass, Rows, hasLanes: boolean][] {
  const isLong = longColumns(context, kernel, inputs).length > 0;
  const kinds: Rows[] = isLong ? ["short", "long"] : ["all"];
  return passes.flatMap((pass: Pass) =>
    kinds.map((rows): [Pass, Rows, boolean] => [pass, rows, hasLanes(pass, rows, lanes)])
  );
}

/** Whether the rows of a pass have several lanes. */
function hasLanes(pass: Pass, rows: Rows, lanes: LaneWidth | 1): boolean {
  return lanes > 1 && pass !== "tiles" && rows !== "long";
}

/** One object for a pass, however many batches it runs over: it is found sooner than its code. */
function pipelineSpec(
  context: WebGpuContext,
  kernel: RowKernel,
  pass: Pass,
  rows: Rows,
  hasLanes: boolean,
): PipelineSpec {
  const key = `${pass} ${pass === "tiles" ? context.tiles.order : rows} ${hasLanes}`;
  const make = () => specOf(kernel, pass, rows, hasLanes, before(context, pass));
  return madeOnce(specs, kernel, key, make);
}

function specOf(
  kernel: RowKernel,
  pass: Pass,
  rows: Rows,
  hasLanes: boolean,
  start: string,
): PipelineSpec {
  const { code, columns, usesConstants } = printPass(kernel, pass, rows, hasLanes);
  const isMarked = hasLanes && markingSpec(kernel) !== null;
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

/** Adds the listing of the long rows of a range; null where there are none. The caller owns it. */
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
  { kernel, constants, lanes }: KernelRun,
  { pass, range, params, buffers, rows, marks = null }: PassDispatch,
): Promise<void> {
  const long = typeof rows === "string" ? null : rows;
  const kind = typeof rows === "string" ? rows : "long";
  const several = hasLanes(pass, kind, lanes);
  const { columns, usesConstants } = printPass(kernel, pass, kind, several);
  const views = columns.map((column) => range.views[column]!);
  const storage = views.map(({ window }) => window.buffer);
  if (usesConstants && constants !== null) storage.push(constants);
  const pipeline = await context.pipelines.get(pipelineSpec(context, kernel, pass, kind, several));
  const tail = [...buffers, ...(several && marks !== null ? [marks] : [])];
  commands.dispatch(pipeline, {
    params: [
      ...params,
      ...columns.flatMap((column) => columnParams(kernel, range, column)),
      ...(kind === "all" && !several ? [] : [context.longRowBytes, lanes, 0, 0]),
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

/** The code that the code of a pass follows. */
function before({ tiles }: WebGpuContext, pass: Pass): string {
  if (pass === "tiles") return tilesWgsl(tiles);
  return pass === "sizes" ? BLOCK_SCAN_WGSL : "";
}

/** The parameters of a column; lists have those of their items, too. */
function columnParams({ columnTypes }: RowKernel, range: AlignedRange, column: number): number[] {
  const view = range.views[column]!;
  const isList = columnTypes[column]!.kind === "list";
  return [...viewParams(view), ...(isList ? itemParams(view) : [])];
}

/** Kernels are printed once, however many batches they run over. */
export function printPass(
  kernel: RowKernel,
  pass: Pass,
  rows: Rows,
  hasLanes = false,
): WgslPass {
  const key = `${pass} ${rows} ${hasLanes}`;
  return madeOnce(printed, kernel, key, () => emitWgsl(kernel, pass, rows, hasLanes));
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
