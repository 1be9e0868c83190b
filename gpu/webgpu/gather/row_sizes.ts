/**
 * Computes and scans the sizes of the selected rows of text and lists: the first of the two steps
 * of a gather. The sizes are kept, so that any range of the selection can be gathered later.
 *
 * @module
 */

import rowSizesWgsl from "./row_sizes.wgsl" with { type: "text" };
import sizeSamplesWgsl from "./size_samples.wgsl" with { type: "text" };
import { isTextList } from "../../column/column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { NO_WORD, viewParams, type WindowView } from "../memory/device_column.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import type { Scope } from "../memory/scope.ts";
import type { GatherSource, Selection } from "../memory/selection.ts";

/** The scanned sizes of a selection: a word for each row, then one for each block. */
export interface ScannedSizes {
  readonly sizes: PooledBuffer;
  /** The word of the first block. */
  readonly blocksWord: number;
}

/** The sizes of a column of text or lists. */
export interface RowSizes {
  /** The bytes of text, or the items of lists. */
  readonly rows: ScannedSizes;
  /** The bytes of the items of lists of texts; else null. */
  readonly itemBytes: ScannedSizes | null;
}

/**
 * The words that positions are written to, for the host to read: the position of every `step`-th
 * row but the first, then the total as the last of `count` words. `slot` is the first word for the
 * rows; the words for the bytes of items follow.
 */
interface SizeTotals {
  readonly totals: PooledBuffer;
  readonly slot: number;
  readonly count: number;
  readonly step: number;
}

/** The most words of totals that a column takes for each position. */
export const SIZE_SLOTS = 2;

/** The rows of one workgroup of the sizes pass. */
const BLOCK_ROWS = 1_024;

/** Returns the words of a selection of `numRows` rows. */
export function selectionWords(numRows: number): number {
  return 1 + numRows;
}

/** Returns the most rows of a selection: their sizes and block sums have to fit one binding. */
export function maxSelectedRows(windowBytes: number): number {
  return Math.floor(windowBytes / 4.01) - 8;
}

/**
 * Adds the sizes and scans of a column of text or lists to `commands`: two dispatches, or four for
 * lists of texts, and one more for samples and for each further window. `scope` owns the sizes,
 * which the gather needs.
 */
export async function encodeRowSizes(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { type, views }: Pick<GatherSource, "type" | "views">,
  selection: Selection,
  totals: SizeTotals,
): Promise<RowSizes> {
  const sizes = async (ofItems: boolean, to: SizeTotals) =>
    await encodeSizes(context, scope, commands, views, selection, ofItems, to);
  const rows = await sizes(false, totals);
  if (!isTextList(type)) return { rows, itemBytes: null };
  const itemBytes = await sizes(true, { ...totals, slot: totals.slot + totals.count });
  return { rows, itemBytes };
}

async function encodeSizes(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  views: readonly WindowView[],
  { rows, length }: Selection,
  ofItems: boolean,
  { totals, slot, count, step }: SizeTotals,
): Promise<ScannedSizes> {
  const blocks = Math.ceil(length / BLOCK_ROWS);
  const bytes = 4 * (length + blocks);
  const sizes = scope.own(await context.pool.acquire("storage", bytes, "gather sizes"));
  for (const [k, view] of views.entries()) {
    const isLast = k === views.length - 1;
    const pipeline = await context.pipelines.get({
      label: "gather sizes",
      code: BLOCK_SCAN_WGSL + rowSizesWgsl,
      entry: isLast ? "scan_sizes" : "add_sizes",
      storage: ["read", "read", "write"],
    });
    const { length: windowRows, buffer, layout } = view.window;
    commands.dispatch(pipeline, {
      params: [
        ...viewParams(view),
        ...[length, length, blocks, windowRows],
        ...[ofItems ? layout.itemOffsetsWord : NO_WORD, k === 0 ? 0 : 1, 0, 0],
      ],
      storage: [buffer, rows, sizes],
      workgroups: blocks,
    });
  }
  const scanned = { sizes, blocksWord: length };
  const job = { sums: sizes, firstWord: length, blocks, totals, slot: slot + count - 1 };
  await encodeScan(context, commands, job);
  // The last step may be short: its end is the total.
  if (count > 1) {
    const samples = { first: step, step, count: count - 1 };
    await encodeSamples(context, commands, scanned, samples, totals, slot);
  }
  return scanned;
}

/** Rows whose positions are read: `count` rows from `first` on, `step` apart. */
interface Samples {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/** Adds the dispatch that stores the positions of rows in `target`, from a word on. */
export async function encodeSamples(
  context: WebGpuContext,
  commands: Commands,
  { sizes, blocksWord }: ScannedSizes,
  { first, step, count }: Samples,
  target: PooledBuffer,
  word: number,
): Promise<void> {
  const pipeline = await context.pipelines.get({
    label: "size samples",
    code: BLOCK_SCAN_WGSL + sizeSamplesWgsl,
    entry: "sample_sizes",
    storage: ["read", "write"],
  });
  commands.dispatch(pipeline, {
    params: [first, step, count, word, blocksWord, 0, 0, 0],
    storage: [sizes, target],
    workgroups: Math.ceil(count / 256),
  });
}
