/**
 * Downloads device columns, all in one wait. No other module copies columns to the host.
 *
 * @module
 */

import {
  type Column,
  hasOffsets,
  type HostColumn,
  isTextList,
  nullColumn,
} from "../../column/column.ts";
import { bitmapBytes, clearTail, countSetBits } from "../../column/bitmap.ts";
import { concatColumns } from "../../column/concat.ts";
import { rememberText, textOf } from "../../column/utf8.ts";
import { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { type ColumnWindow, NO_WORD, WebGpuColumn } from "../memory/device_column.ts";
import { Staging } from "./readback.ts";

/** The numbers of the ranges that a window consists of; -1 for those that it does not have. */
interface WindowRanges {
  readonly window: ColumnWindow;
  readonly validity: number;
  readonly offsets: number;
  readonly itemValidity: number;
  readonly itemOffsets: number;
  readonly data: number;
}

/**
 * Copies columns to the host. Columns that are on the host, or were uploaded unchanged, cost
 * nothing. The windows of a column become one column, whose text has 64-bit offsets beyond 2^31 - 1
 * bytes.
 */
export async function downloadColumns(
  context: WebGpuContext,
  columns: readonly Column[],
): Promise<HostColumn[]> {
  const staging = new Staging(context);
  const assemblers = columns.map((column) => {
    if (column.place === "host") return () => column;
    const device = asWebGpuColumn(column);
    const { host } = device;
    if (host !== null) return () => host;
    const ranges = device.windows.map((window) => addWindow(staging, device, window));
    return (parts: readonly ArrayBuffer[]) => assemble(device, ranges, parts);
  });
  if (staging.size === 0) return assemblers.map((assemble) => assemble([]));
  using commands = new Commands(context, "download");
  const parts = await staging.read(commands);
  const { counters } = context.device;
  counters.downloads++;
  for (const { byteLength } of parts) counters.downloadedBytes += byteLength;
  return assemblers.map((assemble) => assemble(parts));
}

/** Returns a column as one of this backend. */
export function asWebGpuColumn(column: Column): WebGpuColumn {
  if (column instanceof WebGpuColumn) return column;
  throw new TypeError("A column belongs to another backend");
}

function addWindow(staging: Staging, column: WebGpuColumn, window: ColumnWindow): WindowRanges {
  const { buffer, length, dataBytes, numItems = 0, layout } = window;
  const { type } = column;
  const hasNullItems = type.kind === "list" && layout.itemValidityWord !== NO_WORD;
  const add = (isThere: boolean, word: number, words: number) =>
    isThere ? staging.add(buffer, word, words) : -1;
  return {
    window,
    validity: add(column.hasValidity, layout.validityWord, Math.ceil(length / 32)),
    offsets: add(hasOffsets(type), layout.offsetsWord, length + 1),
    itemValidity: add(hasNullItems, layout.itemValidityWord, Math.ceil(numItems / 32)),
    itemOffsets: add(isTextList(type), layout.itemOffsetsWord, numItems + 1),
    data: staging.add(buffer, layout.dataWord, Math.ceil(dataBytes / 4)),
  };
}

function assemble(
  column: WebGpuColumn,
  ranges: readonly WindowRanges[],
  parts: readonly ArrayBuffer[],
): HostColumn {
  if (ranges.length === 0) return nullColumn(column.type, 0);
  const rows = concatColumns(ranges.map((window) => hostWindow(column, window, parts)));
  const isText = column.type.kind === "string" || isTextList(column.type);
  if (isText && column.ascii) rememberText(textOf(rows), true);
  return rows;
}

function hostWindow(
  { type }: WebGpuColumn,
  ranges: WindowRanges,
  parts: readonly ArrayBuffer[],
): HostColumn {
  const { window, data, offsets } = ranges;
  const { length, dataBytes, numItems = 0 } = window;
  const rowOffsets = offsets < 0 ? null : new Int32Array(parts[offsets]!);
  const numBytes = type.kind === "string" ? rowOffsets![length]! : dataBytes;
  const bytes = new Uint8Array(parts[data]!, 0, numBytes);
  const rows = {
    place: "host",
    type,
    length,
    ...validityOf(parts[ranges.validity], length),
    data: type.kind === "bool" ? bitmap(parts[data]!, length) : bytes,
    offsets: rowOffsets,
    children: [],
  } as const;
  if (type.kind !== "list") return rows;
  const items: HostColumn = {
    place: "host",
    type: type.item,
    length: numItems,
    ...validityOf(parts[ranges.itemValidity], numItems),
    data: bytes,
    offsets: ranges.itemOffsets < 0 ? null : new Int32Array(parts[ranges.itemOffsets]!),
    children: [],
  };
  return { ...rows, data: new Uint8Array(0), children: [items] };
}

/** Returns the bitmap of a column, or null if no row is null, and the number of nulls. */
function validityOf(
  bits: ArrayBuffer | undefined,
  length: number,
): Pick<HostColumn, "validity" | "nullCount"> {
  const validity = bits === undefined ? null : bitmap(bits, length);
  const nullCount = validity === null ? 0 : length - countSetBits(validity, 0, length);
  return { nullCount, validity: nullCount === 0 ? null : validity };
}

/** Returns a bitmap with zeros after its last bit, where the device may leave anything. */
function bitmap(bytes: ArrayBuffer, numBits: number): Uint8Array {
  const bits = new Uint8Array(bytes, 0, bitmapBytes(numBits));
  clearTail(bits, numBits);
  return bits;
}
