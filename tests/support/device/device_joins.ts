/** Joins on a device, compared with the host's byte by byte. */

import { assert, assertEquals } from "@std/assert";
import type { ResultLimits, TableRequest } from "../../../gpu/backend.ts";
import { byteWidth, type HostColumn } from "../../../gpu/column/column.ts";
import { bitmapBytes, clearTail } from "../../../gpu/column/bitmap.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { createHostBackend } from "../../../gpu/host/backend.ts";
import { joinKinds } from "../../../gpu/join_kind.ts";
import { WebGpuBackend } from "../../../gpu/webgpu/backend.ts";
import { isDeviceType } from "../../../gpu/webgpu/memory/device_column.ts";
import { WebGpuJoinTable } from "../../../gpu/webgpu/join/join_table.ts";
import type { WebGpuContext } from "../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { type Joined, joinOn, type ProbeBatch } from "../joins/backend_joins.ts";

const host = createHostBackend({ threads: 1 });

/**
 * Joins batches on the device and on the host, and asserts that both return the same bytes within the
 * limits. `on` is the required place of the device's table.
 */
export async function assertJoins(
  context: WebGpuContext,
  request: TableRequest,
  batches: readonly ProbeBatch[],
  limits: ResultLimits,
  on: "device" | "host" | "either" = "device",
): Promise<Joined> {
  const backend = new WebGpuBackend(context);
  let isDevice = false;
  const onDevice = await joinOn(backend, request, batches, limits, (table) => {
    isDevice = table instanceof WebGpuJoinTable;
    if (on !== "either") assertEquals(isDevice, on === "device");
  });
  const onHost = await joinOn(host, request, batches, limits);
  for (const side of ["probed", "last"] as const) {
    const title = `${request.how}, ${side}`;
    const { sizes, bytes, columns } = onDevice[side];
    assert(sizes.every((size) => size <= limits.rows || columns.length === 0), title);
    // The host does not count validity, and the device not each struct.
    if (isDevice && !columns.some(({ type }) => !isDeviceType(type))) {
      assert(bytes.every((size, k) => size <= limits.bytes || sizes[k] === 1), title);
    }
    assertEquals(sizes.length > 0, onHost[side].sizes.length > 0, title);
    assertEquals(total(sizes), total(onHost[side].sizes), title);
    assertEquals(columns.length, onHost[side].columns.length, title);
    columns.forEach((column, k) =>
      assertSameBytes(column, onHost[side].columns[k]!, `${title}, column ${k}`)
    );
  }
  const { buildOnlyRows } = joinKinds[request.how];
  assertEquals(onDevice.last.sizes.length > 0, buildOnlyRows !== "none");
  return onDevice;
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

function assertSameBytes(actual: HostColumn, expected: HostColumn, title: string): void {
  assertEquals(bytesOf(actual), bytesOf(expected), title);
}

/** The content of a column; the bytes before and after its rows, or their items, may be anything. */
function bytesOf(column: HostColumn): unknown {
  const { type, length, nullCount, validity, data, offsets, children } = column;
  const [first, last] = [offsets?.[0] ?? 0, offsets?.[length] ?? length];
  const positions = offsets && Array.from(offsets.subarray(0, length + 1), (at) => at - first);
  let bytes = data.subarray(0, byteWidth(type) * length);
  if (type.kind === "string") bytes = data.subarray(first, last);
  if (type.kind === "bool") bytes = bitsOf(data, length);
  const bits = validity && bitsOf(validity, length);
  const items = children.map((child) => bytesOf(sliceColumn(child, first, last)));
  return { type, length, nullCount, bits, bytes, positions, items };
}

function bitsOf(bitmap: Uint8Array, length: number): Uint8Array {
  const bits = bitmap.slice(0, bitmapBytes(length));
  clearTail(bits, length);
  return bits;
}
