/** Joins on a device, compared with the host's byte by byte. */

import { assert, assertEquals } from "@std/assert";
import type { Backend, ResultLimits, ResultRows, TableRequest } from "../../gpu/backend.ts";
import { columnBytes, type HostColumn, releaseColumn } from "../../gpu/column/column.ts";
import { concatColumns } from "../../gpu/column/concat.ts";
import { createHostBackend } from "../../gpu/host/backend.ts";
import { joinKinds } from "../../gpu/join_kind.ts";
import { WebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { WebGpuJoinTable } from "../../gpu/webgpu/join/join_table.ts";
import type { WebGpuContext } from "../../gpu/webgpu/webgpu_context.ts";

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
    const last = await collect(backend, backend.buildRows(table, limits));
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
  const onDevice = await joinOn(backend, request, batches, limits, (table) => {
    if (on !== "either") assertEquals(table instanceof WebGpuJoinTable, on === "device");
  });
  const onHost = await joinOn(host, request, batches, limits);
  for (const side of ["probed", "last"] as const) {
    const title = `${request.how}, ${side}`;
    const { sizes, bytes, columns } = onDevice[side];
    assert(sizes.every((size) => size <= limits.rows || columns.length === 0), title);
    if (!columns.some(({ type }) => type.kind === "struct")) {
      assert(bytes.every((size, k) => size <= limits.bytes || sizes[k] === 1), title);
    }
    assertEquals(sizes.length > 0, onHost[side].sizes.length > 0, title);
    assertEquals(total(sizes), total(onHost[side].sizes), title);
    assertEquals(columns.length, onHost[side].columns.length, title);
    columns.forEach((column, k) =>
      assertSameBytes(column, onHost[side].columns[k]!, `${title}, column ${k}`)
    );
  }
  const { lastRows } = joinKinds[request.how];
  assertEquals(onDevice.last.sizes.length > 0, lastRows !== "none");
  return onDevice;
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

function assertSameBytes(actual: HostColumn, expected: HostColumn, title: string): void {
  assertEquals(bytesOf(actual), bytesOf(expected), title);
}

function bytesOf(column: HostColumn): unknown {
  const { type, length, nullCount, validity, data, offsets, children } = column;
  const first = offsets?.[0] ?? 0;
  const positions = offsets && Array.from(offsets.subarray(0, length + 1), (at) => at - first);
  const bytes = type.kind === "string" ? data.subarray(first, offsets![length]) : data;
  const bits = validity && validity.subarray(0, Math.ceil(length / 8));
  return { type, length, nullCount, bits, bytes, positions, children: children.map(bytesOf) };
}
