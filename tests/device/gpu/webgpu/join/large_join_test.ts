/** Joins on a device that give gigabytes. */

import { assertEquals } from "@std/assert";
import { type ColumnType, releaseColumn } from "../../../../../gpu/column/column.ts";
import { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import type { WebGpuColumn } from "../../../../../gpu/webgpu/memory/device_column.ts";
import { withDevice } from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { largeTest } from "../../../../support/running/large_test.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const KEY_32 = { kind: "int", bits: 32 } as const;

largeTest("results of more than 4 GiB of text in one batch come out run by run", async () => {
  await withDevice(async (context) => {
    const text = "x".repeat(32_000);
    const backend = new WebGpuBackend(context);
    const key = columnOf(INT32, [1]);
    const table = await backend.buildTable(tableRequest(key, KEY_32, [stringColumn([text])]));
    const probe = columnOf(INT32, new Array(140_000).fill(1));
    const sizes: number[] = [];
    for await (
      const { numRows, columns } of backend.probe(table, probe, [], 140_000, atMost(1e9))
    ) {
      assertEquals((columns[0] as WebGpuColumn).dataBytes, 32_000 * numRows);
      columns.forEach(releaseColumn);
      sizes.push(numRows);
    }
    table.release();
    assertEquals(sizes.reduce((sum, size) => sum + size, 0), 140_000);
  });
});
