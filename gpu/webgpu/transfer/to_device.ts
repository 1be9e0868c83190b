/**
 * Uploads the columns of a batch that are not on the device yet and that the device can hold.
 *
 * @module
 */

import type { Column, HostColumn } from "../../column/column.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { isDeviceType, type WebGpuColumn } from "../memory/device_column.ts";
import { asWebGpuColumn, downloadColumns } from "./download.ts";
import { hasLongRow, mayHaveLongRow } from "../dispatch/loop_limit.ts";
import type { Scope } from "../memory/scope.ts";
import { uploadColumn } from "./upload.ts";

/**
 * Returns the column on the device. If it has to be uploaded, `scope` owns it. Returns null if it
 * has to stay on the host: a struct or a list of lists, a row larger than a window, or a row too
 * long for loops on the device that do not count their rounds.
 */
export async function toDevice(
  context: WebGpuContext,
  scope: Scope,
  column: Column,
  label: string,
  { loopsCount = false }: { readonly loopsCount?: boolean } = {},
): Promise<WebGpuColumn | null> {
  if (column.place === "device") return asWebGpuColumn(column);
  const mayBeLong = loopsCount && column.type.kind === "string";
  if (!isDeviceType(column.type) || (!mayBeLong && hasLongRow(context, column))) return null;
  const uploaded = await uploadColumn(context, column, { label });
  return uploaded && scope.own(uploaded);
}

/**
 * Returns the column, downloaded if it is on the device and some text may be too long for loops
 * that do not count their rounds.
 */
export async function withShortRows(context: WebGpuContext, column: Column): Promise<Column> {
  if (column.place === "host" || !mayHaveLongRow(context, asWebGpuColumn(column))) return column;
  return (await downloadColumns(context, [column]))[0]!;
}

/**
 * Returns the columns on the device, or on the host if they have to stay there; uploads each once.
 */
export async function allToDevice(
  context: WebGpuContext,
  scope: Scope,
  columns: readonly Column[],
  label: string,
): Promise<(WebGpuColumn | HostColumn)[]> {
  const placed = new Map<Column, WebGpuColumn | HostColumn>();
  for (const column of columns) {
    if (placed.has(column)) continue;
    const short = await withShortRows(context, column);
    // `toDevice` only refuses host columns.
    placed.set(column, await toDevice(context, scope, short, label) ?? short as HostColumn);
  }
  return columns.map((column) => placed.get(column)!);
}
