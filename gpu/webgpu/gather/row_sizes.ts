/**
 * Sizes of the selected rows of text and lists, scanned: the first of the two steps of a gather.
 * They are kept, so that any run of the selection can be gathered later.
 *
 * @module
 */

import rowSizesWgsl from "./row_sizes.wgsl" with { type: "text" };
import sizeSamplesWgsl from "./size_samples.wgsl" with { type: "text" };
import { type ColumnType, isTextList } from "../../column/column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { NO_WORD, viewParams, type WindowView } from "../memory/device_column.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import type { Scope } from "../memory/scope.ts";
import type { Selection } from "../memory/selection.ts";

/** Scanned sizes: one word a row of a selection, then one word a block. */
export interface ScannedSizes {
  readonly sizes: PooledBuffer;
  /** Word of the first block. */
  readonly blocksWord: number;
}

/** Sizes of a column of text or lists. */
export interface RowSizes {
  /** Bytes of text, or items. */
  readonly rows: ScannedSizes;
  /** Bytes of the items of lists of texts. */
  readonly itemBytes: ScannedSizes | null;
}

/**
 * Where positions go for the host to read: those of every `step`-th row from the second step on, and
 * the total as the last of `count` words. `slot` is the first word for the rows; those of the bytes of
 * items follow.
 */
export interface SizeTotals {
  readonly totals: PooledBuffer;
  readonly slot: number;
  readonly count: number;
  readonly step: number;
}

/** Words of totals that a column takes at most, for each of its positions that are read. */
export const SIZE_SLOTS = 2;

/** Rows that one workgroup of the sizes pass owns. */
const BLOCK_ROWS = 1_024;

/** Words of a selection. */
export function selectionWords(numRows: number): number {
  return 1 + numRows;
}

/** Rows that may be selected at once: their sizes and block sums must fit one binding. */
export function maxSelectedRows(windowBytes: number): number {
  return Math.floor(windowBytes / 4.01) - 8;
}

/** A column that is gathered: one window of it, or all. */
export interface SizedSource {
  readonly type: ColumnType;
  readonly views: readonly WindowView[];
}

/**
 * Adds sizes and scans of a column of text or lists to `commands`: two dispatches, or four for lists
 * of texts, and one more for samples and for each further window. `scope` owns the sizes, which the
 * gather needs.
 */
export async function encodeRowSizes(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { type, views }: SizedSource,
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
  // The last step may end early: its end is the total.
  if (count > 1) {
    const samples = { first: step, step, count: count - 1 };
    await encodeSamples(context, commands, scanned, samples, totals, slot);
  }
  return scanned;
}

/** Rows whose positions are read: `count` from `first` on, each `step` behind the one before. */
interface Samples {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/** Adds to `commands` what stores positions of rows in `target`, from a word on. */
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
