/**
 * A run of rows of a join on the device: for each row, one of the probe side, one of the build
 * side, or both; and the sizes of their text and lists.
 *
 * @module
 */

import type { ResultLimits } from "../../backend.ts";
import { hasOffsets, type HostColumn, isTextList } from "../../column/column.ts";
import type { Commands } from "../dispatch/commands.ts";
import { encodeRowSizes, maxSelectedRows, type RowSizes } from "../gather/row_sizes.ts";
import type { Selection } from "../memory/selection.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { WebGpuColumn, WindowView } from "../memory/device_column.ts";
import type { Scope } from "../memory/scope.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { sampleStep } from "./cut_rows.ts";

/** A selection of rows for each side of a join. */
export interface Pairs {
  readonly probeRows: Selection;
  readonly buildRows: Selection;
}

/**
 * A column of the result: the column that its rows come from, and the side whose selection applies.
 */
export type Source =
  & { readonly side: keyof Pairs }
  & (
    | { readonly column: WebGpuColumn; readonly views: readonly WindowView[] }
    | { readonly column: HostColumn; readonly views: null }
  );

/** A column on the device. */
export type DeviceSource = Extract<Source, { readonly column: WebGpuColumn }>;

/** Returns a whole column as a source. */
export function wholeSource(column: WebGpuColumn | HostColumn, side: keyof Pairs): Source {
  if (column.place === "host") return { column, side, views: null };
  const views = column.windows.map((window) => ({ window, firstRow: -window.start }));
  return { column, side, views };
}

/**
 * Returns the number of size arrays of a source: none, one for rows, or two for rows and the bytes
 * of their items.
 */
export function numSizeArrays({ column: { type }, views }: Source): number {
  if (views === null || !hasOffsets(type)) return 0;
  return isTextList(type) ? 2 : 1;
}

/** The approximate bytes of selections and sizes of one run. */
const RUN_BYTES = 64 * 2 ** 20;

/** Returns the most rows of a run. */
export function maxRunRows({ windowBytes }: WebGpuContext, sources: readonly Source[]): number {
  const arrays = sources.reduce((sum, source) => sum + numSizeArrays(source), 2);
  const most = Math.min(maxSelectedRows(windowBytes), Math.floor(RUN_BYTES / (4 * arrays)));
  return Math.max(1, most);
}

/** A planned run of pairs. */
export interface RunPlan {
  readonly sources: readonly Source[];
  readonly limits: ResultLimits;
  readonly capacity: number;
  /** The rows between two samples. */
  readonly step: number;
  readonly numSamples: number;
  /** The words of totals for all samples. */
  readonly slots: number;
}

/** Plans a run of `capacity` rows, at least 1. */
export function planRun(
  sources: readonly Source[],
  capacity: number,
  limits: ResultLimits,
): RunPlan {
  const step = sampleStep(capacity, limits);
  const numSamples = Math.ceil(capacity / step);
  const slots = sources.reduce((sum, source) => sum + numSamples * numSizeArrays(source), 0);
  return { sources, limits, capacity, step, numSamples, slots };
}

/** A run on the device. */
export interface Run {
  readonly plan: RunPlan;
  readonly pairs: Pairs;
  /** For each source; null unless it is text or lists on the device. */
  readonly sizes: readonly (RowSizes | null)[];
  /** The first word of the samples. */
  readonly slot: number;
}

/** Adds the sizes of a run to `commands`. `scope` owns the buffers, which the results need. */
export async function encodeRun(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  plan: RunPlan,
  pairs: Pairs,
  { totals, slot }: { readonly totals: PooledBuffer; readonly slot: number },
): Promise<Run> {
  const { sources, step, numSamples } = plan;
  const sizes: (RowSizes | null)[] = [];
  let next = slot;
  for (const source of sources) {
    const arrays = numSizeArrays(source);
    if (arrays === 0) {
      sizes.push(null);
      continue;
    }
    const { column: { type }, views, side } = source as DeviceSource;
    const samples = { totals, slot: next, count: numSamples, step };
    sizes.push(
      await encodeRowSizes(context, scope, commands, { type, views }, pairs[side], samples),
    );
    next += arrays * numSamples;
  }
  return { plan, pairs, sizes, slot };
}
