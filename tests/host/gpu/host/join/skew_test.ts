import { assert, assertEquals } from "@std/assert";
import type { HostColumn } from "../../../../../gpu/column/column.ts";
import { HostJoinTable, type Probed } from "../../../../../gpu/host/join/join_table.ts";
import { probeTable } from "../../../../../gpu/host/join/probe.ts";
import { countMatches, expandMatches } from "../../../../../gpu/host/join/row_pairs.ts";
import { columnOfPlain } from "../../../../support/models/column_model.ts";
import { openJoinThreads } from "../../../../support/joins/join_threads.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";
import { until } from "../../../../support/running/until.ts";

const NUM_ROWS = 20_000;
const INT32 = { kind: "int", bits: 32, signed: true } as const;

/** Keys of which nine of ten are 7. */
const skewed = Array.from({ length: NUM_ROWS }, (_, row) => row % 10 === 0 ? row : 7);
const each = Array.from({ length: 100 }, (_, row) => row);

function column(values: readonly number[]): HostColumn {
  return columnOfPlain(INT32, values.map(BigInt));
}

/** An array that counts how often it is read. */
function counting(array: Int32Array, count: () => void): Int32Array {
  return new Proxy(array, {
    get(target, name) {
      count();
      return Reflect.get(target, name, target);
    },
  });
}

for (const [what, build, probe] of [["build", skewed, each], ["probe", each, skewed]] as const) {
  Deno.test(`one key with nine tenths of the ${what} side costs a few steps a row and pair`, () => {
    const table = new HostJoinTable(tableRequest(column(build), { kind: "int", bits: 32 }, []));
    // Unique keys have no groups; here they are groups of one row.
    const numBuild = build.length;
    const found = table.find(column(probe));
    const starts = new Int32Array(numBuild + 1);
    const rows = Int32Array.from({ length: numBuild }, (_, row) => row);
    for (let row = 0; row < numBuild; row++) starts[row + 1] = row + 1;
    const groups = table.groups ?? { starts, rows };
    let numReads = 0;
    const count = () => void numReads++;
    const counted = { starts: counting(groups.starts, count), rows: counting(groups.rows, count) };
    const countedFound = counting(found, count);
    const { numPairs } = countMatches(counted, countedFound, { unmatchedRows: 0 });
    const results = [...expandMatches(counted, countedFound, { unmatchedRows: 0 }, numPairs, 50)];
    assertEquals(results.length, Math.ceil(numPairs / 50));
    assertEquals(results.reduce((sum, result) => sum + result.probeRows.length, 0), numPairs);
    assert(numPairs >= 0.9 * NUM_ROWS);
    assert(numReads < 15 * (probe.length + numPairs), `${numReads} reads for ${numPairs} pairs`);
  });
}

Deno.test("a thread leaves the pairs of a batch that has very many to be made as they are read", async () => {
  using threads = await openJoinThreads();
  const key = column(skewed.slice(0, 1000));
  const table = new HostJoinTable(tableRequest(key, { kind: "int", bits: 32 }, [key]), threads);
  threads.add(table);
  let probed: Probed | null = null;
  await until(() => probed !== null, "a worker answers", async () => {
    probed = await threads.probe(table, key, [key], atMost(100)) ?? null;
  });
  const { answer } = probed!;
  assertEquals([answer.results, answer.found?.length], [null, 1000]);
  const numPairs = 900 * 900 + 100;
  const results = probeTable(table, key, [key], atMost(100), probed);
  assertEquals(results.next().value?.numRows, 100);
  let numRows = 100;
  for (const result of results) numRows += result.numRows;
  // Row 7 of the tens is none: 7 is not a multiple of 10.
  assertEquals(numRows, numPairs);
  table.release();
});
