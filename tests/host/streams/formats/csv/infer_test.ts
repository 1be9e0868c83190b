import { assert, assertEquals } from "@std/assert";
import {
  type DataType,
  DateDay,
  Decimal,
  DurationNanosecond,
  Field,
  Float16,
  Float32,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  TimeMillisecond,
  TimestampNanosecond,
  Uint64,
} from "apache-arrow";
import { openSource } from "../../../../../streams/files/read.ts";
import { write } from "../../../../../streams/files/write.ts";
import { columnKinds, randomTable, rawColumn } from "../../../../support/random/random_tables.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import { inFolder, readAll, writeAll } from "../../../../support/values/streams_samples.ts";

const suffixes = ["csv", "ndjson"] as const;

/** The type and the values of the column that a batch has, once it was written and read. */
async function again(
  suffix: string,
  batches: readonly RecordBatch[],
): Promise<(name: string) => { type: string; values: readonly unknown[] }> {
  let read: RecordBatch[] = [];
  await inFolder(async (folder) => {
    const path = `${folder}/out.${suffix}`;
    await writeAll(write(path), [...batches]);
    read = await readAll(openSource(path));
  });
  return (name) => ({
    type: String(read[0]!.schema.fields.find((field) => field.name === name)?.type),
    values: rawColumn(read, name),
  });
}

const numeric = ["int8", "int32", "int64", "uint32", "uint64", "float64", "decimal"];
const others = ["bool", "day", "seconds", "nanos", "zoned", "time"];

for (const suffix of suffixes) {
  Deno.test(`values of all types come back from ${suffix} with guessed types, or as their text`, () => {
    const seen = new Set<string>();
    return forSeeds(40, async (random) => {
      const kinds = [...numeric, ...others].filter(() => random.chance(0.5));
      if (kinds.length === 0) return;
      const table = randomTable(random, kinds);
      // A file of NDJSON without rows has no columns.
      if (table.batches.every(({ numRows }) => numRows === 0)) return;
      const columnOf = await again(suffix, table.batches);
      for (const [name, wanted] of Object.entries(table.columns)) {
        const kind = table.kinds[name]!;
        const { type, values } = columnOf(name);
        seen.add(`${name.replace(/_.*/, "")} ${type}`);
        for (const [row, value] of wanted.entries()) {
          const found = values[row];
          const where = `${name}, row ${row}: ${value} became ${found} of ${type}`;
          // NDJSON has no numbers that are not finite: they are null.
          const isNull = value === null ||
            (suffix === "ndjson" && kind === columnKinds.float64 && !Number.isFinite(value));
          if (isNull) assert(found === null, where);
          else if (type === "Utf8") assertEquals(found, kind.text(value), where);
          else if (typeof value === "bigint" && kind === columnKinds.decimal) {
            // Twelve digits are exact in a double.
            assertEquals(found, Number(value) / 100, where);
          } else if (typeof found === "bigint") assertEquals(found, BigInt(value), where);
          else if (typeof value === "bigint") assertEquals(BigInt(found as number), value, where);
          else assertEquals(found, value, where);
        }
      }
    }).then(() => {
      if (Deno.env.has("SLUICE_SEED")) return;
      const expected = ["int64 Int64", "uint64 Utf8", "float64 Float64", "bool Bool", "nanos Utf8"];
      for (const pair of expected) assert(seen.has(pair), `${pair} never came`);
    });
  });
}

const longs = (...values: bigint[]) => BigInt64Array.from(values);
const words = (...values: bigint[]) =>
  new Uint32Array(
    BigUint64Array.from(
      values.flatMap((value) => [0n, 64n, 128n, 192n].map((bits) => value >> bits)),
      (
        word,
      ) => BigInt.asUintN(64, word),
    ).buffer,
  );
const nines76 = 10n ** 76n - 1n;

/** The ends of types, and what CSV has of them with its guessed type. */
const ends: readonly (readonly [DataType, ArrayBufferView, string, readonly unknown[]])[] = [
  [new Int64(), longs(-(2n ** 63n), 2n ** 63n - 1n), "Int64", [-(2n ** 63n), 2n ** 63n - 1n]],
  [new Uint64(), longs(0n, -1n), "Utf8", ["0", "18446744073709551615"]],
  [new Float64(), Float64Array.of(5e-324, -Number.MAX_VALUE), "Float64", [
    5e-324,
    -Number.MAX_VALUE,
  ]],
  [new Float64(), Float64Array.of(2 ** 53 + 2, -(2 ** 63)), "Float64", [2 ** 53 + 2, -(2 ** 63)]],
  [new Float64(), Float64Array.of(NaN, -Infinity), "Utf8", ["NaN", "-Infinity"]],
  [new Float64(), Float64Array.of(-0, 1e21), "Float64", [-0, 1e21]],
  [
    new Float32(),
    Float32Array.of(1.401298464324817e-45, 3.4028234663852886e38),
    "Float64",
    [1e-45, 3.4028235e38],
  ],
  [new Float16(), Uint16Array.of(1, 0x7bff), "Float64", [5.960464477539063e-8, 65504]],
  [
    new Decimal(0, 76, 256),
    words(nines76, -nines76),
    "Utf8",
    [String(nines76), `-${nines76}`],
  ],
  [
    new Decimal(76, 76, 256),
    words(nines76, -1n),
    "Utf8",
    [`0.${nines76}`, `-0.${"1".padStart(76, "0")}`],
  ],
  [
    new Decimal(-30, 76, 256),
    words(1n, -2n),
    "Utf8",
    [`1${"0".repeat(30)}`, `-2${"0".repeat(30)}`],
  ],
  [
    new DateDay(),
    Int32Array.of(-(2 ** 31), 2 ** 31 - 1),
    "Date32<DAY>",
    [-(2 ** 31), 2 ** 31 - 1],
  ],
  [new TimeMillisecond(), Int32Array.of(0, 86_400_000), "Utf8", ["00:00:00.000", "24:00:00.000"]],
  [
    new TimestampNanosecond(),
    longs(-(2n ** 63n), 2n ** 63n - 1n),
    "Utf8",
    ["1677-09-21T00:12:43.145224192", "2262-04-11T23:47:16.854775807"],
  ],
  [
    new DurationNanosecond(),
    longs(-(2n ** 63n), 2n ** 63n - 1n),
    "Int64",
    [-(2n ** 63n), 2n ** 63n - 1n],
  ],
];
for (const [type, data, guessed, expected] of ends) {
  Deno.test(`the ends of ${type} come back from CSV: ${expected.join(" ")}`, async () => {
    const column = makeData({ type, length: 2, data } as never);
    const fields = [new Field("v", type, true)];
    const rows = makeData({ type: new Struct(fields), length: 2, children: [column] } as never);
    const columnOf = await again("csv", [new RecordBatch(new Schema(fields), rows as never)]);
    assertEquals(columnOf("v"), { type: guessed, values: expected });
  });
}
