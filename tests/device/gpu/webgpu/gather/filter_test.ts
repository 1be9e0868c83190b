/** Filter on a device, against plain arrays. */

import { assertEquals } from "@std/assert";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { releaseColumn } from "../../../../../gpu/column/column.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { plainOf } from "../../../../support/models/column_model.ts";
import { filterCases, filterTogetherCase } from "../../../../support/cases/filter.ts";
import { onDevice } from "../../../../support/cases/on_device.ts";

filterCases(onDevice());
filterTogetherCase(onDevice({ windowBytes: 2_048 }, ", in many windows"));

contextTest(
  "filter takes one readback, and three dispatches a text column more than the mask",
  async (context) => {
    const { counters } = context.device;
    const rows = Array.from({ length: 1_000 }, (_, row) => row);
    const texts = stringColumn(rows.map((row) => `row ${row}`));
    const mask = columnOf({ kind: "bool" }, rows.map((row) => row % 3 === 0));
    const { columns } = await filterOnDevice(context, [texts, texts], mask, rows.length);
    assertEquals(counters.readbacks, 1);
    assertEquals(counters.dispatches, 3 + 3 + 3);
    assertEquals(counters.downloads, 0);
    columns.forEach(releaseColumn);
  },
);

contextTest(
  "filter of a batch of 200 MB, more than a binding of 128 MiB, gives the rows of all of it",
  async (context) => {
    const row = new TextEncoder().encode("0123456789 abcdefghijklmnop € 漢字 ".repeat(25));
    const numRows = Math.ceil(200_000_000 / row.length);
    const data = new Uint8Array(numRows * row.length);
    const offsets = new Int32Array(numRows + 1);
    for (let k = 0; k < numRows; k++) {
      data.set(row, offsets[k]);
      data.set(new TextEncoder().encode(String(k)), offsets[k]);
      offsets[k + 1] = offsets[k]! + row.length;
    }
    const texts: HostColumn = { ...stringColumn([]), length: numRows, data, offsets };
    const rows = Array.from({ length: numRows }, (_, k) => k);
    const mask = columnOf({ kind: "bool" }, rows.map((k) => k % 100 === 99));
    const { columns } = await filterOnDevice(context, [texts], mask, numRows);
    const [kept] = await downloadColumns(context, columns);
    columns.forEach(releaseColumn);
    const text = (k: number) => new TextDecoder().decode(data.subarray(offsets[k], offsets[k + 1]));
    assertEquals(plainOf(kept!), rows.filter((k) => k % 100 === 99).map(text));
  },
);
