/**
 * Rows of a selection, gathered on the device: one window of a column in, one window out.
 *
 * Text and lists take sizes, scan and write; the sizes of all such columns of a batch are read back
 * together, so it comes in two steps: `encodeRowSizes` before the readback, `gatherWindow` after.
 *
 * @module
 */

import gatherCopyWgsl from "./gather_copy.wgsl" with { type: "text" };
import gatherListWgsl from "./gather_list.wgsl" with { type: "text" };
import gatherFixedWgsl from "./gather_fixed.wgsl" with { type: "text" };
import gatherTextSizesWgsl from "./gather_text_sizes.wgsl" with { type: "text" };
import gatherTextWgsl from "./gather_text.wgsl" with { type: "text" };
import { byteWidth, type ColumnType, isTextList } from "../../column/column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../webgpu_context.ts";
import {
  type ColumnWindow,
  fixedDataBytes,
  itemParams,
  NO_WORD,
  viewParams,
  type WindowLayout,
  windowLayout,
  type WindowView,
} from "../memory/device_column.ts";
import { BLOCK_SCAN_WGSL, encodeScan } from "../dispatch/scan.ts";
import type { Scope } from "../memory/scope.ts";

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

/** Scanned sizes: one word a row, then one word a block. */
interface ScannedSizes {
  readonly sizes: PooledBuffer;
  /** Word of the first block. */
  readonly blocksWord: number;
}

/** Sizes of a column of text or lists. */
export interface RowSizes {
  /** Bytes of text, or items; `slot` of the totals receives those of all rows. */
  readonly rows: ScannedSizes;
  /** Bytes of the items of lists of texts; the slot after it receives those of all rows. */
  readonly itemBytes: ScannedSizes | null;
  readonly slot: number;
}

/** Slots of the totals that a column of text or lists takes. */
export const SIZE_SLOTS = 2;

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

/**
 * Adds sizes and scans of a column of text or lists to `commands`: two dispatches, or four for lists
 * of texts. `scope` owns the sizes, which the gather needs.
 */
export async function encodeRowSizes(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { type, view }: Pick<GatherSource, "type" | "view">,
  selection: Selection,
  total: { readonly totals: PooledBuffer; readonly slot: number },
): Promise<RowSizes> {
  const rows = await encodeSizes(context, scope, commands, view, selection, NO_WORD, total);
  const { totals, slot } = total;
  if (!isTextList(type)) return { rows, itemBytes: null, slot };
  const { itemOffsetsWord } = view.window.layout;
  const next = { totals, slot: slot + 1 };
  const itemBytes = await encodeSizes(
    ...[context, scope, commands, view, selection, itemOffsetsWord, next] as const,
  );
  return { rows, itemBytes, slot };
}

async function encodeSizes(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  view: WindowView,
  { rows, start, length }: Selection,
  itemOffsetsWord: number,
  total: { readonly totals: PooledBuffer; readonly slot: number },
): Promise<ScannedSizes> {
  const blocks = Math.ceil(length / BLOCK_ROWS);
  const bytes = 4 * (length + blocks);
  const sizes = scope.own(await context.pool.acquire("storage", bytes, "gather sizes"));
  const pipeline = await context.pipelines.get({
    label: "gather sizes",
    code: BLOCK_SCAN_WGSL + gatherTextSizesWgsl,
    entry: "gather_text_sizes",
    storage: ["read", "read", "write"],
  });
  commands.dispatch(pipeline, {
    params: [...viewParams(view), length, start, length, blocks, itemOffsetsWord, 0, 0, 0],
    storage: [view.window.buffer, rows, sizes],
    workgroups: blocks,
  });
  await encodeScan(context, commands, { sums: sizes, firstWord: length, blocks, ...total });
  return { sizes, blocksWord: length };
}

/** What `gatherWindow` gathers. */
export interface GatherSource {
  readonly type: ColumnType;
  readonly hasValidity: boolean;
  readonly view: WindowView;
  readonly label: string;
  /** Text and lists: their scanned sizes, and the totals, read back. */
  readonly sized?: { readonly sizes: RowSizes; readonly totals: Uint32Array } | undefined;
}

/**
 * Adds the gather of one window to `commands` and returns the window of the result, which begins
 * at row `start` of its column; null if it does not fit.
 */
export async function gatherWindow(
  context: WebGpuContext,
  commands: Commands,
  source: GatherSource,
  selection: Selection,
  start: number,
): Promise<ColumnWindow | null> {
  const { type, view, label, sized } = source;
  const { length, mayMiss } = selection;
  const hasValidity = source.hasValidity || mayMiss;
  const { dataBytes, numItems } = resultSize(type, length, sized);
  const hasNullItems = type.kind === "list" && view.window.layout.itemValidityWord !== NO_WORD;
  const items = { length: numItems, hasValidity: hasNullItems };
  const layout = windowLayout(type, length, dataBytes, hasValidity, items);
  if (4 * layout.words > context.windowBytes) return null;
  const buffer = await context.pool.acquire("storage", 4 * layout.words, label);
  try {
    const job = { context, commands, view, selection, buffer, layout };
    if (hasValidity) {
      const { validityWord } = view.window.layout;
      await encodeBits(job, source.hasValidity ? validityWord : null, layout.validityWord);
    }
    if (sized !== undefined && type.kind === "list") {
      await encodeList(job, type.item, sized.sizes);
    } else if (sized !== undefined) await encodeText(job, sized.sizes.rows, dataBytes);
    else if (type.kind === "bool") {
      await encodeBits(job, view.window.layout.dataWord, layout.dataWord);
    } else await encodeValues(job, byteWidth(type), dataBytes);
  } catch (error) {
    buffer.release();
    throw error;
  }
  return { start, length, dataBytes, numItems, layout, buffer };
}

/** Bytes and items of the gathered rows. */
function resultSize(
  type: ColumnType,
  length: number,
  sized: GatherSource["sized"],
): { dataBytes: number; numItems: number } {
  if (sized === undefined) return { dataBytes: fixedDataBytes(type, length), numItems: 0 };
  const { sizes, totals } = sized;
  const [first, second] = [totals[sizes.slot]!, totals[sizes.slot + 1]!];
  if (type.kind !== "list") return { dataBytes: first, numItems: 0 };
  const dataBytes = sizes.itemBytes === null ? fixedDataBytes(type.item, first) : second;
  return { dataBytes, numItems: first };
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

async function encodeText(job: Job, sizes: ScannedSizes, dataBytes: number): Promise<void> {
  const { context, commands, view, selection, buffer, layout } = job;
  const pipeline = await context.pipelines.get({
    label: "gather text",
    code: gatherCopyWgsl + gatherTextWgsl,
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

async function encodeList(job: Job, item: ColumnType, sizes: RowSizes): Promise<void> {
  const { context, commands, view, selection, buffer, layout } = job;
  const pipeline = await context.pipelines.get({
    label: "gather list",
    code: gatherCopyWgsl + gatherListWgsl,
    entry: "gather_list",
    storage: ["read", "read", "read", "read", "write"],
  });
  const { rows, start, length } = selection;
  const { offsetsWord, itemValidityWord, itemOffsetsWord, dataWord, words } = layout;
  const isText = sizes.itemBytes !== null;
  commands.clear(buffer, dataWord, words - dataWord);
  if (itemValidityWord !== NO_WORD) {
    commands.clear(buffer, itemValidityWord, itemOffsetsWord - itemValidityWord);
  }
  const [sourceValidity, sourceOffsets] = itemParams(view);
  commands.dispatch(pipeline, {
    params: [
      ...viewParams(view),
      ...[sourceValidity, isText ? sourceOffsets : NO_WORD, byteWidth(item), 0],
      ...[offsetsWord, dataWord, itemValidityWord, itemOffsetsWord],
      ...[length, start, sizes.rows.blocksWord, 0],
    ],
    storage: [
      view.window.buffer,
      rows,
      sizes.rows.sizes,
      (sizes.itemBytes ?? sizes.rows).sizes,
      buffer,
    ],
    workgroups: Math.ceil(length / 256),
  });
}
