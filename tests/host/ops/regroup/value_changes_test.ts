import { assert, assertEquals } from "@std/assert";
import { Binary, Field, Float16, Float32, Float64, Int64, List, Struct, Utf8 } from "apache-arrow";
import type { ColumnType, HostColumn } from "../../../../gpu/column/column.ts";
import { sliceColumn } from "../../../../gpu/column/slice.ts";
import { fromArrow } from "../../../../ops/batch/from_arrow.ts";
import { ValueChanges } from "../../../../ops/regroup/value_changes.ts";
import { columnOfValues } from "../../../support/values/arrow_columns.ts";
import {
  ALL_TYPES,
  columnOfPlain,
  type Plain,
  plainOf,
  randomValues,
} from "../../../support/models/column_model.ts";
import { queryDuckDb } from "../../../support/judges/peers.ts";
import { forSeeds, SeededRandom } from "../../../support/random/seeded_random.ts";

/** The changes in the rows of columns that come in pieces of so many rows. */
function changesOf(columns: readonly HostColumn[], sizes: readonly number[]): number[] {
  const changes = new ValueChanges();
  const found: number[] = [];
  let start = 0;
  for (const size of sizes) {
    const piece = columns.map((column) => sliceColumn(column, start, start + size));
    for (const row of changes.next(piece)) found.push(start + row);
    start += size;
  }
  return found;
}

/** Sizes of at least 1 that add up to a number of rows. */
function randomSizes(random: SeededRandom, numRows: number): number[] {
  const sizes: number[] = [];
  for (let left = numRows; left > 0; left -= sizes.at(-1)!) sizes.push(1 + random.below(left));
  return sizes;
}

/** A text that equal values share: nulls, all NaNs, and both zeros are equal. */
function textOf(type: ColumnType, value: Plain): string {
  if (value === null) return "null";
  switch (type.kind) {
    case "list":
      return `[${(value as readonly Plain[]).map((item) => textOf(type.item, item))}]`;
    case "struct":
      return `[${type.fields.map((field, at) => textOf(field, (value as readonly Plain[])[at]!))}]`;
    case "float": {
      // The value is its bytes, in hexadecimal digits.
      const bytes = String(value).match(/../g)!.map((byte) => parseInt(byte, 16));
      const view = new DataView(Uint8Array.from(bytes).buffer);
      const float = type.bits === 64
        ? view.getFloat64(0, true)
        : type.bits === 32
        ? view.getFloat32(0, true)
        : view.getFloat16(0, true);
      return String(float === 0 ? 0 : float);
    }
    default:
      return JSON.stringify(String(value));
  }
}

/** Rows in which many neighbours are the same. */
function withRuns(random: SeededRandom, type: ColumnType, numRows: number): Plain[] {
  const few = randomValues(random, type, 3, random.pick([0, 0.3]));
  return Array.from({ length: numRows }, () => random.pick(few));
}

for (const type of ALL_TYPES) {
  Deno.test(`changes of ${JSON.stringify(type)} are where neighbours differ`, () =>
    forSeeds(40, (random) => {
      const numRows = 1 + random.below(40);
      const types = random.chance(0.5) ? [type] : [type, random.pick(ALL_TYPES)];
      const columns = types.map((type) => columnOfPlain(type, withRuns(random, type, numRows)));
      const texts = columns.map((column) =>
        plainOf(column).map((value) => textOf(column.type, value))
      );
      const expected = Array.from({ length: numRows }, (_, row) => row).filter((row) =>
        row > 0 && texts.some((column) => column[row] !== column[row - 1])
      );
      assertEquals(changesOf(columns, randomSizes(random, numRows)), expected);
    }));
}

const item = new Field("item", new Float64(), true);
const judged = {
  DOUBLE: [new Float64(), ["0", "-0.0", "'NaN'", "1.5", "NULL"]],
  FLOAT: [new Float32(), ["0", "-0.0", "'NaN'", "1.5", "NULL"]],
  BIGINT: [new Int64(), ["0", "1", "4294967296", "4294967297", "-1", "NULL"]],
  VARCHAR: [new Utf8(), ["''", "'a'", "'b'", "'ab'", "'é'", "'e\u0301'", "NULL"]],
  BLOB: [new Binary(), ["''", "'\\x00'", "'\\x00\\x00'", "NULL"]],
  "DOUBLE[]": [new List(item), ["[]", "[NULL]", "[0]", "[-0.0]", "[1, 2]", "NULL"]],
  "STRUCT(item DOUBLE)": [new Struct([item]), [
    "{item: 0}",
    "{item: -0.0}",
    "{item: NULL}",
    "NULL",
  ]],
} as const;

/** What SQL's texts of values are in JavaScript. */
const VALUES: Readonly<Record<string, unknown>> = {
  NULL: null,
  "'NaN'": NaN,
  "-0.0": -0,
  "[]": [],
  "[NULL]": [null],
  "[0]": [0],
  "[-0.0]": [-0],
  "[1, 2]": [1, 2],
  "{item: 0}": { item: 0 },
  "{item: -0.0}": { item: -0 },
  "{item: NULL}": { item: null },
};

function valueOf(sqlType: string, text: string): unknown {
  if (Object.hasOwn(VALUES, text)) return VALUES[text];
  if (sqlType === "BIGINT") return BigInt(text);
  if (sqlType === "VARCHAR") return text.slice(1, -1);
  if (sqlType === "BLOB") return new Uint8Array((text.length - 2) / 4);
  return Number(text);
}

for (const [sqlType, [type, texts]] of Object.entries(judged)) {
  Deno.test(`changes of ${sqlType} are where DuckDB says that neighbours are distinct`, () =>
    forSeeds(3, async (random) => {
      const rows = Array.from({ length: 60 }, () => random.pick<string>(texts));
      const list = rows.map((text, row) => `(${row}, ${text}::${sqlType})`).join(", ");
      const distinct = await queryDuckDb(
        `SELECT i FROM (SELECT i, v IS DISTINCT FROM lag(v) OVER (ORDER BY i) AS d ` +
          `FROM (VALUES ${list}) AS t(i, v)) WHERE d AND i > 0 ORDER BY i`,
      );
      const values = rows.map((text) => valueOf(sqlType, text));
      const column = fromArrow(columnOfValues(random, type, values));
      const changes = changesOf([column], randomSizes(random, rows.length));
      assertEquals(changes, distinct.map(({ i }) => Number(i)));
      assert(changes.length > 10 && changes.length < 59);
    }));
}

Deno.test("zeros are equal, and NaNs of any bits", () => {
  const doubles = new BigUint64Array([
    ...[0n, 1n << 63n, 0x7ff8n << 48n, (0xfff8n << 48n) | 5n, (0x7ff0n << 48n) | 1n],
    0x3ffn << 52n,
  ]);
  const halves = Uint16Array.of(0, 0x8000, 0x7e00, 0xfe01, 0x7c01, 0x3c00);
  for (
    const [type, bits] of [[new Float64(), doubles], [new Float16(), halves]] as const
  ) {
    const column = fromArrow(
      columnOfValues(new SeededRandom(1), type, Array.from({ length: 6 }, () => 1)),
    );
    const data = new Uint8Array(bits.buffer);
    const same = { ...column, length: 6, nullCount: 0, validity: null, data };
    assertEquals(changesOf([same], [6]), [2, 5]);
    assertEquals(changesOf([same], [1, 2, 3]), [2, 5]);
  }
});
