/** Joins on a device, compared with the host's byte by byte. */

import { assert, assertEquals } from "@std/assert";
import type { Backend, ResultLimits, ResultRows, TableRequest } from "../../../gpu/backend.ts";
import {
  byteWidth,
  columnBytes,
  type HostColumn,
  releaseColumn,
} from "../../../gpu/column/column.ts";
import { bitmapBytes, clearTail } from "../../../gpu/column/bitmap.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import { createHostBackend } from "../../../gpu/host/backend.ts";
import { joinKinds } from "../../../gpu/join_kind.ts";
import { WebGpuBackend } from "../../../gpu/webgpu/backend.ts";
import { isDeviceType } from "../../../gpu/webgpu/memory/device_column.ts";
import { WebGpuJoinTable } from "../../../gpu/webgpu/join/join_table.ts";
import type { WebGpuContext } from "../../../gpu/webgpu/dispatch/webgpu_context.ts";

/** A batch of the probe side. */
export interface ProbeBatch {
  readonly key: HostColumn;
  readonly columns: readonly HostColumn[];
}

/** What a join gave: the rows of its results, and how many each had, and of how many bytes. */
export interface JoinedRows {
  readonly columns: readonly HostColumn[];
  readonly sizes: readonly number[];
  readonly bytes: readonly number[];
}

/** Rows of the probe batches, and those that the build side gave by itself. */
export interface Joined {
  readonly probed: JoinedRows;
  readonly last: JoinedRows;
}

async function collect(
  backend: Backend,
  results: AsyncIterable<ResultRows>,
): Promise<JoinedRows[]> {
  const rows: JoinedRows[] = [];
  for await (const { columns, numRows } of results) {
    const onHost = await backend.download(columns);
    columns.forEach(releaseColumn);
    for (const { length } of onHost) assertEquals(length, numRows);
    const bytes = total(onHost.map(columnBytes));
    rows.push({ columns: onHost, sizes: [numRows], bytes: [bytes] });
  }
  return rows;
}

function together(parts: readonly JoinedRows[]): JoinedRows {
  const [first] = parts;
  return {
    sizes: parts.flatMap(({ sizes }) => sizes),
    bytes: parts.flatMap(({ bytes }) => bytes),
    columns: (first?.columns ?? []).map((_, k) =>
      concatColumns(parts.map(({ columns }) => columns[k]!))
    ),
  };
}

/** Joins batches on a backend; `onTable` sees the table before it is probed. */
export async function joinOn(
  backend: Backend,
  request: TableRequest,
  batches: readonly ProbeBatch[],
  limits: ResultLimits,
  onTable: (table: unknown) => void = () => {},
): Promise<Joined> {
  const table = await backend.buildTable(request);
  try {
    onTable(table);
    const probed: JoinedRows[] = [];
    for (const { key, columns } of batches) {
      const results = backend.probe(table, key, columns, key.length, limits);
      probed.push(...await collect(backend, results));
    }
    const last = await collect(backend, backend.buildOnlyRows(table, limits));
    return { probed: together(probed), last: together(last) };
  } finally {
    table.release();
  }
}

const host = createHostBackend({ threads: 1 });

/**
 * Joins batches on the device and on the host, and asserts that both give the same bytes within the
 * limits. `on` says where the table of the device has to be.
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

/** What a column holds; what lies before or behind its rows, or their items, may be anything. */
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
