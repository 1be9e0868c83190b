/** One larger pipeline, judged by DuckDB and Polars. */

// The peers have types of their own, which are not loaded here.
// deno-lint-ignore-file no-explicit-any

import { assertEquals } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { type Engine, expr, filter, join, read, toTable, withColumns } from "../../../mod.ts";
import { loadPeer, queryDuckDb } from "./peers.ts";
import { SeededRandom } from "../random/seeded_random.ts";
import { inFolder } from "../values/streams_samples.ts";
import { fewOr } from "../random/test_size.ts";

const NUM_ROWS = fewOr(25_000, 100_000);
const WORDS = ["", "a", "Ada", "é", "€uro zone", "𝄞 clef", "naïve 🙂", "longer than twelve bytes"];

/**
 * Has Polars write two sides as Parquet, runs a filter, a left join and an expression over them by
 * all three, and compares every row.
 */
export async function checkAgainstPeers(engine: Engine): Promise<void> {
  const { default: polars } = await loadPeer("polars");
  await inFolder(async (folder) => {
    const [left, right] = [`${folder}/left.parquet`, `${folder}/right.parquet`];
    const random = new SeededRandom(7);
    const sides = [
      sideOf(polars, random, NUM_ROWS, { row: "row", key: "key", text: "name" }),
      sideOf(polars, random, 4_000, { row: "place", key: "code", text: "city" }),
    ] as const;
    sides[0].writeParquet(left);
    sides[1].writeParquet(right);
    const stream = read(left, { engine })
      .pipeThrough(filter(expr('row != 5 && name != "a"')))
      .pipeThrough(join(read(right, { engine }), { on: { key: "code" }, how: "left" }))
      .pipeThrough(withColumns({ route: expr('name.upper() + " > " + city.fillNull("-")') }));
    const ours = (await toTable(stream)).batches.flatMap(linesOf);
    const [byDuckDb] = await queryDuckDb(`
      SELECT string_agg(concat_ws('|', row, coalesce(key::text, 'null'),
        coalesce(name, 'null'), coalesce(place::text, 'null'), coalesce(city, 'null'),
        coalesce(upper(name) || ' > ' || coalesce(city, '-'), 'null')
      ), chr(10) ORDER BY row, place) AS lines
      FROM '${left}' LEFT JOIN '${right}' ON key = code WHERE row != 5 AND name != 'a'`);
    assertSameLines(ours, String(byDuckDb!.lines).split("\n"), "DuckDB");
    assertSameLines(ours, joinByPolars(polars, sides), "Polars");
  });
}

/** The rows of a batch, a line each. */
function linesOf(batch: RecordBatch): string[] {
  const columns = batch.schema.fields.map((_, index) => [...batch.getChildAt(index)!]);
  return Array.from(
    { length: batch.numRows },
    (_, row) => columns.map((values) => String(values[row])).join("|"),
  );
}

/** Compares line by line: deep equality of all lines would take a minute. */
function assertSameLines(ours: readonly string[], theirs: readonly string[], who: string): void {
  const different = ours.findIndex((line, index) => line !== theirs[index]);
  if (different >= 0) assertEquals(ours[different], theirs[different], `${who}, row ${different}`);
  assertEquals(ours.length, theirs.length, who);
}

/** Rows in order, a key with duplicates and nulls, a text with nulls. */
function sideOf(
  polars: any,
  random: SeededRandom,
  numRows: number,
  names: { row: string; key: string; text: string },
): any {
  const rows = Array.from({ length: numRows }, (_, row) => row);
  const orNull = <T>(value: T) => random.chance(0.05) ? null : value;
  return polars.DataFrame([
    polars.Series(names.row, rows, polars.Int32),
    polars.Series(names.key, rows.map(() => orNull(random.below(6_000))), polars.Int32),
    polars.Series(names.text, rows.map(() => orNull(random.pick(WORDS))), polars.Utf8),
  ]);
}

function joinByPolars(polars: any, [left, right]: readonly [any, any]): string[] {
  const { col, lit, concatString } = polars;
  const orNull = (name: string) => col(name).cast(polars.Utf8).fillNull(lit("null"));
  const route = concatString(
    [col("name").str.toUpperCase(), lit(" > "), col("city").fillNull(lit("-"))],
    "",
  );
  return left
    .filter(col("row").neq(lit(5)).and(col("name").neq(lit("a"))))
    .join(right, { leftOn: "key", rightOn: "code", how: "left" })
    .sort(["row", "place"])
    .withColumns(route.alias("route"))
    .select(
      concatString(["row", "key", "name", "place", "city", "route"].map(orNull), "|").alias("line"),
    )
    .getColumn("line").toArray();
}
