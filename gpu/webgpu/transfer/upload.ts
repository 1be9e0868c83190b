/**
 * Uploads host columns window by window. No other module copies columns to the device.
 *
 * @module
 */

import { bitmapBytes, filledBitmap } from "../../column/bitmap.ts";
import type { ColumnType, HostColumn, Offsets } from "../../column/column.ts";
import { narrowOffsets } from "../../column/offsets.ts";
import { itemsOf, sliceColumn } from "../../column/slice.ts";
import { knownText, textOf } from "../../column/utf8.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type ColumnWindow,
  fixedDataBytes,
  isDeviceType,
  WebGpuColumn,
  windowLayout,
} from "../memory/device_column.ts";
import { countLongRows } from "../memory/long_rows.ts";

const SPARE_BYTES = 16;

/**
 * Copies a column to the device. The result keeps the host column, which must not change, and the
 * known facts about its text. Returns null if a single row does not fit a window. `ascii` states
 * whether the text is ASCII, for callers that know.
 *
 * Rejects with a `TypeError` for columns that stay on the host: structs, and lists of anything but
 * text and values of fixed width.
 */
export async function uploadColumn(
  context: WebGpuContext,
  column: HostColumn,
  options: { readonly label: string; readonly ascii?: boolean },
): Promise<WebGpuColumn | null> {
  if (!isDeviceType(column.type)) {
    throw new TypeError(`Cannot upload ${options.label}: a ${column.type.kind} stays on the host`);
  }
  const ranges = planWindows(column, context.windowBytes);
  if (ranges === null) return null;
  // Asked first: while the upload waits for memory, the cache of known texts may drop the entry.
  const known = knownText(textOf(column));
  const hasValidity = hasNulls(column);
  const windows: ColumnWindow[] = [];
  try {
    for (const [start, stop] of ranges) {
      const rows = sliceColumn(column, start, stop);
      const how = { start, hasValidity, hasNullItems: column.children.some(hasNulls) };
      windows.push(await uploadWindow(context, rows, how, options.label));
    }
  } catch (error) {
    for (const { buffer } of windows) buffer.release();
    throw error;
  }
  context.device.counters.uploads++;
  const { type } = column;
  const ascii = options.ascii ?? known?.ascii ?? false;
  const isUtf8 = known !== undefined;
  const numLongRows = countLongRows(column, context.longRowBytes);
  return new WebGpuColumn({ type, hasValidity, windows, ascii, isUtf8, numLongRows, host: column });
}

/**
 * Returns row ranges of a column that each fit `windowBytes`, with a few bytes to spare: a single
 * row still fits when a gather adds a validity bitmap. Returns null if a single row does not
 * fit.
 */
export function planWindows(column: HostColumn, windowBytes: number): [number, number][] | null {
  const ranges: [number, number][] = [];
  const maxBytes = windowBytes - SPARE_BYTES;
  for (let start = 0; start < column.length;) {
    const stop = lastRowThatFits(column, start, maxBytes);
    if (stop === start) return null;
    ranges.push([start, stop]);
    start = stop;
  }
  return ranges;
}

/** Returns the bytes of a window for the rows [start, stop). */
function windowRangeBytes(column: HostColumn, start: number, stop: number): number {
  const { type, offsets } = column;
  const hasValidity = column.validity !== null;
  const [child] = column.children;
  if (offsets === null) {
    const bytes = fixedDataBytes(type, stop - start);
    return 4 * windowLayout(type, stop - start, bytes, hasValidity).words;
  }
  const [first, last] = [offsets[start]!, offsets[stop]!];
  if (child === undefined) {
    return 4 * windowLayout(type, stop - start, last - first, hasValidity).words;
  }
  const itemBytes = child.offsets === null
    ? fixedDataBytes(child.type, last - first)
    : child.offsets[last]! - child.offsets[first]!;
  const items = { length: last - first, hasValidity: hasNulls(child) };
  return 4 * windowLayout(type, stop - start, itemBytes, hasValidity, items).words;
}

function hasNulls({ nullCount, validity }: HostColumn): boolean {
  return nullCount > 0 && validity !== null;
}

function lastRowThatFits(column: HostColumn, start: number, windowBytes: number): number {
  if (windowRangeBytes(column, start, column.length) <= windowBytes) return column.length;
  let fits = start;
  let tooFar = column.length;
  while (tooFar - fits > 1) {
    const middle = (fits + tooFar) >>> 1;
    if (windowRangeBytes(column, start, middle) <= windowBytes) fits = middle;
    else tooFar = middle;
  }
  return fits;
}

async function uploadWindow(
  context: WebGpuContext,
  rows: HostColumn,
  { start, hasValidity, hasNullItems }: WindowNulls,
  label: string,
): Promise<ColumnWindow> {
  const { type, length } = rows;
  const items = itemsOf(rows);
  const data = dataOf(items ?? rows);
  const numItems = items?.length ?? 0;
  const layout = windowLayout(type, length, data.length, hasValidity, {
    length: numItems,
    hasValidity: hasNullItems,
  });
  const buffer = await context.pool.acquire("storage", 4 * layout.words, label);
  if (hasValidity) writeBytes(context, buffer, layout.validityWord, validityOf(rows));
  if (rows.offsets !== null) {
    writeBytes(context, buffer, layout.offsetsWord, offsetsFromZero(rows.offsets, length));
  }
  if (items !== undefined) {
    if (hasNullItems) writeBytes(context, buffer, layout.itemValidityWord, validityOf(items));
    if (items.offsets !== null) {
      const offsets = offsetsFromZero(items.offsets, numItems);
      writeBytes(context, buffer, layout.itemOffsetsWord, offsets);
    }
  }
  writeBytes(context, buffer, layout.dataWord, data);
  return { start, length, dataBytes: data.length, numItems, layout, buffer };
}

/** The first row of a window, and whether rows and items of the whole column can be null. */
interface WindowNulls {
  readonly start: number;
  readonly hasValidity: boolean;
  readonly hasNullItems: boolean;
}

/** Returns the bitmap of a window of a column with nulls; all ones where this window has none. */
function validityOf({ validity, length }: HostColumn): Uint8Array {
  return validity?.subarray(0, bitmapBytes(length)) ?? filledBitmap(length);
}

function dataOf({ type, length, data, offsets }: HostColumn): Uint8Array {
  return offsets === null
    ? data.subarray(0, fixedDataBytes(type as ColumnType, length))
    : data.subarray(offsets[0]!, offsets[length]!);
}

function offsetsFromZero(offsets: Offsets, length: number): Uint8Array {
  const rows = narrowOffsets(offsets, length);
  return new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
}

/**
 * The bytes of a single write. Each is submitted alone, so that it travels while the next one is
 * copied, and the driver can reuse its staging memory.
 */
const WRITE_BYTES = 4 * 2 ** 20;

/**
 * Writes bytes from a word on, padded with zeros to a whole word: `writeBuffer` takes only whole
 * words, and aborts the process for an empty write.
 */
export function writeBytes(
  context: WebGpuContext,
  target: PooledBuffer,
  firstWord: number,
  bytes: Uint8Array,
): void {
  const { gpu: { queue }, counters } = context.device;
  const whole = bytes.length - bytes.length % 4;
  for (let at = 0; at < whole; at += WRITE_BYTES) {
    const part = bytes.subarray(at, Math.min(whole, at + WRITE_BYTES));
    queue.writeBuffer(target.buffer, 4 * firstWord + at, unshared(part));
    if (part.length === WRITE_BYTES) queue.submit([]);
  }
  if (whole < bytes.length) {
    const tail = new Uint8Array(4);
    tail.set(bytes.subarray(whole));
    queue.writeBuffer(target.buffer, 4 * firstWord + whole, tail);
  }
  counters.uploadedBytes += bytes.length;
}

let unsharedPart: Uint8Array<ArrayBuffer> | undefined;

/**
 * Returns bytes in memory that no other thread shares, as `writeBuffer` requires; valid until the
 * next call.
 */
function unshared(part: Uint8Array): Uint8Array<ArrayBuffer> {
  if (part.buffer instanceof ArrayBuffer) return part as Uint8Array<ArrayBuffer>;
  const copy = (unsharedPart ??= new Uint8Array(WRITE_BYTES)).subarray(0, part.length);
  copy.set(part);
  return copy;
}
