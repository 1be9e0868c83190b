/** Fields of structs and items of lists, as columns of expressions. */

import { assertEquals } from "@std/assert";
import { Field, Int32, List, type RecordBatch, Struct, Utf8 } from "apache-arrow";
import {
  createEngine,
  type Engine,
  expr,
  fromBatches,
  join,
  read,
  select,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { columnsOf } from "../../../../ops/expr/rewrite.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { closing } from "../../../support/running/closing.ts";
import { checkRandomParts } from "../../../support/expressions/random_parts.ts";
import { SeededRandom } from "../../../support/random/seeded_random.ts";
import { batchOfColumns, columnOfValues } from "../../../support/values/arrow_columns.ts";

Deno.test("a part of a nested column has the values that the column was made of", async () => {
  await using engine = closing(createEngine({ device: "cpu" }));
  await checkRandomParts(engine, 150);
});

const PLACE = new Struct([
  new Field("code", new Utf8(), true),
  new Field("zone", new Int32(), true),
]);

function places(name: string, values: readonly unknown[]): RecordBatch {
  const random = new SeededRandom(1);
  return batchOfColumns(
    [new Field("id", new Int32(), true), new Field(name, PLACE, true)],
    [
      columnOfValues(random, new Int32(), values.map((_, row) => row)),
      columnOfValues(random, PLACE, values),
    ],
  );
}

const FROM = [{ code: "SFO", zone: 8 }, null, { code: null, zone: 1 }, { code: "JFK", zone: 5 }];
const TO = [{ code: "JFK", zone: 2 }, { code: "SFO", zone: 9 }, null];

async function rowsOf(engine: Engine, options: Parameters<typeof join>[1]): Promise<string[]> {
  const side = (name: string, values: readonly unknown[]) =>
    fromBatches([places(name, values)], { engine });
  const joined = side("from", FROM).pipeThrough(join(side("to", TO), options));
  const table = await toTable(
    joined.pipeThrough(
      withColumns({ a: expr("from.code"), b: expr("to.zone") }),
    ).pipeThrough(select("a", "b")),
  );
  return table.toArray().map(String);
}

Deno.test("fields are keys of joins, and conditions read those of both sides", async () => {
  await using engine = closing(createEngine({ device: "cpu" }));
  assertEquals(await rowsOf(engine, { on: [[expr("from.code"), expr("to.code")]] }), [
    '{"a": "SFO", "b": 9}',
    '{"a": "JFK", "b": 2}',
  ]);
  assertEquals(await rowsOf(engine, { where: expr("from.code == right.to.code") }), [
    '{"a": "SFO", "b": 9}',
    '{"a": "JFK", "b": 2}',
  ]);
  const zones = expr("from.zone > right.to.zone && from.code != right.to.code");
  assertEquals(await rowsOf(engine, { where: zones }), ['{"a": "SFO", "b": 2}']);
  const ofOneSide = expr("from.code == right.to.code && right.to.zone > 5 && from.zone > 5");
  assertEquals(await rowsOf(engine, { where: ofOneSide }), ['{"a": "SFO", "b": 9}']);
});

Deno.test("an expression reads the columns whose parts it takes, and no others", () => {
  const parts = expr('a.b == right.c.d[0] && col("right").e["f g"].isNull() || h[i].j == ""');
  assertEquals([...columnsOf(parts)], ["a", "right", "h", "i"]);
  assertEquals([...columnsOf(parts, "right")], ["c"]);
});

Deno.test("an item of a list of numbers that the step before computes", async () => {
  await using engine = closing(createEngine({ device: "cpu" }));
  const source = fromBatches([places("from", FROM)], { engine });
  const hashes = source.pipeThrough(withColumns({ h: expr('"night train".minhash(3)') }));
  const table = await toTable(
    hashes.pipeThrough(withColumns({ h: expr("h[0]") })).pipeThrough(select("h")),
  );
  // The example of minhash(), which the tests of operations check.
  assertEquals(table.toArray().map(String), FROM.map(() => '{"h": 17504492}'));
});

Deno.test("sizes of lists of any items", async () => {
  await using engine = closing(createEngine({ device: "cpu" }));
  const type = new List(new Field("item", PLACE, true));
  const values = [FROM, null, [], [null]];
  const batch = batchOfColumns(
    [new Field("stops", type, true)],
    [columnOfValues(new SeededRandom(2), type, values)],
  );
  const table = await toTable(
    fromBatches([batch], { engine }).pipeThrough(
      withColumns({ n: expr("stops.length()"), last: expr("stops[-1].code") }),
    ).pipeThrough(select("n", "last")),
  );
  assertEquals(table.toArray().map(String), [
    '{"n": 4, "last": "JFK"}',
    '{"n": null, "last": null}',
    '{"n": 0, "last": null}',
    '{"n": 1, "last": null}',
  ]);
});

Deno.test("fields of objects of NDJSON are what at() finds, in copies of their columns too", async () => {
  await using engine = closing(createEngine({ device: "cpu" }));
  const rows = [
    { id: 1, home: { city: "Ulm", geo: { lat: 48.4 } }, items: [{ n: 1 }, { n: 2 }] },
    { id: 2, home: null, items: [] },
    { id: 3, home: { city: "é\n", geo: {} }, items: [{ n: "x" }] },
  ];
  const text = rows.map((row) => JSON.stringify(row)).join("\n");
  await inFolder({ "a.ndjson": text }, async (folder) => {
    const source = () => read(`${folder}/a.ndjson`, { engine });
    const parts = withColumns({
      city: expr("home.city"),
      lat: expr("home.geo.lat.toFloat()"),
      first: expr("items[0]"),
      last: expr("items[-1].n"),
    });
    const wanted = rows.map(({ home, items }) => ({
      city: home?.city ?? null,
      lat: (home?.geo as { lat?: number } | undefined)?.lat ?? null,
      first: items[0] === undefined ? null : JSON.stringify(items[0]),
      last: items.at(-1) === undefined ? null : String(items.at(-1)!.n),
    }));
    const names = ["city", "lat", "first", "last"];
    const table = await toTable(source().pipeThrough(parts).pipeThrough(select(...names)));
    assertEquals(table.toArray().map((row) => ({ ...row })), wanted);
    // Whether the copies are a step of their own makes no difference.
    for (const more of [{}, { both: expr("copy") }]) {
      const copied = source().pipeThrough(withColumns({ copy: expr("items") }))
        .pipeThrough(withColumns({ ...more, first: expr("copy[0]") })).pipeThrough(select("first"));
      const firsts = (await toTable(copied)).toArray().map((row) => row.first);
      assertEquals(firsts, wanted.map(({ first }) => first));
    }
  });
});
