import { assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, expr, fromBatches, toTable, withColumns } from "../../../../mod.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { valueOf } from "../../../support/random/random_operands.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

const NUM_ROWS = 2000;
const INT64 = new arrow.Int64();
const FLOAT64 = new arrow.Float64();

/** What both compute, in SQL over `a` and `b` of BIGINT, `u` of UBIGINT, and `x` and `y` of DOUBLE. */
const SAME: Readonly<Record<string, string>> = {
  "(a + b).orNull()": "try(a + b)",
  "(a - b).orNull()": "try(a - b)",
  "(a * b).orNull()": "try(a * b)",
  "(a % b).orNull()": "(a::HUGEINT % b)::BIGINT",
  "(a.mod(b)).orNull()": "try(((a::HUGEINT % b) + b) % b)",
  "(a.floorDiv(b)).orNull()": "try(((a::HUGEINT - (((a::HUGEINT % b) + b) % b)) // b)::BIGINT)",
  "(-a).orNull()": "try(-a)",
  "(a ** 3).orNull()": "try((a::HUGEINT * a * a)::BIGINT)",
  "a & b": "a & b",
  "a | b": "a | b",
  "a.bitXor(b)": "xor(a, b)",
  "~a": "~a",
  "a / b": "a / b",
  "a < u": "a < u",
  "a == u": "a = u",
  "x + y": "x + y",
  "x - y": "x - y",
  "x * y": "x * y",
  "x / y": "x / y",
  "x % y": "x % y",
  "a * x": "a::DOUBLE * x",
  "u + x": "u::DOUBLE + x",
  "x > y": "x > y",
};

Deno.test("DuckDB computes the same from the same BIGINT and DOUBLE values", () =>
  forSeeds(1, async (random) => {
    const values = (type: arrow.DataType, nulls = 0.1) =>
      Array.from({ length: NUM_ROWS }, () => random.chance(nulls) ? null : valueOf(random, type));
    const columns = {
      a: values(INT64),
      b: values(INT64),
      u: values(new arrow.Uint64()),
      x: values(FLOAT64),
      y: values(FLOAT64),
    };
    const types = { a: INT64, b: INT64, u: new arrow.Uint64(), x: FLOAT64, y: FLOAT64 };
    const table = new arrow.Table(
      Object.fromEntries(
        Object.entries(columns).map((
          [name, rows],
        ) => [name, arrow.vectorFromArray(rows, types[name as keyof typeof types])]),
      ),
    );
    const engine = createEngine({ device: "cpu" });
    const exprs = Object.keys(SAME).map((text, k): [string, ReturnType<typeof expr>] => [
      `r${k}`,
      expr(text),
    ]);
    const ours = await toTable(
      fromBatches(table, { engine }).pipeThrough(
        withColumns(Object.fromEntries(exprs), { engine }),
      ),
    );
    const rows = Array.from({ length: NUM_ROWS }, (_, row) => {
      const of = (name: keyof typeof columns, type: string) => {
        const value = columns[name][row];
        return value === null ? "NULL" : `'${Object.is(value, -0) ? "-0" : value}'::${type}`;
      };
      return `(${row}, ${of("a", "BIGINT")}, ${of("b", "BIGINT")}, ${of("u", "UBIGINT")}, ` +
        `${of("x", "DOUBLE")}, ${of("y", "DOUBLE")})`;
    });
    const outputs = Object.values(SAME).map((sql, k) => `${sql} AS r${k}`);
    const theirs = await queryDuckDb(
      `SELECT ${outputs.join(", ")} FROM (VALUES ${
        rows.join(", ")
      }) t(k, a, b, u, x, y) ORDER BY k`,
    );
    for (const [k, text] of Object.keys(SAME).entries()) {
      const column = ours.getChild(`r${k}`)!;
      for (const [row, theirRow] of theirs.entries()) {
        const given = JSON.stringify(
          Object.entries(columns).map(([name, rows]) => `${name} = ${rows[row]}`),
        );
        const [found, wanted] = [column.get(row), theirRow[`r${k}`]];
        assertEquals(found, wanted, `${text}: ${given}`);
      }
    }
  }));
