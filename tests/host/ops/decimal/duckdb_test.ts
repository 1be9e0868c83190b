import { assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { createEngine, expr, fromBatches, toTable, withColumns } from "../../../../mod.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { textOf } from "../../../support/models/decimal_model.ts";
import { decimalVector, unscaledOf } from "../../../support/random/random_decimals.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

const NUM_ROWS = 600;

/**
 * What both compute, in SQL over `a` of DECIMAL(15, 4), `b` of DECIMAL(15, 2), `c` of DECIMAL(38, 10)
 * and `n` of BIGINT, as text. DuckDB's DECIMAL has 18 digits where both operands have that few, so wider
 * ones are cast.
 */
const SAME: Readonly<Record<string, string>> = {
  "a + b": "a + b",
  "a - b": "a - b",
  "a * b": "a::DECIMAL(38, 4) * b",
  "(c + a).orNull()": "try(c + a)",
  "(c - b).orNull()": "try(c - b)",
  "-c": "-c",
  "a.abs()": "abs(a)",
  "a.round(2)": "round(a, 2)",
  "a.round()": "round(a)",
  "a.floor()": "floor(a)",
  "a.ceil()": "ceil(a)",
  "a % b": "a % b",
  "a < b": "a < b",
  "a == c": "a = c",
  "a >= n": "a >= n::DECIMAL(38, 4)",
  "greatest(a, b)": "greatest(a, b)",
  "a * 1.1": "a::DECIMAL(38, 4) * 1.1",
  "a.fillNull(b)": "coalesce(a, b)",
  'a.cast("decimal(30, 8)")': "a::DECIMAL(30, 8)",
  'a.round().cast("int64")': "round(a)::BIGINT",
  "c.toFloat()": "c::VARCHAR::DOUBLE",
  'c.toString().cast("decimal(38, 10)")': "c",
};

const SHAPES = {
  a: { precision: 15, scale: 4 },
  b: { precision: 15, scale: 2 },
  c: { precision: 38, scale: 10 },
  n: { precision: 18, scale: 0 },
} as const;

/** A value of a result as DuckDB writes it. */
function shown(type: arrow.DataType, value: unknown): string | null {
  if (value === null) return null;
  if (!arrow.DataType.isDecimal(type)) return String(value);
  const words = Array.from(value as Uint32Array);
  const whole = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  return textOf({ unscaled: BigInt.asIntN(type.bitWidth, whole), scale: type.scale });
}

Deno.test("DuckDB computes the same from the same decimals", () =>
  forSeeds(1, async (random) => {
    const drawn = Object.fromEntries(
      Object.entries(SHAPES).map(([name, shape]) => [
        name,
        Array.from({ length: NUM_ROWS }, () => {
          const value = random.chance(0.1) ? null : unscaledOf(random, shape);
          // DuckDB has no remainder for the divisor 0.
          return name === "b" && value === 0n ? null : value;
        }),
      ]),
    ) as Record<keyof typeof SHAPES, (bigint | null)[]>;
    const vectorOf = (name: "a" | "b" | "c") => {
      const { precision, scale } = SHAPES[name];
      return decimalVector(new arrow.Decimal(scale, precision, 128), drawn[name]);
    };
    const table = new arrow.Table({
      ...{ a: vectorOf("a"), b: vectorOf("b"), c: vectorOf("c") },
      n: arrow.vectorFromArray(drawn.n, new arrow.Int64()),
    });
    const exprs = Object.keys(SAME).map((text, k) => [`r${k}`, expr(text)] as const);
    const engine = createEngine({ device: "cpu" });
    const ours = await toTable(
      fromBatches(table, { engine }).pipeThrough(
        withColumns(Object.fromEntries(exprs), { engine }),
      ),
    );
    const rows = Array.from({ length: NUM_ROWS }, (_, row) => {
      const values = Object.entries(SHAPES).map(([name, { precision, scale }]) => {
        const value = drawn[name as keyof typeof SHAPES][row]!;
        if (value === null) return "NULL";
        const type = name === "n" ? "BIGINT" : `DECIMAL(${precision}, ${scale})`;
        return `'${textOf({ unscaled: value, scale })}'::${type}`;
      });
      return `(${row}, ${values.join(", ")})`;
    });
    const outputs = Object.values(SAME).map((sql, k) =>
      `CASE WHEN typeof(${sql}) = 'DOUBLE' THEN NULL ELSE (${sql})::VARCHAR END AS r${k}, ` +
      `try_cast((${sql})::VARCHAR AS DOUBLE) AS f${k}`
    );
    const theirs = await queryDuckDb(
      `SELECT ${outputs.join(", ")} FROM (VALUES ${rows.join(", ")}) t(k, a, b, c, n) ORDER BY k`,
    );
    for (const [k, text] of Object.keys(SAME).entries()) {
      const column = ours.getChild(`r${k}`)!;
      for (const [row, theirRow] of theirs.entries()) {
        const found = shown(column.type, column.get(row));
        const wanted = theirRow[`r${k}`] ?? null;
        const given = Object.values(drawn).map((values) => values[row]).join(", ");
        if (arrow.DataType.isFloat(column.type)) {
          assertEquals(column.get(row), theirRow[`f${k}`] ?? null, `${text}: ${given}`);
        } else assertEquals(found, wanted, `${text}: ${given}`);
      }
    }
  }));
