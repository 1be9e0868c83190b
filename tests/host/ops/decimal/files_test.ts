import { assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import {
  createEngine,
  expr,
  FileError,
  fromBatches,
  read,
  StepError,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { textOf } from "../../../support/models/decimal_model.ts";
import { decimalVector, unscaledOf } from "../../../support/random/random_decimals.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

const engine = createEngine({ device: "cpu" });

/** The texts of a column of decimals. */
function textsIn(table: arrow.Table, name: string): (string | null)[] {
  const column = table.getChild(name)!;
  const { bitWidth, scale } = column.type as arrow.Decimal;
  return Array.from({ length: table.numRows }, (_, row) => {
    const words = column.get(row) as Uint32Array | null;
    if (words === null) return null;
    const whole = Array.from(words).reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
    return textOf({ unscaled: BigInt.asIntN(bitWidth, whole), scale });
  });
}

Deno.test("decimals are the same after a file of any format, with all digits", () =>
  forSeeds(3, async (random) => {
    const shape = random.pick([
      { precision: 38, scale: 38 },
      { precision: 38, scale: 0 },
      { precision: 38, scale: 19 },
      { precision: 10, scale: 2 },
    ]);
    const { precision, scale } = shape;
    const values = Array.from(
      { length: 50 },
      () => random.chance(0.2) ? null : unscaledOf(random, shape),
    );
    const type = new arrow.Decimal(scale, precision, 128);
    const table = new arrow.Table({
      row: arrow.vectorFromArray(values.map((_, row) => row), new arrow.Int32()),
      a: decimalVector(type, values),
    });
    const given = values.map((value) => value === null ? null : textOf({ unscaled: value, scale }));
    const opposite = values.map((value) =>
      value === null ? null : textOf({ unscaled: -value, scale })
    );
    await inFolder(async (folder) => {
      for (const format of ["csv", "ndjson", "parquet", "arrow"]) {
        const path = `${folder}/a.${format}`;
        await fromBatches(table, { engine })
          .pipeThrough(withColumns({ b: expr("-a") }, { engine }))
          .pipeTo(write(path));
        const name = `decimal(${precision}, ${scale})`;
        const isText = format === "csv" || format === "ndjson";
        const found = await toTable(read(path, isText ? { types: { a: name, b: name } } : {}));
        assertEquals(String(found.schema.fields[1]!.type), String(type), format);
        assertEquals(textsIn(found, "a"), given, format);
        assertEquals(textsIn(found, "b"), opposite, format);
      }
    });
  }));

Deno.test("NDJSON has decimals as numbers or as strings; other values name the file and the row", () =>
  inFolder({
    "a.ndjson": '{"a":1.10}\n{"a":"-2.5"}\n{"a":null}\n{"a":1e3}\n{"a":12345678901234567890.12}\n',
    "b.ndjson": '{"a":1.10}\n{"a":{"b":1}}\n',
    "c.csv": "a\n1.10\n1.105\n",
  }, async (folder) => {
    const types = { types: { a: "decimal(22, 2)" } };
    const table = await toTable(read(`${folder}/a.ndjson`, types));
    assertEquals(textsIn(table, "a"), [
      "1.10",
      "-2.50",
      null,
      "1000.00",
      "12345678901234567890.12",
    ]);
    await assertRejects(
      () => toTable(read(`${folder}/b.ndjson`, types)),
      FileError,
      'b.ndjson: row 1, column a: "{\\"b\\":1}" is not a valid decimal(22, 2)',
    );
    await assertRejects(
      () => toTable(read(`${folder}/c.csv`, types)),
      FileError,
      'c.csv: row 1, column a: "1.105" is not a valid decimal(22, 2)',
    );
  }));

Deno.test("an error of decimals shows the operands with their points, and the row", async () => {
  const table = new arrow.Table({
    a: decimalVector(new arrow.Decimal(2, 38, 128), [110n, 10n ** 37n]),
    n: arrow.vectorFromArray([5n, 7n], new arrow.Int64()),
  });
  const computed = (text: string) =>
    toTable(
      fromBatches(table, { engine }).pipeThrough(withColumns({ r: expr(text) }, { engine })),
    );
  const cases: [string, string][] = [
    [
      "a * n * 1.1",
      "a * n * 1.1 does not fit in decimal128(38, 3): 700000000000000000000000000000000000.00 * 1.1 (row 1)",
    ],
    [
      "a * 1e30",
      "does not fit in decimal128(38, 2): " +
      "100000000000000000000000000000000000.00 * 1000000000000000000000000000000 (row 1)",
    ],
    ['a.cast("int32")', 'cast(a, "int32") refuses 1.10 (row 0)'],
    ['a.cast("decimal(4, 2)")', "refuses 100000000000000000000000000000000000.00 (row 1)"],
  ];
  for (const [text, message] of cases) {
    await assertRejects(() => computed(text), StepError, message, text);
  }
});
