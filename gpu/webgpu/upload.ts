/**
 * The one way in: host columns become device columns, window by window.
 *
 * @module
 */

import type { ColumnType, HostColumn, Offsets } from "../column.ts";
import { narrowOffsets } from "../host/offsets.ts";
import { sliceColumn } from "../host/slice.ts";
import type { PooledBuffer } from "./buffer_pool.ts";
import type { WebGpuContext } from "./context.ts";
import {
  type ColumnWindow,
  fixedDataBytes,
  isDeviceType,
  RowTooLargeError,
  WebGpuColumn,
  windowLayout,
} from "./device_column.ts";

const SPARE_BYTES = 16;

/**
 * Copies a column to the device; the result remembers the host column, which must not change.
 *
 * Rejects with a `RowTooLargeError` if one row alone does not fit a window, and with a `TypeError`
 * for lists and structs, which stay on the host.
 */
export async function uploadColumn(
  context: WebGpuContext,
  column: HostColumn,
  options: { readonly label: string; readonly ascii?: boolean },
): Promise<WebGpuColumn> {
  if (!isDeviceType(column.type)) {
    throw new TypeError(`Cannot upload ${options.label}: a ${column.type.kind} stays on the host`);
  }
  const hasValidity = column.nullCount > 0 && column.validity !== null;
  const windows: ColumnWindow[] = [];
  try {
    for (const [start, stop] of planWindows(column, context.windowBytes)) {
      const rows = sliceColumn(column, start, stop);
      windows.push(await uploadWindow(context, rows, start, hasValidity, options.label));
    }
  } catch (error) {
    for (const { buffer } of windows) buffer.release();
    throw error;
  }
  context.device.counters.uploads++;
  const { type } = column;
  const ascii = options.ascii ?? false;
  return new WebGpuColumn({ type, hasValidity, windows, ascii, host: column });
}

/**
 * The row ranges into which a column is cut so that each fits `windowBytes`. A few bytes are left
 * free, so that any row by itself still fits when a gather adds a validity bitmap to it.
 */
export function planWindows(column: HostColumn, windowBytes: number): [number, number][] {
  const ranges: [number, number][] = [];
  const maxBytes = windowBytes - SPARE_BYTES;
  for (let start = 0; start < column.length;) {
    const stop = lastRowThatFits(column, start, maxBytes);
    if (stop === start) {
      const bytes = windowRangeBytes(column, start, start + 1);
      throw new RowTooLargeError(`Row ${start} takes ${bytes} bytes of ${maxBytes}`);
    }
    ranges.push([start, stop]);
    start = stop;
  }
  return ranges;
}

/** Bytes of a window that holds the rows [start, stop). */
function windowRangeBytes(column: HostColumn, start: number, stop: number): number {
  const { type, offsets } = column;
  const dataBytes = offsets === null
    ? fixedDataBytes(type, stop - start)
    : offsets[stop]! - offsets[start]!;
  return 4 * windowLayout(type, stop - start, dataBytes, column.validity !== null).words;
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
  start: number,
  hasValidity: boolean,
  label: string,
): Promise<ColumnWindow> {
  const { type, length } = rows;
  const data = dataOf(rows);
  const layout = windowLayout(type, length, data.length, hasValidity);
  const buffer = await context.pool.acquire("storage", 4 * layout.words, label);
  if (hasValidity) {
    const bytes = Math.ceil(length / 8);
    // A window without nulls of a column with nulls: all rows are valid.
    const validity = rows.validity ?? new Uint8Array(bytes).fill(0xff);
    writeBytes(context, buffer, layout.validityWord, validity.subarray(0, bytes));
  }
  if (rows.offsets !== null) {
    writeBytes(context, buffer, layout.offsetsWord, offsetsFromZero(rows.offsets, length));
  }
  writeBytes(context, buffer, layout.dataWord, data);
  return { start, length, dataBytes: data.length, layout, buffer };
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
 * Writes bytes from a word on, padded with zeros to a whole word: `writeBuffer` takes only whole
 * words, and aborts the process for none at all.
 */
export function writeBytes(
  context: WebGpuContext,
  target: PooledBuffer,
  firstWord: number,
  bytes: Uint8Array,
): void {
  const { gpu, counters } = context.device;
  const whole = bytes.length - bytes.length % 4;
  if (whole > 0) {
    gpu.queue.writeBuffer(target.buffer, 4 * firstWord, bufferSource(bytes.subarray(0, whole)));
  }
  if (whole < bytes.length) {
    const tail = new Uint8Array(4);
    tail.set(bytes.subarray(whole));
    gpu.queue.writeBuffer(target.buffer, 4 * firstWord + whole, tail);
  }
  counters.uploadedBytes += bytes.length;
}

/** WebGPU does not take views of shared memory. */
function bufferSource(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? bytes as Uint8Array<ArrayBuffer>
    : new Uint8Array(bytes);
}
