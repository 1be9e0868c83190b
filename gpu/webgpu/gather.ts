/**
 * Rows of a selection, gathered on the device: one window of a column in, one window out.
 *
 * Text takes sizes, scan and write; the sizes of all text columns of a batch are read back
 * together, so it comes in two steps: `encodeTextSizes` before the readback, `gatherWindow` after.
 *
 * @module
 */

import gatherFixedWgsl from "./gather_fixed.wgsl" with { type: "text" };
import gatherTextSizesWgsl from "./gather_text_sizes.wgsl" with { type: "text" };
import gatherTextWgsl from "./gather_text.wgsl" with { type: "text" };
import { byteWidth, type ColumnType } from "../column.ts";
import type { PooledBuffer } from "./buffer_pool.ts";
import type { Commands } from "./commands.ts";
import type { WebGpuContext } from "./context.ts";
import {
  type ColumnWindow,
  fixedDataBytes,
  RowTooLargeError,
  viewParams,
  type WindowLayout,
  windowLayout,
  type WindowView,
} from "./device_column.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "./scan.ts";
import type { Scope } from "./scope.ts";

/** Rows of a range, in any order and any number of times. */
export interface Selection {
  /** Word 0: number of rows in it; then one row a word, 0xffffffff for a row that is missing. */
  readonly rows: PooledBuffer;
  /** Which of them: `length` from `start` on. Before the count is known, an upper bound. */
  readonly start: number;
  readonly length: number;
  /** Whether a row may be missing; it is null in the result. */
  readonly mayMiss: boolean;
}

/** Sizes of a text column; `slot` of the totals receives the bytes of all rows. */
export interface TextSizes {
  /** `textSizesWords` of the selection: one word a row, then one word a block. */
  readonly sizes: PooledBuffer;
  /** Word of the first block. */
  readonly blocksWord: number;
  readonly totals: PooledBuffer;
  readonly slot: number;
}

/** Rows that one workgroup of the sizes pass owns. */
const BLOCK_ROWS = 1_024;

/** Words of a selection of so many rows. */
export function selectionWords(numRows: number): number {
  return 1 + numRows;
}

/** Rows that may be selected at once: their sizes and block sums must fit one binding. */
export function maxSelectedRows(windowBytes: number): number {
  return Math.floor(windowBytes / 4.01) - 8;
}

/** Makes room for the sizes of the rows of a selection, owned by `scope`. */
export async function acquireTextSizes(
  context: WebGpuContext,
  scope: Scope,
  { length }: Selection,
  total: { readonly totals: PooledBuffer; readonly slot: number },
): Promise<TextSizes> {
  const bytes = 4 * (length + Math.ceil(length / BLOCK_ROWS));
  const sizes = scope.own(await context.pool.acquire("storage", bytes, "gather text sizes"));
  return { sizes, blocksWord: length, ...total };
}

/** Adds sizes and scan of a text column to `commands`: two dispatches. */
export async function encodeTextSizes(
  context: WebGpuContext,
  commands: Commands,
  view: WindowView,
  { rows, start, length }: Selection,
  { sizes, blocksWord, totals, slot }: TextSizes,
): Promise<void> {
  const blocks = Math.ceil(length / BLOCK_ROWS);
  const pipeline = await context.pipelines.get({
    label: "gather text sizes",
    code: BLOCK_SCAN_WGSL + gatherTextSizesWgsl,
    entry: "gather_text_sizes",
    storage: ["read", "read", "write"],
  });
  commands.dispatch(pipeline, {
    params: [...viewParams(view), length, start, blocksWord, blocks],
    storage: [view.window.buffer, rows, sizes],
    workgroups: blocks,
  });
  const scan = { sums: sizes, firstWord: blocksWord, blocks, totals, slot };
  await encodeScan(context, commands, scan);
}

/** What `gatherWindow` gathers. */
export interface GatherSource {
  readonly type: ColumnType;
  readonly hasValidity: boolean;
  readonly view: WindowView;
  readonly label: string;
  /** Text: its scanned sizes and the total, read back. */
  readonly text?: { readonly sizes: TextSizes; readonly dataBytes: number };
}

/**
 * Adds the gather of one window to `commands` and returns the window of the result, which begins
 * at row `start` of its column. Rejects with a `RowTooLargeError` if it does not fit a window.
 */
export async function gatherWindow(
  context: WebGpuContext,
  commands: Commands,
  source: GatherSource,
  selection: Selection,
  start: number,
): Promise<ColumnWindow> {
  const { type, view, label, text } = source;
  const { length, mayMiss } = selection;
  const hasValidity = source.hasValidity || mayMiss;
  const dataBytes = text?.dataBytes ?? fixedDataBytes(type, length);
  const layout = windowLayout(type, length, dataBytes, hasValidity);
  if (4 * layout.words > context.windowBytes) {
    throw new RowTooLargeError(`${length} rows of ${label} do not fit a window`);
  }
  const buffer = await context.pool.acquire("storage", 4 * layout.words, label);
  try {
    const job = { context, commands, view, selection, buffer, layout };
    if (hasValidity) {
      const { validityWord } = view.window.layout;
      await encodeBits(job, source.hasValidity ? validityWord : null, layout.validityWord);
    }
    if (text !== undefined) await encodeText(job, text.sizes, dataBytes);
    else if (type.kind === "bool") {
      await encodeBits(job, view.window.layout.dataWord, layout.dataWord);
    } else await encodeValues(job, byteWidth(type), dataBytes);
  } catch (error) {
    buffer.release();
    throw error;
  }
  return { start, length, dataBytes, layout, buffer };
}

interface Job {
  readonly context: WebGpuContext;
  readonly commands: Commands;
  readonly view: WindowView;
  readonly selection: Selection;
  readonly buffer: PooledBuffer;
  readonly layout: WindowLayout;
}

async function encodeBits(job: Job, sourceWord: number | null, targetWord: number): Promise<void> {
  const words = Math.ceil(job.selection.length / 32);
  await encodeFixed(job, "gather_bits", targetWord, words, [
    0,
    sourceWord ?? 0,
    sourceWord === null ? 0 : 1,
  ]);
}

async function encodeValues(job: Job, width: number, dataBytes: number): Promise<void> {
  const entry = width % 4 === 0 ? "gather_words" : "gather_bytes";
  await encodeFixed(job, entry, job.layout.dataWord, Math.ceil(dataBytes / 4), [width, 0, 0]);
}

async function encodeFixed(
  { context, commands, view, selection, buffer }: Job,
  entry: string,
  targetWord: number,
  words: number,
  how: readonly [width: number, sourceWord: number, hasBits: number],
): Promise<void> {
  const pipeline = await context.pipelines.get({
    label: entry.replace("_", " "),
    code: gatherFixedWgsl,
    entry,
    storage: ["read", "read", "write"],
  });
  const { rows, start, length } = selection;
  commands.dispatch(pipeline, {
    params: [...viewParams(view), targetWord, words, length, start, ...how, 0],
    storage: [view.window.buffer, rows, buffer],
    workgroups: Math.ceil(words / 256),
  });
}

async function encodeText(job: Job, sizes: TextSizes, dataBytes: number): Promise<void> {
  const { context, commands, view, selection, buffer, layout } = job;
  const pipeline = await context.pipelines.get({
    label: "gather text",
    code: gatherTextWgsl,
    entry: "gather_text",
    storage: ["read", "read", "read", "write"],
  });
  const { rows, start, length } = selection;
  commands.clear(buffer, layout.dataWord, Math.ceil(dataBytes / 4));
  commands.dispatch(pipeline, {
    params: [
      ...viewParams(view),
      ...[layout.offsetsWord, layout.dataWord, length, start],
      ...[sizes.blocksWord, 0, 0, 0],
    ],
    storage: [view.window.buffer, rows, sizes.sizes, buffer],
    workgroups: Math.ceil(length / 256),
  });
}
