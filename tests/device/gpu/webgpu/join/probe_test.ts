/** Joins on a device, against nested loops over plain arrays. */

import { assert, assertEquals } from "@std/assert";
import type { KeyType } from "../../../../../gpu/backend.ts";
import type { JoinHow } from "../../../../../gpu/join_kind.ts";
import { type ColumnType, releaseColumn } from "../../../../../gpu/column/column.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import {
  buildTableOnDevice,
  type WebGpuJoinTable,
} from "../../../../../gpu/webgpu/join/join_table.ts";
import { probeOnDevice } from "../../../../../gpu/webgpu/join/probe.ts";
import { columnOf, stringColumn } from "../../../../support/values/host_columns.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { columnOfPlain, type Plain, plainOf } from "../../../../support/models/column_model.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";
import { carriedColumnsCase, joinCases } from "../../../../support/cases/joins.ts";
import { KEY_CASES } from "../../../../support/cases/join_keys.ts";
import { onDevice } from "../../../../support/cases/on_device.ts";
import { someOf } from "../../../../support/random/test_size.ts";
import { joinOn } from "../../../../support/joins/backend_joins.ts";
import { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const KEY_32: KeyType = { kind: "int", bits: 32 };

joinCases(onDevice(), { keys: someOf(KEY_CASES, 12) });
carriedColumnsCase(onDevice({ windowBytes: 2_048 }, ", in many windows"));

contextTest(
  "join uploads only the key where the probe columns will pass through",
  async (context) => {
    const { counters } = context.device;
    const key = columnOfPlain(INT32, [3n, 1n, 2n]);
    const tables = new Map<JoinHow, WebGpuJoinTable>();
    for (const how of ["inner", "left"] as const) {
      const request = tableRequest(key, KEY_32, [stringColumn(["c", "a", "b"])], how);
      tables.set(how, (await buildTableOnDevice(context, request))!);
    }
    const text = stringColumn(["x", "y"]);
    const probe = async (values: readonly Plain[], how: JoinHow) => {
      const { uploads, readbacks } = counters;
      const rows: Plain[][] = [];
      const request = {
        key: columnOfPlain(INT32, values),
        columns: [text],
        numRows: 2,
        limits: atMost(9),
      };
      for await (const { columns } of probeOnDevice(context, tables.get(how)!, request)) {
        rows.push(...(await downloadColumns(context, columns)).map(plainOf));
        columns.forEach(releaseColumn);
      }
      return {
        rows,
        uploads: counters.uploads - uploads,
        readbacks: counters.readbacks - readbacks,
      };
    };
    const all = [["x", "y"], ["a", "b"]];
    assertEquals(await probe([1n, 2n], "left"), { rows: all, uploads: 1, readbacks: 1 });
    // A table guesses that every row matches only after a batch in which it did.
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 2, readbacks: 1 });
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 1, readbacks: 1 });
    const one = [["y"], ["c"]];
    // The guess is wrong once, and then not made again until every row matches.
    assertEquals(await probe([7n, 3n], "inner"), { rows: one, uploads: 2, readbacks: 2 });
    assertEquals(await probe([7n, 3n], "inner"), { rows: one, uploads: 2, readbacks: 1 });
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 2, readbacks: 1 });
    assertEquals(await probe([1n, 2n], "inner"), { rows: all, uploads: 1, readbacks: 1 });
    tables.forEach((table) => table.release());
  },
);

contextTest("join whose text does not fit a window comes in smaller results", async (context) => {
  const long = "long text ".repeat(40);
  const key = columnOf(INT32, Array.from({ length: 40 }, () => 1));
  const request = tableRequest(columnOf(INT32, [1]), KEY_32, [stringColumn([long])]);
  const batch = { key, columns: [key] };
  const backend = new WebGpuBackend(context);
  const { probed } = await joinOn(backend, request, [batch], atMost(1_000));
  assert(probed.sizes.length > 1);
  assertEquals(plainOf(probed.columns[1]!), Array.from({ length: 40 }, () => long));
}, { windowBytes: 4_096 });

contextTest(
  "keys that are longer than a window match no key of the table, and no null",
  async (context) => {
    const names = ["ab", null, "abc"];
    const request = tableRequest(stringColumn(names), { kind: "string" }, [
      stringColumn(["1", "2", "3"]),
    ], "left");
    const backend = new WebGpuBackend(context);
    const long = (start: string) => start + "c".repeat(9_000);
    const keys = [long("ab"), "abc", long(""), null, "ab", "abcc", long("abcc")];
    const batch = { key: stringColumn(keys), columns: [columnOf(INT32, [...keys.keys()])] };
    for (const nullsEqual of [false, true]) {
      const { probed } = await joinOn(backend, { ...request, nullsEqual }, [batch], atMost(1_000));
      assertEquals(probed.columns.map(plainOf), [
        [...keys.keys()].map(BigInt),
        [null, "3", null, nullsEqual ? "2" : null, "1", null, null],
      ]);
    }
  },
  { windowBytes: 4_096 },
);
