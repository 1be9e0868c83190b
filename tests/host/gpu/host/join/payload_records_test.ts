import { assertEquals } from "@std/assert";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { gatherColumns } from "../../../../../gpu/column/gather.ts";
import { sliceColumn } from "../../../../../gpu/column/slice.ts";
import { TableMemory } from "../../../../../gpu/host/table/memory.ts";
import { makeRecords } from "../../../../../gpu/host/join/payload_records.ts";
import { HostJoinTable } from "../../../../../gpu/host/join/join_table.ts";
import { newWork } from "../../../../../gpu/host/table/work.ts";
import {
  ALL_TYPES,
  columnOfPlain,
  plainOf,
  randomColumn,
} from "../../../../support/models/column_model.ts";
import { stringColumn } from "../../../../support/values/host_columns.ts";
import { forSeeds, type SeededRandom } from "../../../../support/random/seeded_random.ts";
import { tableRequest } from "../../../../support/joins/table_request.ts";
import { assertSameColumn } from "../../../../support/processes/threads.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };

function randomRows(random: SeededRandom, numRows: number, length: number, mayMiss: boolean) {
  return Int32Array.from(
    { length },
    () => numRows === 0 || (mayMiss && random.chance(0.3)) ? -1 : random.below(numRows),
  );
}

/** The payload of rows that a join finds, -1 for a key that it does not, out of records. */
function fromRecords(
  payload: readonly HostColumn[],
  rows: Int32Array,
  mayMiss: boolean,
): readonly HostColumn[] {
  const { length } = payload[0]!;
  const keyOf = (numbers: Int32Array) => columnOfPlain(INT32, Array.from(numbers, BigInt));
  const all = keyOf(Int32Array.from({ length }, (_, row) => row));
  const request = tableRequest(all, { kind: "int", bits: 32 }, payload, mayMiss ? "left" : "inner");
  const table = new HostJoinTable(request);
  // There are records once some rows were probed.
  table.find(all);
  const { answer } = table.probe(keyOf(rows), [], rows.length + 1);
  assertEquals(answer.results?.length, 1);
  if (length > 0 && answer.results![0]!.payload === null) throw new Error("There are no records");
  return table.payloadOf(answer.results![0]!, mayMiss);
}

/** Asserts that rows out of records are those out of columns, byte for byte, children too. */
function assertSameRows(payload: readonly HostColumn[], rows: Int32Array, mayMiss: boolean): void {
  const actual = fromRecords(payload, rows, mayMiss);
  gatherColumns(payload, rows, { mayMiss }).forEach((wanted, index) => {
    const what = `${JSON.stringify(wanted.type)}, ${rows.length} rows`;
    assertSameColumn(actual[index]!, wanted, what);
    assertEquals(actual[index]!.children, wanted.children, what);
  });
}

Deno.test("records give the same bytes as columns, for payload of all types", () =>
  forSeeds(150, (random) => {
    const numRows = random.pick([0, 1, 7, 40, 700]);
    const types = Array.from({ length: random.below(12) }, () => random.pick(ALL_TYPES));
    const payload = [INT32, ...types].map((type) => randomColumn(random, type, numRows));
    const mayMiss = numRows === 0 || random.chance(0.5);
    const length = random.pick([0, 1, 8, 100, 511, 512, 513, 2000]);
    assertSameRows(payload, randomRows(random, numRows, length, mayMiss), mayMiss);
  }));

Deno.test("text of every size comes out of records, short, long and in between", () =>
  forSeeds(60, (random) => {
    const most = random.pick([3, 4, 5, 8, 12, 16, 17, 40, 300, 3000]);
    const texts = Array.from(
      { length: 1 + random.below(60) },
      () => random.chance(0.1) ? null : "x".repeat(random.below(most + 1)),
    );
    const payload = [stringColumn(texts), stringColumn(texts.toReversed())];
    assertSameRows(payload, randomRows(random, texts.length, 1500, true), true);
  }));

Deno.test("columns that find no room in a record come out all the same", () => {
  const wide: ColumnType = { kind: "fixed", byteWidth: 100 };
  const values = Array.from({ length: 9 }, (_, row) => `${row}`.repeat(200));
  const payload = [wide, wide, wide, INT32].map((type) =>
    columnOfPlain(type, values.map((hex, row) => type === wide ? hex : BigInt(row)))
  );
  assertSameRows(payload, Int32Array.of(8, -1, 0, 3, 3), true);
});

Deno.test("lists alone make no records", () => {
  const lists = columnOfPlain({ kind: "list", item: INT32 }, [[1n], [], null]);
  assertEquals(makeRecords(new TableMemory(newWork()), [lists], 3), null);
});

Deno.test("more text than expected makes room for itself", () => {
  // Of a million rows one is long, and it alone is taken.
  const texts = Array.from({ length: 100_000 }, (_, row) => row === 5 ? "long".repeat(50) : "");
  assertSameRows([stringColumn(texts)], new Int32Array(3000).fill(5), false);
});

Deno.test("a table gives the same payload before it has records and after", () => {
  const names = stringColumn(["Åsa", "Bo", null, "a name that is longer than a record holds"]);
  const key = columnOfPlain(INT32, [1n, 2n, 3n, 4n]);
  const payload = [names, key];
  const table = new HostJoinTable(tableRequest(key, { kind: "int", bits: 32 }, payload));
  const [first, ...later] = [1, 4, 4].map((numRows) => {
    const [result] = table.probe(sliceColumn(key, 0, numRows), [], 4).answer.results!;
    return table.payloadOf(result!, false);
  });
  assertEquals(table.places.records === null, false);
  for (const columns of later) {
    columns.forEach((column, index) => {
      assertEquals(plainOf(column), plainOf(payload[index]!));
      assertSameColumn(column, later[0]![index]!, "payload");
      assertEquals(plainOf(sliceColumn(column, 0, 1)), plainOf(first![index]!));
    });
  }
});
