/**
 * Gathers the rows of a selection on the device: windows of a column in, one window out. Text and
 * lists take sizes, scan and write. One readback returns the sizes of all such columns of a batch,
 * so the gather has two steps: `encodeRowSizes` before the readback, `gatherWindow` after.
 *
 * @module
 */

import gatherCopyWgsl from "./gather_copy.wgsl" with { type: "text" };
import gatherListWgsl from "./gather_list.wgsl" with { type: "text" };
import gatherFixedWgsl from "./gather_fixed.wgsl" with { type: "text" };
import gatherTextWgsl from "./gather_text.wgsl" with { type: "text" };
import { byteWidth, type ColumnType } from "../../column/column.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type ColumnWindow,
  fixedDataBytes,
  itemParams,
  NO_WORD,
  viewParams,
  WebGpuColumn,
  type WindowLayout,
  windowLayout,
  type WindowView,
} from "../memory/device_column.ts";
import type { RowSizes } from "./row_sizes.ts";
import type { GatherSource, Selection } from "../memory/selection.ts";

/** A range of rows, bytes or items, half open. */
export interface Extent {
  readonly start: number;
  readonly stop: number;
}

/** A column whose rows `gatherWindow` gathers. */
export interface WindowSource extends GatherSource {
  /** The scanned sizes of text and lists, and the totals that the host has read. */
  readonly sized?: SizedRows | undefined;
}

/** The scanned sizes of a selection, and the range of them that is gathered. */
export interface SizedRows {
  readonly sizes: RowSizes;
  /** The bytes of text, or the items of lists. */
  readonly rows: Extent;
  /** The bytes of the items of lists of texts; not read for other types. */
  readonly itemBytes: Extent;
}

/**
 * Adds the gather of one window to `commands` and returns that window, which begins at row `start`
 * of its column; null if it exceeds a window.
 */
export async function gatherWindow(
  context: WebGpuContext,
  commands: Commands,
  source: WindowSource,
  selection: Selection,
  start: number,
): Promise<ColumnWindow | null> {
  const { type, views, label, sized } = source;
  const { length, mayMiss } = selection;
  const hasValidity = source.hasValidity || mayMiss;
  const { dataBytes, numItems } = resultSize(type, length, sized);
  const hasNullItems = type.kind === "list" &&
    views.some(({ window }) => window.layout.itemValidityWord !== NO_WORD);
  const items = { length: numItems, hasValidity: hasNullItems };
  const layout = windowLayout(type, length, dataBytes, hasValidity, items);
  if (4 * layout.words > context.windowBytes) return null;
  const buffer = await context.pool.acquire("storage", 4 * layout.words, label);
  try {
    if (sized !== undefined) clearData(commands, buffer, layout);
    for (const [k, view] of views.entries()) {
      const job = { context, commands, view, selection, buffer, layout, isFirst: k === 0 };
      await encodeView(job, source, hasValidity, dataBytes);
    }
  } catch (error) {
    buffer.release();
    throw error;
  }
  return { start, length, dataBytes, numItems, layout, buffer };
}

/**
 * Returns a column of one gathered window, which it owns. The other properties are those of the
 * source.
 */
export function gatheredColumn(
  { longRowBytes }: WebGpuContext,
  { type, hasValidity, ascii, isUtf8, numLongRows }: WebGpuColumn,
  { length, mayMiss }: Selection,
  window: ColumnWindow,
): WebGpuColumn {
  // The selection may repeat a long row, so the number is bounded by the bytes.
  const fit = Math.min(length, Math.floor(window.dataBytes / (longRowBytes + 1)));
  return new WebGpuColumn({
    type,
    hasValidity: hasValidity || mayMiss,
    windows: [window],
    ascii,
    isUtf8,
    numLongRows: numLongRows === 0 ? 0 : fit,
  });
}

/** Returns the bytes and items of the gathered rows. */
function resultSize(
  type: ColumnType,
  length: number,
  sized: WindowSource["sized"],
): { dataBytes: number; numItems: number } {
  if (sized === undefined) return { dataBytes: fixedDataBytes(type, length), numItems: 0 };
  const first = sized.rows.stop - sized.rows.start;
  if (type.kind !== "list") return { dataBytes: first, numItems: 0 };
  const dataBytes = sized.sizes.itemBytes === null
    ? fixedDataBytes(type.item, first)
    : sized.itemBytes.stop - sized.itemBytes.start;
  return { dataBytes, numItems: first };
}

/** Clears the data, in whose words neighbouring rows meet, and the validity of items. */
function clearData(commands: Commands, buffer: PooledBuffer, layout: WindowLayout): void {
  const { itemValidityWord, itemOffsetsWord, dataWord, words } = layout;
  commands.clear(buffer, dataWord, words - dataWord);
  if (itemValidityWord !== NO_WORD) {
    commands.clear(buffer, itemValidityWord, itemOffsetsWord - itemValidityWord);
  }
}

interface Job {
  readonly context: WebGpuContext;
  readonly commands: Commands;
  readonly view: WindowView;
  readonly selection: Selection;
  readonly buffer: PooledBuffer;
  readonly layout: WindowLayout;
  /** Whether this is the first window of the source. */
  readonly isFirst: boolean;
}

/** Adds the rows of one window of the source to the target. */
async function encodeView(
  job: Job,
  { type, hasValidity: sourceHasValidity, sized }: WindowSource,
  hasValidity: boolean,
  dataBytes: number,
): Promise<void> {
  const { view, layout } = job;
  if (hasValidity) {
    const { validityWord } = view.window.layout;
    await encodeBits(job, sourceHasValidity ? validityWord : null, layout.validityWord);
  }
  if (sized !== undefined && type.kind === "list") {
    await encodeList(job, type.item, sized);
  } else if (sized !== undefined) await encodeText(job, sized);
  else if (type.kind === "bool") {
    await encodeBits(job, view.window.layout.dataWord, layout.dataWord);
  } else await encodeValues(job, byteWidth(type), dataBytes);
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
  { context, commands, view, selection, buffer, isFirst }: Job,
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
    params: [
      ...viewParams(view),
      ...[targetWord, words, length, start],
      ...[...how, view.window.length],
      ...[isFirst ? 0 : 1, 0, 0, 0],
    ],
    storage: [view.window.buffer, rows, buffer],
    workgroups: Math.ceil(words / 256),
  });
}

async function encodeText(job: Job, { sizes, rows: extent }: SizedRows): Promise<void> {
  const { context, commands, view, selection, buffer, layout, isFirst } = job;
  const pipeline = await context.pipelines.get({
    label: "gather text",
    code: gatherCopyWgsl + gatherTextWgsl,
    entry: "gather_text",
    storage: ["read", "read", "read", "write"],
  });
  const { rows, start, length } = selection;
  const bytes = extent.stop - extent.start;
  commands.dispatch(pipeline, {
    params: [
      ...viewParams(view),
      ...[layout.offsetsWord, layout.dataWord, length, start],
      ...[sizes.rows.blocksWord, extent.start, bytes, view.window.length],
      ...[isFirst ? 1 : 0, 0, 0, 0],
    ],
    storage: [view.window.buffer, rows, sizes.rows.sizes, buffer],
    workgroups: Math.ceil(length / 256),
  });
}

async function encodeList(job: Job, item: ColumnType, sized: SizedRows): Promise<void> {
  const { context, commands, view, selection, buffer, layout, isFirst } = job;
  const { sizes, rows: extent, itemBytes } = sized;
  const pipeline = await context.pipelines.get({
    label: "gather list",
    code: gatherCopyWgsl + gatherListWgsl,
    entry: "gather_list",
    storage: ["read", "read", "read", "read", "write"],
  });
  const { rows, start, length } = selection;
  const { offsetsWord, itemValidityWord, itemOffsetsWord, dataWord } = layout;
  const isText = sizes.itemBytes !== null;
  const [sourceValidity, sourceOffsets] = itemParams(view);
  commands.dispatch(pipeline, {
    params: [
      ...viewParams(view),
      ...[sourceValidity, isText ? sourceOffsets : NO_WORD, byteWidth(item), view.window.length],
      ...[offsetsWord, dataWord, itemValidityWord, itemOffsetsWord],
      ...[length, start, sizes.rows.blocksWord, isFirst ? 1 : 0],
      ...[extent.start, isText ? itemBytes.start : 0, extent.stop - extent.start, 0],
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
