/** Random conditions of joins over two random tables, in our language and in SQL. */

import * as arrow from "apache-arrow";
import { literalSql, quoted } from "../../fuzz/duck_exprs.ts";
import type { SeededRandom } from "../random/seeded_random.ts";
import { batchOf } from "../values/streams_samples.ts";

/** Values that are compared: the types of both sides, of which neither loses a value. */
interface Kind {
  readonly left: readonly arrow.DataType[];
  readonly right: readonly arrow.DataType[];
  readonly duckTypes: readonly [left: string, right: string];
  readonly values: readonly unknown[];
  /** A literal in our language and in SQL. */
  readonly literal: readonly [ours: string, sql: string];
}

const texts = [
  "",
  "a",
  "A",
  "b",
  "Ömer",
  "Ömeræ",
  "Zoë",
  "東京",
  "東京都",
  "🙂",
  "\u{ff5e}",
  "a b c d",
];
const few = [-2, -1, 0, 1, 2, 3];
const floats = [NaN, Infinity, -Infinity, -0, 0, 0.5, 1.5, -2];

const KINDS: Readonly<Record<string, Kind>> = {
  small: {
    left: [new arrow.Int8()],
    right: [new arrow.Int32(), new arrow.Int16()],
    duckTypes: ["TINYINT", "INTEGER"],
    values: few,
    literal: ["1", "1"],
  },
  mixed: {
    left: [new arrow.Int64()],
    right: [new arrow.Uint32(), new arrow.Uint8()],
    duckTypes: ["BIGINT", "UINTEGER"],
    values: [0, 1, 2, 3],
    literal: ["2", "2"],
  },
  big: {
    left: [new arrow.Int64()],
    right: [new arrow.Int64()],
    duckTypes: ["BIGINT", "BIGINT"],
    values: [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n), 7n],
    literal: ["9007199254740993", "9007199254740993"],
  },
  unsigned: {
    left: [new arrow.Uint64()],
    right: [new arrow.Uint64(), new arrow.Uint16()],
    duckTypes: ["UBIGINT", "UBIGINT"],
    values: [0, 1, 5, 65_535],
    literal: ["5", "5"],
  },
  huge: {
    left: [new arrow.Uint64()],
    right: [new arrow.Uint64()],
    duckTypes: ["UBIGINT", "UBIGINT"],
    values: [2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2n ** 63n, 7n],
    literal: ["18446744073709551615", "18446744073709551615"],
  },
  float: {
    left: [new arrow.Float32()],
    right: [new arrow.Float64(), new arrow.Float32()],
    duckTypes: ["DOUBLE", "DOUBLE"],
    values: floats,
    literal: ["0.5", "0.5"],
  },
  text: {
    left: [new arrow.Utf8(), new arrow.Dictionary(new arrow.Utf8(), new arrow.Int8())],
    right: [new arrow.LargeUtf8(), new arrow.Utf8View()],
    duckTypes: ["VARCHAR", "VARCHAR"],
    values: texts,
    literal: ["'b'", "'b'"],
  },
  flag: {
    left: [new arrow.Bool()],
    right: [new arrow.Bool()],
    duckTypes: ["BOOLEAN", "BOOLEAN"],
    values: [true, false],
    literal: ["true", "true"],
  },
};

/** The names of the columns that conditions read. */
export const conditionColumns = Object.keys(KINDS);

/** A random table. */
interface SideTable {
  readonly batches: readonly arrow.RecordBatch[];
  /** A query for its rows with their numbers. */
  readonly sql: string;
}

/** A table for one side: a column `row` with its number, and one of each kind. */
export function randomSide(random: SeededRandom, side: "left" | "right", most: number): SideTable {
  const numRows = random.pick([0, 1, random.below(most), most]);
  const nulls = random.pick([0, 0.2]);
  const columns = Object.entries(KINDS).map(([name, kind]) => {
    // Columns are sorted at times.
    const values = Array.from({ length: numRows }, () => random.pick(kind.values));
    if (random.chance(0.2)) values.sort((one, other) => one! < other! ? -1 : 1);
    const rows = values.map((value) => random.chance(nulls) ? null : value);
    return { name, type: random.pick(kind[side]), rows, kind };
  });
  const numbers = Array.from({ length: numRows }, (_, row) => row);
  const stops = [...cuts(random, numRows), numRows];
  const batches = stops.map((stop, at) => {
    const start = stops[at - 1] ?? 0;
    return batchOf({
      row: [new arrow.Int32(), numbers.slice(start, stop)],
      ...Object.fromEntries(
        columns.map(({ name, type, rows }) => [
          name,
          [type, rows.slice(start, stop).map((value) => asStored(value, type))],
        ]),
      ),
    });
  });
  const lists = columns.map(({ name, rows, kind }) => {
    const type = kind.duckTypes[side === "left" ? 0 : 1];
    const items = rows.map((value) => value === null ? "NULL" : literalSql(value, type));
    return `unnest([${items.join(", ")}]::${type}[]) AS ${quoted(name)}`;
  });
  const row = `unnest([${numbers.join(", ")}]::INTEGER[]) AS "row"`;
  return { batches, sql: `SELECT ${[row, ...lists].join(", ")}` };
}

function cuts(random: SeededRandom, numRows: number): number[] {
  return Array.from({ length: random.below(4) }, () => random.below(numRows + 1))
    .sort((left, right) => left - right);
}

function asStored(value: unknown, type: arrow.DataType): unknown {
  if (value === null || !arrow.DataType.isInt(type)) return value;
  return type.bitWidth === 64 ? BigInt(value as number) : value;
}

/** A condition in our language and in SQL, where `l` and `r` are the sides. */
interface Condition {
  readonly ours: string;
  readonly sql: string;
  /** What was drawn. */
  readonly draws: readonly string[];
}

const OPS = ["==", "!=", "<", "<=", ">", ">="] as const;

/** A random condition of one to four parts. */
export function randomCondition(random: SeededRandom): Condition {
  const parts = Array.from({ length: 1 + random.below(4) }, () => randomPart(random));
  return {
    ours: parts.map(({ ours }) => `(${ours})`).join(" && "),
    sql: parts.map(({ sql }) => `(${sql})`).join(" AND "),
    draws: parts.flatMap(({ draws }) => draws),
  };
}

function randomPart(random: SeededRandom): Condition {
  if (random.chance(0.15)) {
    const { ours, sql, draws } = randomPart(random);
    return { ours: `!(${ours})`, sql: `NOT (${sql})`, draws: [...draws, "negated"] };
  }
  if (random.chance(0.1)) {
    const [one, other] = [randomPart(random), randomPart(random)];
    return {
      ours: `${one.ours} || ${other.ours}`,
      sql: `(${one.sql}) OR (${other.sql})`,
      draws: ["or"],
    };
  }
  return random.pick([bothSides, bothSides, bothSides, interval, oneSide, computed])(random);
}

function comparison(ours: [string, string], sql: [string, string], op: string): Condition {
  const duckOp = op === "==" ? "=" : op;
  return {
    ours: ours.join(` ${op} `),
    sql: sql.join(` ${duckOp} `),
    draws: [op],
  };
}

function bothSides(random: SeededRandom): Condition {
  const name = random.pick(conditionColumns);
  const op = random.pick(OPS);
  const sides: [string, string][] = [[name, `l.${quoted(name)}`], [
    `right.${name}`,
    `r.${quoted(name)}`,
  ]];
  if (random.chance(0.5)) sides.reverse();
  const [one, other] = sides as [[string, string], [string, string]];
  const { ours, sql } = comparison([one[0], other[0]], [one[1], other[1]], op);
  return { ours, sql, draws: [op, name] };
}

function interval(random: SeededRandom): Condition {
  const [low, high] = [random.pick(["small", "mixed"]), random.pick(["small", "mixed"])];
  const [from, to] = [random.pick(["<", "<="]), random.pick(["<", "<="])];
  return {
    ours: `right.${low} ${from} small && small ${to} right.${high}`,
    sql: `r."${low}" ${from} l."small" AND l."small" ${to} r."${high}"`,
    draws: ["interval"],
  };
}

function oneSide(random: SeededRandom): Condition {
  const name = random.pick(conditionColumns);
  const [ours, sql] = KINDS[name]!.literal;
  const isLeft = random.chance(0.5);
  const column = isLeft ? name : `right["${name}"]`;
  const duck = `${isLeft ? "l" : "r"}.${quoted(name)}`;
  const part = comparison([column, ours], [duck, sql], random.pick(OPS));
  return { ...part, draws: [isLeft ? "left only" : "right only"] };
}

function computed(random: SeededRandom): Condition {
  const op = random.pick(OPS);
  return random.pick([
    () => comparison(["text.upper()", "right.text"], ['upper(l."text")', 'r."text"'], op),
    () => comparison(["small + 1", "right.mixed"], ['l."small" + 1', 'r."mixed"'], op),
    () => comparison(["small + right.small", "2"], ['l."small" + r."small"', "2"], op),
    () => comparison(["text + right.text", "'ab'"], ['l."text" || r."text"', "'ab'"], op),
    (): Condition => ({
      ours: "text.startsWith(right.text)",
      sql: 'starts_with(l."text", r."text")',
      draws: ["call of both"],
    }),
    (): Condition => ({ ours: "right.text.isNull()", sql: 'r."text" IS NULL', draws: ["isNull"] }),
  ])();
}
