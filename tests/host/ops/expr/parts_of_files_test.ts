/** Parts of nested columns of Parquet files that DuckDB wrote, judged by DuckDB. */

import { assertEquals } from "@std/assert";
import { createEngine, expr, filter, read, select, toTable, withColumns } from "../../../../mod.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { closing } from "../../../support/running/closing.ts";

const ROWS = `SELECT
    i AS id,
    CASE WHEN i % 7 = 0 THEN NULL ELSE {
      'city': CASE WHEN i % 5 = 0 THEN NULL ELSE 'city ' || (i % 11) END,
      'post code': i * 3,
      'geo': CASE WHEN i % 3 = 0 THEN NULL ELSE {'lat': i / 4, 'tags': ['a', NULL, 'c' || i][1:i % 4]} END
    } END AS address,
    CASE WHEN i % 6 = 0 THEN NULL ELSE [i, NULL, -i][1:i % 4] END AS scores,
    [{'n': i, 'name': 'x' || i}, NULL, {'n': NULL, 'name': 'y'}][1:i % 4] AS items
  FROM range(1000) AS t(i)`;

/** Expressions, and what DuckDB calls the same: it counts items from 1. */
const PARTS: Readonly<Record<string, string>> = {
  "address.city": "address.city",
  'address["post code"] + 1': 'address."post code" + 1',
  "address.geo.lat": "address.geo.lat",
  "address.geo.tags[0]": "address.geo.tags[1]",
  "address.geo.tags[-1].upper()": "upper(address.geo.tags[-1])",
  "address.geo.isNull()": "address.geo IS NULL",
  "scores[0]": "scores[1]",
  "scores[-1] * 2": "scores[-1] * 2",
  "scores.length()": "len(scores)",
  "items[0].n": "items[1].n",
  "items[-2].name": "items[-2].name",
  "items.length()": "len(items)",
};

const FILTERS: Readonly<Record<string, string>> = {
  'address.city == "city 3" && scores[0] > 10': "address.city = 'city 3' AND scores[1] > 10",
  "address.geo.lat < 20 || items[0].n == 500": "address.geo.lat < 20 OR items[1].n = 500",
  "address.city.isNull()": "address.city IS NULL",
};

Deno.test("parts of columns of Parquet are those that DuckDB finds", async () => {
  await using engine = closing(createEngine({ device: "cpu" }));
  await inFolder({}, async (folder) => {
    const file = `${folder}/nested.parquet`;
    await queryDuckDb(`COPY (${ROWS}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 300)`);
    const ours = Object.keys(PARTS);
    const table = await toTable(
      read(file, { engine })
        .pipeThrough(withColumns(Object.fromEntries(ours.map((part, k) => [`p${k}`, expr(part)]))))
        .pipeThrough(select(...ours.map((_, k) => `p${k}`))),
    );
    const theirs = Object.values(PARTS).map((part, k) => `${part} AS p${k}`);
    const wanted = await queryDuckDb(`SELECT ${theirs.join(", ")} FROM '${file}' ORDER BY id`);
    const plain = (value: unknown) => typeof value === "bigint" ? Number(value) : value;
    ours.forEach((part, k) => {
      const values = Array.from(table.getChild(`p${k}`)!, plain);
      assertEquals(values, wanted.map((row) => plain(row[`p${k}`])), part);
    });
    for (const [condition, sql] of Object.entries(FILTERS)) {
      const kept = await toTable(
        read(file, { engine }).pipeThrough(filter(expr(condition))).pipeThrough(select("id")),
      );
      const wanted = await queryDuckDb(`SELECT id FROM '${file}' WHERE ${sql} ORDER BY id`);
      assertEquals([...kept.getChild("id")!], wanted.map(({ id }) => id), condition);
    }
  });
});
