/**
 * Columns of a batch on their way to the device: only those that are not there, and only those
 * that the device can hold.
 *
 * @module
 */

import type { Column, HostColumn } from "../column.ts";
import type { WebGpuContext } from "./context.ts";
import { isDeviceType, RowTooLargeError, type WebGpuColumn } from "./device_column.ts";
import { asWebGpuColumn } from "./download.ts";
import { hasLongRow } from "./loop_limit.ts";
import type { Scope } from "./scope.ts";
import { uploadColumn } from "./upload.ts";

/**
 * The column on the device, uploaded if need be; then `scope` owns it. Null if it must stay on the
 * host: a struct or a list of lists, a row that is larger than a window, or one that is too long
 * for the loops of the device. `ascii` marks text of which that is known.
 */
export async function toDevice(
  context: WebGpuContext,
  scope: Scope,
  column: Column,
  label: string,
  ascii: boolean = false,
): Promise<WebGpuColumn | null> {
  if (column.place === "device") return asWebGpuColumn(column);
  if (!isDeviceType(column.type) || hasLongRow(context, column)) return null;
  try {
    return scope.own(await uploadColumn(context, column, { label, ascii }));
  } catch (error) {
    if (error instanceof RowTooLargeError) return null;
    throw error;
  }
}

/** The columns on the device, or as they are if they must stay on the host; each travels once. */
export async function allToDevice(
  context: WebGpuContext,
  scope: Scope,
  columns: readonly Column[],
  label: string,
): Promise<(WebGpuColumn | HostColumn)[]> {
  const placed = new Map<Column, WebGpuColumn | HostColumn>();
  for (const column of columns) {
    if (placed.has(column)) continue;
    // Only a host column can be refused.
    const there = await toDevice(context, scope, column, label) ?? column as HostColumn;
    placed.set(column, there);
  }
  return columns.map((column) => placed.get(column)!);
}
