/**
 * Brings columns of a batch to the device: those that are not there yet, and that the device can hold.
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
 * The column on the device, uploaded if need be; then `scope` owns it. Null if it must stay on the
 * host: a struct or a list of lists, a row that is larger than a window, or one that is too long
 * for the loops of the device, unless these count their rounds.
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
 * A column, brought to the host where it is on the device and a text of it may be too long for
 * loops that do not count their rounds.
 */
export async function withShortRows(context: WebGpuContext, column: Column): Promise<Column> {
  if (column.place === "host" || !mayHaveLongRow(context, asWebGpuColumn(column))) return column;
  return (await downloadColumns(context, [column]))[0]!;
}

/** The columns on the device, or on the host if they must stay there; each travels once. */
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
    // Only a host column can be refused.
    placed.set(column, await toDevice(context, scope, short, label) ?? short as HostColumn);
  }
  return columns.map((column) => placed.get(column)!);
}
