/** Filter on a device, against plain arrays. */

import { assertEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { releaseColumn } from "../../../../../gpu/column/column.ts";
import type { WebGpuContext } from "../../../../../gpu/webgpu/dispatch/webgpu_context.ts";
import { downloadColumns } from "../../../../../gpu/webgpu/transfer/download.ts";
import { filterOnDevice } from "../../../../../gpu/webgpu/gather/filter.ts";
import { contextTest } from "../../../../support/device/device_kernels.ts";
import { columnOf, stringColumn, valuesOf } from "../../../../support/values/host_columns.ts";
import {
  ALL_TYPES,
  FLAT_TYPES,
  plainOf,
  randomColumn,
} from "../../../../support/models/column_model.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";

const INT: ColumnType = { kind: "int", bits: 32, signed: true };
const NESTED_TYPES = ALL_TYPES.slice(FLAT_TYPES.length);

async function filterToHost(
  context: WebGpuContext,
  columns: readonly HostColumn[],
  mask: HostColumn,
): Promise<HostColumn[]> {
  const filtered = await filterOnDevice(context, columns, mask, mask.length);
  const results = await downloadColumns(context, filtered.columns);
  filtered.columns.forEach(releaseColumn);
  for (const { length } of results) assertEquals(length, filtered.numRows);
  return results;
}

async function checkAgainstArrays(
  context: WebGpuContext,
  random: SeededRandom,
  length: number,
  types: readonly ColumnType[],
): Promise<void> {
  const columns = types.map((type) => randomColumn(random, type, length));
  const mask = randomColumn(random, { kind: "bool" }, length);
  const results = await filterToHost(context, columns, mask);
  const keeps = plainOf(mask);
  columns.forEach((column, k) => {
    const expected = plainOf(column).filter((_, row) => keeps[row] === true);
    assertEquals(plainOf(results[k]!), expected, JSON.stringify(types[k]));
  });
}

contextTest(
  "filter keeps the rows where the mask is true, for every type and any slice",
  async (context) => {
    await forSeeds(6, async (random) => {
      await checkAgainstArrays(context, random, random.below(700), FLAT_TYPES);
    });
  },
);

contextTest("filter over many windows gives the rows of all of them", async (context) => {
  await forSeeds(2, async (random) => {
    await checkAgainstArrays(context, random, random.below(3_000), FLAT_TYPES);
  });
}, { windowBytes: 2_048 });

const LIST_ITEMS: readonly ColumnType[] = [
  { kind: "string" },
  { kind: "int", bits: 8, signed: true },
  { kind: "int", bits: 32, signed: false },
  { kind: "float", bits: 64 },
  { kind: "fixed", byteWidth: 3 },
];

for (const windowBytes of [undefined, 4_096]) {
  const place = windowBytes === undefined ? "one window" : "many windows";
  contextTest(`filter gathers lists on the device, in ${place}`, async (context) => {
    await forSeeds(6, async (random) => {
      const length = random.below(800);
      const columns = LIST_ITEMS.map((item) =>
        randomColumn(random, { kind: "list", item }, length)
      );
      const mask = randomColumn(random, { kind: "bool" }, length);
      const filtered = await filterOnDevice(context, columns, mask, length);
      const results = await downloadColumns(context, filtered.columns);
      const keeps = plainOf(mask);
      const isAll = keeps.every((keep) => keep === true);
      for (const [k, column] of columns.entries()) {
        assertEquals(filtered.columns[k]!.place, isAll ? "host" : "device");
        const expected = plainOf(column).filter((_, row) => keeps[row] === true);
        assertEquals(plainOf(results[k]!), expected, JSON.stringify(column.type));
      }
      filtered.columns.forEach(releaseColumn);
    });
  }, windowBytes === undefined ? {} : { windowBytes });
}

contextTest("long lists and long items come out whole", async (context) => {
  const item = (row: number, k: number) => "xyz".repeat((row * 7 + k) % 300);
  const lists = Array.from(
    { length: 600 },
    (_, row) => Array.from({ length: row % 50 === 0 ? 300 : row % 4 }, (_, k) => item(row, k)),
  );
  const column = columnOf({ kind: "list", item: { kind: "string" } }, lists);
  const mask = columnOf({ kind: "bool" }, lists.map((_, row) => row % 3 !== 1));
  const [result] = await filterToHost(context, [column], mask);
  assertEquals(valuesOf(result!), lists.filter((_, row) => row % 3 !== 1));
});

contextTest("filter carries nested lists and structs, which stay on the host", async (context) => {
  await forSeeds(2, async (random) => {
    const types = [INT, ...NESTED_TYPES, INT];
    await checkAgainstArrays(context, random, 100 + random.below(300), types);
  });
});

contextTest("long and short texts, which take turns, come out whole", async (context) => {
  const lengths = [0, 3, 511, 512, 513, 1, 2000, 7, 5000, 600];
  const texts = Array.from({ length: 900 }, (_, row) => {
    return `${row}`.repeat(2_000).slice(0, lengths[row % lengths.length]! + (row % 5));
  });
  const keeps = texts.map((_, row) => row % 7 !== 2);
  const columns = [stringColumn(texts)];
  const [kept] = await filterToHost(context, columns, columnOf({ kind: "bool" }, keeps));
  assertEquals(valuesOf(kept!), texts.filter((_, row) => keeps[row]));
});

contextTest("filter of zero rows and of no row kept gives empty columns", async (context) => {
  const empty = await filterToHost(
    context,
    [stringColumn([]), columnOf(INT, [])],
    columnOf({ kind: "bool" }, []),
  );
  assertEquals(empty.map(valuesOf), [[], []]);
  const none = await filterToHost(
    context,
    [stringColumn(["a", null]), columnOf(INT, [1, 2])],
    columnOf({ kind: "bool" }, [false, null]),
  );
  assertEquals(none.map(valuesOf), [[], []]);
  assertEquals(none.map(({ type }) => type), [{ kind: "string" }, INT]);
});

contextTest("filter that keeps every row gives the same objects back", async (context) => {
  const column = stringColumn(["a", "b", null]);
  const mask = columnOf({ kind: "bool" }, [true, true, true]);
  const { columns, numRows } = await filterOnDevice(context, [column], mask, 3);
  assertEquals(numRows, 3);
  assertEquals(columns[0] === column, true);
});

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
    const [kept] = await filterToHost(context, [texts], mask);
    const text = (k: number) => new TextDecoder().decode(data.subarray(offsets[k], offsets[k + 1]));
    assertEquals(plainOf(kept!), rows.filter((k) => k % 100 === 99).map(text));
  },
);
