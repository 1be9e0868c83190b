/** The model of casts, and casts themselves, against DuckDB and Python. */

import { assert, assertEquals } from "@std/assert";
import { DataType, Float16, Float64, Utf8 } from "apache-arrow";
import { typeName } from "../../../../../ops/batch/arrow_types.ts";
import { col } from "../../../../../ops/expr/expr.ts";
import { namedType } from "../../../../../ops/syntax/named_types.ts";
import { castModel, type CastValue } from "../../../../support/models/cast_model.ts";
import { castValues } from "../../../../support/values/cast_values.ts";
import { floatOf } from "../../../../support/values/number_texts.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import { evaluateTyped } from "../../../../support/kernels/programs.ts";
import { askPython, pythonTest } from "../../../../support/judges/python.ts";
import { forSeeds, SeededRandom } from "../../../../support/random/seeded_random.ts";

const x = col("x");

/** Types that DuckDB has, by its names. */
const DUCKDB: Readonly<Record<string, string>> = {
  int8: "TINYINT",
  int16: "SMALLINT",
  int32: "INTEGER",
  int64: "BIGINT",
  uint8: "UTINYINT",
  uint16: "USMALLINT",
  uint32: "UINTEGER",
  uint64: "UBIGINT",
  float32: "FLOAT",
  float64: "DOUBLE",
  bool: "BOOLEAN",
};
const DUCKDB_TIMES: Readonly<Record<string, string>> = {
  "date32": "DATE",
  "timestamp[s]": "TIMESTAMP_S",
  "timestamp[ms]": "TIMESTAMP_MS",
  "timestamp[us]": "TIMESTAMP",
  "timestamp[ns]": "TIMESTAMP_NS",
};

/** A value as an expression of SQL. */
function valueSql(value: CastValue, type: DataType): string {
  if (DataType.isUtf8(type)) {
    return `decode(from_hex('${new TextEncoder().encode(String(value)).toHex()}'))`;
  }
  const name = DUCKDB[typeName(type)];
  if (name !== undefined) return `'${Object.is(value, -0) ? "-0" : value}'::${name}`;
  if (DataType.isDate(type)) return `DATE '1970-01-01' + (${value})`;
  if (!DataType.isTimestamp(type)) throw new TypeError(`No SQL for ${type}`);
  if (type.unit === 3) return `make_timestamp_ns(${value})`;
  const micros = BigInt(value) * 1000n ** BigInt(2 - type.unit);
  return `make_timestamp(${micros})::${DUCKDB_TIMES[typeName(type)]}`;
}

/** What a column of a result is, so that it comes out as our columns hold it. */
function countSql(sql: string, type: DataType): string {
  if (DataType.isDate(type)) return `(${sql}) - DATE '1970-01-01'`;
  if (!DataType.isTimestamp(type)) return sql;
  return `epoch_ns(${sql}) // ${1000n ** BigInt(3 - type.unit)}`;
}

/** What DuckDB makes of values, where casting that back gives them again. */
async function exactCasts(
  values: readonly CastValue[],
  from: DataType,
  to: readonly DataType[],
): Promise<unknown[][]> {
  const names = { ...DUCKDB, ...DUCKDB_TIMES };
  const own = names[typeName(from)]!;
  const columns = to.map((type, index) => {
    // It has casts from each unit to microseconds only.
    const isTime = DataType.isTimestamp(from) && DataType.isTimestamp(type) && from !== type;
    const through = (sql: string) => isTime ? `TRY_CAST(${sql} AS TIMESTAMP)` : sql;
    const cast = type === from ? "x" : `TRY_CAST(${through("x")} AS ${names[typeName(type)]})`;
    const isExact = `TRY_CAST(${through(cast)} AS ${own}) IS NOT DISTINCT FROM x`;
    return `CASE WHEN ${isExact} THEN ${countSql(cast, type)} END AS c${index}`;
  });
  const rows = values.map((value, row) => `(${row}, ${valueSql(value, from)})`);
  const result = await queryDuckDb(
    `SELECT ${columns.join(", ")} FROM (VALUES ${rows.join(", ")}) AS t(n, x) ORDER BY n`,
  );
  return to.map((_, index) => result.map((row) => row[`c${index}`]));
}

/** Equal as values, whatever the width of the number that holds them. */
function assertSame(ours: unknown, theirs: unknown, what: string): void {
  const same = ours === theirs || Object.is(ours, theirs) ||
    (typeof ours !== typeof theirs && ours !== null && theirs !== null &&
      Number(ours) === Number(theirs)) ||
    // Its casts take the sign from a zero.
    (ours === 0 && theirs === 0);
  assert(same, `${what}: ${ours}, DuckDB ${theirs}`);
}

const NUMBERS = Object.keys(DUCKDB).map((name) => namedType(name)!);
const TIMES = Object.keys(DUCKDB_TIMES).map((name) => namedType(name)!);

for (const from of NUMBERS) {
  Deno.test(`casts of ${typeName(from)} to numbers are those of DuckDB that are exact`, () =>
    forSeeds(1, async (random) => {
      const values = castValues(random, from, 100);
      const theirs = await exactCasts(values, from, NUMBERS);
      for (const [index, to] of NUMBERS.entries()) {
        const ours = evaluateTyped(x.tryCast(typeName(to)), { x: [from, values] });
        let numExact = 0;
        ours.forEach((value, row) => {
          const what = `${values[row]} from ${typeName(from)} to ${typeName(to)}`;
          assertSame(value, theirs[index]![row] ?? null, what);
          if (value !== null) numExact++;
        });
        assert(numExact > 1, `${typeName(from)} to ${typeName(to)}`);
      }
    }));
}

for (const from of TIMES) {
  Deno.test(`casts of ${typeName(from)} to times are those of DuckDB that are exact`, () =>
    forSeeds(1, async (random) => {
      const perDay = DataType.isTimestamp(from) ? 86_400n * 1000n ** BigInt(from.unit) : 1n;
      const days = [0n, -1n, 1n, 11_395n, -30_000n, 40_000n];
      const counts = days.flatMap((day) => [
        day * perDay,
        ...[1n, 1000n, 10n ** 6n, 10n ** 9n, BigInt(random.below(2 ** 31))]
          .map((part) => day * perDay + part % perDay),
      ]);
      const values = counts.map((count) => DataType.isDate(from) ? Number(count) : count);
      const theirs = await exactCasts(values, from, TIMES);
      for (const [index, to] of TIMES.entries()) {
        const ours = evaluateTyped(x.tryCast(typeName(to)), { x: [from, values] });
        ours.forEach((value, row) => {
          const what = `${values[row]} from ${typeName(from)} to ${typeName(to)}`;
          assertSame(value, theirs[index]![row] ?? null, what);
        });
        assert(ours.some((value) => value !== null), `${typeName(from)} to ${typeName(to)}`);
      }
    }));
}

Deno.test("texts are read as DuckDB reads them, wherever we read them", () =>
  forSeeds(1, async (random) => {
    const texts = castValues(random, new Utf8(), 300);
    const columns = NUMBERS.map((type, index) =>
      `TRY_CAST(x AS ${DUCKDB[typeName(type)]}) AS c${index}`
    );
    const rows = texts.map((text, row) => `(${row}, ${valueSql(text, new Utf8())})`);
    const theirs = await queryDuckDb(
      `SELECT ${columns.join(", ")} FROM (VALUES ${rows.join(", ")}) AS t(n, x) ORDER BY n`,
    );
    for (const [index, to] of NUMBERS.entries()) {
      const ours = evaluateTyped(x.tryCast(typeName(to)), { x: [new Utf8(), texts] });
      let numRead = 0;
      ours.forEach((value, row) => {
        if (value === null) return;
        assertSame(value, theirs[row]![`c${index}`], `${texts[row]} to ${typeName(to)}`);
        numRead++;
      });
      assert(numRead > 1, typeName(to));
    }
  }));

Deno.test("numbers are written as texts that DuckDB reads as the same numbers", () =>
  forSeeds(1, async (random) => {
    for (const from of NUMBERS) {
      const values = castValues(random, from, 100);
      const ours = evaluateTyped(x.cast("string"), { x: [from, values] });
      const rows = ours.map((text, row) => `(${row}, '${text}'::${DUCKDB[typeName(from)]})`);
      const theirs = await queryDuckDb(
        `SELECT x FROM (VALUES ${rows.join(", ")}) AS t(n, x) ORDER BY n`,
      );
      values.forEach((value, row) =>
        assertSame(value, theirs[row]!.x, `${ours[row]} from ${typeName(from)}`)
      );
    }
  }));

Deno.test("times of a day are read and written as DuckDB does, wherever we read them", async () => {
  const texts = castValues(new SeededRandom(7), new Utf8(), 0).concat([
    "09:05:00.25",
    "09:05:00.000001",
  ]);
  const rows = texts.map((text, row) => `(${row}, ${valueSql(text, new Utf8())})`);
  const theirs = await queryDuckDb(
    `SELECT TRY_CAST(x AS TIME)::VARCHAR AS x FROM (VALUES ${
      rows.join(", ")
    }) AS t(n, x) ORDER BY n`,
  );
  const ours = evaluateTyped(x.tryCast("time64[us]").cast("string"), { x: [new Utf8(), texts] });
  ours.forEach((text, row) => {
    if (text !== null) assertEquals(text, theirs[row]!.x, String(texts[row]));
  });
  assert(ours.filter((text) => text !== null).length > 4);
});

pythonTest("halves are those of Python, exact or null", () =>
  forSeeds(1, async (random) => {
    const values = castValues(random, new Float64(), 300) as number[];
    const halves = evaluateTyped(x.tryCast("float16"), { x: [new Float64(), values] });
    const texts = values.map((value) => Object.is(value, -0) ? "-0" : String(value));
    const answers = await askPython(texts.map((text) => ({ op: "half", text, args: [] })));
    const read = evaluateTyped(x.tryCast("float16"), { x: [new Utf8(), texts] });
    let numExact = 0;
    values.forEach((value, row) => {
      const half = answers[row] === null ? null : floatOf(String(answers[row]));
      const isExact = half !== null && Object.is(half, value);
      assertEquals(halves[row], isExact ? value : null, `${value}`);
      if (isExact) numExact++;
      // Python rounds twice, which only matters in the middle of two halves.
      if (!isMiddle(value)) assertEquals(read[row], half, `${value} as text`);
    });
    assert(numExact > 50, String(numExact));
  }));

/** Whether a number lies in the middle of two halves. */
function isMiddle(value: number): boolean {
  const half = Math.f16round(value);
  const other = Math.f16round(value + (value - half));
  return value !== half && Math.abs(value - half) === Math.abs(other - value);
}

Deno.test("the model reads texts as narrow floats that DuckDB reads", async () => {
  const texts = ["16777217.0000000001", "7.006492321624085e-46", "7.0064923216240854e-46"];
  const rows = texts.map((text) => `'${text}'::FLOAT`);
  const [row] = await queryDuckDb(`SELECT [${rows.join(", ")}] AS x`);
  assertEquals((row!.x as number[]).length, texts.length);
  texts.forEach((text, index) =>
    assertEquals(castModel(text, new Utf8(), namedType("float32")!), (row!.x as number[])[index])
  );
  assertEquals(castModel("2049.0000001", new Utf8(), new Float16()), 2050);
});
