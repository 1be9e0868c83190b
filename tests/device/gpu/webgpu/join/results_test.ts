/** The results of joins on a device: how they are cut, and what they cost. */

import { assert, assertEquals } from "@std/assert";
import type { KeyType } from "../../../../../gpu/backend.ts";
import { type ColumnType, releaseColumn } from "../../../../../gpu/column/column.ts";
import { WebGpuBackend } from "../../../../../gpu/webgpu/backend.ts";
import { assertJoins } from "../../../../support/device/device_joins.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { columnOf } from "../../../../support/values/host_columns.ts";
import { randomColumn, slicedColumn } from "../../../../support/models/column_model.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { tableRequest } from "../../../../support/joins/table_request.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const STRING: ColumnType = { kind: "string" };
const KEY_32: KeyType = { kind: "int", bits: 32 };

const NAMES = ["Łódź", "São Paulo", "東京", "Reykjavík", "", "A", "Llanfairpwllgwyngyll", "Ōsaka"];

contextTest("results have at most so many bytes, whatever the text", async (context) => {
  await forSeeds(2, async (random) => {
    const texts = Array.from({ length: 30 }, () => {
      const size = random.pick([0, 1, 10, 3_000]);
      return random.chance(0.1) ? null : random.pick(NAMES).repeat(random.below(1 + size / 10));
    });
    const key = columnOf(INT32, texts.map(() => random.below(10)));
    const lists: ColumnType = { kind: "list", item: STRING };
    const payload = [
      slicedColumn(random, STRING, texts),
      randomColumn(random, lists, texts.length),
      randomColumn(random, { kind: "bool" }, texts.length),
    ];
    const probeKey = columnOf(INT32, Array.from({ length: 150 }, () => random.below(11)));
    const columns = [probeKey, randomColumn(random, STRING, 150)];
    for (const how of ["inner", "left"] as const) {
      const limits = { rows: 1_000, bytes: random.pick([1_000, 20_000]) };
      const request = tableRequest(key, KEY_32, payload, how);
      const batches = [{ key: probeKey, columns }];
      const { probed } = await assertJoins(context, request, batches, limits);
      assert(probed.sizes.length > 1);
    }
  });
});

contextTest("a key with 10 million matches comes out in bounded memory", async (context) => {
  const numRows = 100_000;
  const key = columnOf(INT32, new Array(numRows).fill(5));
  const rows = columnOf(INT32, Array.from({ length: numRows }, (_, row) => row));
  const probe = columnOf(INT32, Array.from({ length: 10_000 }, (_, row) => row % 100 ? -row : 5));
  const backend = new WebGpuBackend(context);
  const table = await backend.buildTable(tableRequest(key, KEY_32, [rows]));
  const { readbacks } = backend.counters;
  const limits = { rows: 1 << 20, bytes: 64 << 20 };
  let numPairs = 0;
  for await (const result of backend.probe(table, probe, [probe], 10_000, limits)) {
    assert(result.numRows <= limits.rows);
    numPairs += result.numRows;
    result.columns.forEach(releaseColumn);
  }
  table.release();
  assertEquals(numPairs, 10_000_000);
  assertEquals(backend.counters.readbacks - readbacks, 1);
  assert(context.pool.peakBytes < 160 << 20, `${context.pool.peakBytes} bytes`);
});
