/**
 * Assembles a column from boxes of other columns, on the device. Prediction for an H100: 80 to 90 %
 * of the speed of a copy for words and for runs of 48 bytes or more, 10 % for single bytes; see
 * part `boxes` of `deno task pack`.
 *
 * @module
 */

import type { Column } from "../../column/column.ts";
import type { BoxRuns } from "../../column/boxes/box_runs.ts";
import {
  type BoxesPlan,
  type BoxesRequest,
  listOffsets,
  planBoxes,
} from "../../column/boxes/box_columns.ts";
import { Commands } from "../dispatch/commands.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import {
  alignedBytes,
  type ColumnWindow,
  NO_WORD,
  WebGpuColumn,
  windowLayout,
} from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { asWebGpuColumn } from "../transfer/download.ts";
import { uploadColumn, writeBytes } from "../transfer/upload.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { encodeBoxes } from "./copy_boxes.ts";
import { cutRuns } from "./cut_runs.ts";

/** The least bytes of a pattern that fills the gaps between boxes. */
const PATTERN_BYTES = 4_096;

/** The windows of a column as ranges of the bytes of its items. */
interface ItemWindows {
  readonly windows: readonly ColumnWindow[];
  /** The first byte of each window, and the end of the last one. */
  readonly bounds: readonly number[];
}

/**
 * Assembles the column; it uploads sources that are on the host. Returns null if a row of the
 * result, or of an uploaded source, does not fit a window, and where a source may have nulls. It
 * only ever waits for memory.
 */
export async function copyBoxesOnDevice(
  context: WebGpuContext,
  request: BoxesRequest,
): Promise<WebGpuColumn | null> {
  const plan = planBoxes(request);
  using scope = new Scope();
  const sources: WebGpuColumn[] = [];
  for (const { column } of request.sources) {
    const onDevice = await sourceOnDevice(context, scope, column);
    if (onDevice === null || mayHaveNulls(onDevice)) return null;
    sources.push(onDevice);
  }
  using made = new Scope();
  const windows = await makeWindows(context, made, request, plan);
  if (windows === null) return null;
  const target = itemWindows(windows);
  using commands = new Commands(context, "copy boxes");
  if (!plan.isCovered) await encodeFill(context, scope, commands, target, request.fill);
  for (const [k, source] of sources.entries()) {
    await encodeSource(
      context,
      scope,
      commands,
      itemWindows(source.windows),
      target,
      plan.runs[k]!,
    );
  }
  commands.submit();
  made.keep();
  const { type, numRows } = request;
  // Other kernels may have to leave long lists to the host.
  const numLongRows = type.kind === "list" ? numRows : 0;
  return new WebGpuColumn({ type, hasValidity: false, windows, numLongRows });
}

/** Returns a source on the device. Lists may have any length, since no loop runs along them. */
async function sourceOnDevice(
  context: WebGpuContext,
  scope: Scope,
  column: Column,
): Promise<WebGpuColumn | null> {
  if (column.place === "device") return asWebGpuColumn(column);
  const uploaded = await uploadColumn(context, column, { label: "boxes" });
  return uploaded && scope.own(uploaded);
}

function mayHaveNulls({ type, hasValidity, windows }: WebGpuColumn): boolean {
  return hasValidity ||
    (type.kind === "list" && windows.some(({ layout }) => layout.itemValidityWord !== NO_WORD));
}

/** Returns the windows of the result, with their offsets; null if a row does not fit one. */
async function makeWindows(
  context: WebGpuContext,
  made: Scope,
  { type, numRows, rowItems }: BoxesRequest,
  { itemBytes, rowBytes }: BoxesPlan,
): Promise<ColumnWindow[] | null> {
  const layoutOf = (length: number) => windowLayout(type, length, length * rowBytes, false);
  const rowsBytes = rowBytes + (type.kind === "list" ? 4 : 0);
  // A list has one offset more than rows, and data ends with a whole word.
  const freeBytes = context.windowBytes - 8 - alignedBytes(numRows);
  const most = rowsBytes === 0 ? numRows : Math.floor(freeBytes / rowsBytes);
  if (most < 1 && numRows > 0) return null;
  const windows: ColumnWindow[] = [];
  for (let start = 0; start < numRows; start += most) {
    const length = Math.min(most, numRows - start);
    const layout = layoutOf(length);
    const buffer = await context.pool.acquire("storage", 4 * layout.words, "boxes");
    made.own(buffer);
    if (type.kind === "list") {
      const offsets = new Uint8Array(listOffsets(length, rowItems).buffer);
      writeBytes(context, buffer, layout.offsetsWord, offsets);
    }
    const dataBytes = length * rowBytes;
    const numItems = type.kind === "list" ? dataBytes / itemBytes : 0;
    windows.push({ start, length, dataBytes, numItems, layout, buffer });
  }
  return windows;
}

function itemWindows(windows: readonly ColumnWindow[]): ItemWindows {
  const bounds = [0];
  for (const { dataBytes } of windows) bounds.push(bounds.at(-1)! + dataBytes);
  return { windows, bounds };
}

/** Fills all windows with an item; the boxes are copied over it. */
async function encodeFill(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  { windows }: ItemWindows,
  item: Uint8Array,
): Promise<void> {
  if (item.every((byte) => byte === 0)) {
    for (const { buffer, layout } of windows) {
      commands.clear(buffer, layout.dataWord, layout.words - layout.dataWord);
    }
    return;
  }
  const repeats = 4 * Math.ceil(PATTERN_BYTES / 4 / item.length);
  const size = repeats * item.length;
  const pattern = Uint8Array.from({ length: size }, (_, at) => item[at % item.length]!);
  const source = scope.own(await context.pool.acquire("storage", size, "fill"));
  writeBytes(context, source, 0, pattern);
  for (const { buffer: target, layout, dataBytes } of windows) {
    const to = 4 * layout.dataWord;
    const whole = Math.floor(dataBytes / size);
    const boxes = [
      { runBytes: size, axes: [{ length: whole, fromStride: 0, toStride: size }], from: 0, to },
      { runBytes: dataBytes - whole * size, axes: [], from: 0, to: to + whole * size },
    ].filter(({ runBytes, axes }) => runBytes > 0 && axes[0]?.length !== 0);
    await encodeBoxes(context, scope, commands, { source, target, boxes });
  }
}

/** Adds the boxes of one source, for each pair of windows that share some. */
async function encodeSource(
  context: WebGpuContext,
  scope: Scope,
  commands: Commands,
  source: ItemWindows,
  target: ItemWindows,
  boxes: readonly BoxRuns[],
): Promise<void> {
  const pairs = new Map<number, BoxRuns[]>();
  for (const box of boxes) {
    for (const { runs, window: from } of cutRuns(box, "from", source.bounds)) {
      for (const { runs: part, window: to } of cutRuns(runs, "to", target.bounds)) {
        const pair = from * target.windows.length + to;
        let found = pairs.get(pair);
        if (found === undefined) pairs.set(pair, found = []);
        found.push({
          ...part,
          from: part.from + bufferStart(source, from),
          to: part.to + bufferStart(target, to),
        });
      }
    }
  }
  for (const [pair, found] of pairs) {
    const at = (side: ItemWindows, window: number): PooledBuffer => side.windows[window]!.buffer;
    await encodeBoxes(context, scope, commands, {
      source: at(source, Math.floor(pair / target.windows.length)),
      target: at(target, pair % target.windows.length),
      boxes: found,
    });
  }
}

/** Returns the number that turns a byte of the items into a byte of a window's buffer. */
function bufferStart({ windows, bounds }: ItemWindows, window: number): number {
  return 4 * windows[window]!.layout.dataWord - bounds[window]!;
}
