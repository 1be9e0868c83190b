import { assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import {
  ArithmeticError,
  createEngine,
  expr,
  fromBatches,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { arithmeticOf, FAILS } from "../../../support/models/arithmetic_model.ts";
import { valueOf } from "../../../support/random/random_operands.ts";
import { SeededRandom } from "../../../support/random/seeded_random.ts";

const INT64 = new arrow.Int64();
const FLOAT64 = new arrow.Float64();

type Row = readonly (number | bigint | null)[];

/** What each expression gives for `a` and `b` of int64, `x` of float64, and the length of `name`. */
const EXPRS: Readonly<Record<string, (...row: (number | bigint)[]) => number | bigint | null>> = {
  "(a * b).orNull()": (a, b) => orNull("mul", INT64, a, b),
  "(a + b).orNull()": (a, b) => orNull("add", INT64, a, b),
  "(a % b).orNull()": (a, b) => orNull("rem", INT64, a, b),
  "(a.floorDiv(b)).orNull()": (a, b) => orNull("floorDiv", INT64, a, b),
  "x * 2 + 1": (_a, _b, x) => Number(x) * 2 + 1,
  "a / b": (a, b) => Number(a) / Number(b),
  "x % 3": (_a, _b, x) => Number(x) % 3,
  "(name.length() * 2 + b).orNull()": (_a, b, _x, length) =>
    orNull("add", INT64, BigInt(length) * 2n, b),
};

function orNull(name: string, type: arrow.DataType, ...values: (number | bigint)[]) {
  const value = arithmeticOf(name, type, values);
  return value === FAILS ? null : value;
}

/** Batches of these lengths, one after the other. */
const LENGTHS = [1, 1023, 1025, 5000, 2, 64];

function drawn(random: SeededRandom): Row[] {
  const numRows = LENGTHS.reduce((sum, length) => sum + length, 0);
  const value = (type: arrow.DataType) => random.chance(0.1) ? null : valueOf(random, type);
  return Array.from(
    { length: numRows },
    () => [value(INT64), value(INT64), value(FLOAT64), random.below(9)],
  );
}

function tableOf(rows: readonly Row[]): arrow.Table {
  const column = (index: number, type: arrow.DataType) =>
    arrow.vectorFromArray(rows.map((row) => row[index]), type);
  const names = rows.map(([, , , length]) => "é".repeat(Number(length)));
  return new arrow.Table({
    a: column(0, INT64),
    b: column(1, INT64),
    x: column(2, FLOAT64),
    name: arrow.vectorFromArray(names, new arrow.Utf8()),
  });
}

/** A table in batches of `LENGTHS`, which are slices of its buffers. */
function sliced(table: arrow.Table): arrow.RecordBatch[] {
  let start = 0;
  return LENGTHS.map((length) => {
    const [batch] = table.slice(start, start += length).batches;
    return batch!;
  });
}

Deno.test("numbers of batches of any length, fused or not, on one thread or two, are the same", async () => {
  const rows = drawn(new SeededRandom(7));
  const batches = sliced(tableOf(rows));
  for (const fuse of [true, false]) {
    for (const threads of [1, 2]) {
      const engine = createEngine({ device: "cpu", fuse, threads });
      const columns = Object.keys(EXPRS).map((text, k) => [`r${k}`, expr(text)] as const);
      const result = await toTable(
        fromBatches(batches, { engine }).pipeThrough(
          withColumns(Object.fromEntries(columns), { engine }),
        ),
      );
      for (const [k, [text, model]] of Object.entries(EXPRS).entries()) {
        const expected = rows.map(([a, b, x, length]) => {
          const given = text.includes("x") ? [x] : text.includes("length") ? [b] : [a, b];
          return given.includes(null) ? null : model(a ?? 0, b ?? 0, x ?? 0, length!);
        });
        const found = [...result.getChild(`r${k}`)!];
        assertEquals(found, expected, `${text}, fuse: ${fuse}, ${threads} threads`);
      }
    }
  }
});

/** The message for each expression over the row that fails, the second one of the second batch. */
const MESSAGES: Readonly<Record<string, string>> = {
  "a * b": "a * b does not fit in int64: 3000000000000 * 4000000",
  "a * -b": "a * -b does not fit in int64: 3000000000000 * -4000000",
  "(a * b).fillNull(0)": "a * b does not fit in int64: 3000000000000 * 4000000",
  "a ** 2": "a ** 2 does not fit in int64: 3000000000000 ** 2",
  "-(a * -1000000 - 6223372036854775808)":
    "-(a * -1000000 - 6223372036854775808) does not fit in int64: -(-9223372036854775808)",
  "a % (b - 4000000)": "a % (b - 4000000): 3000000000000 % 0 has no remainder",
  "a.floorDiv(b - 4000000)":
    "floorDiv(a, b - 4000000): 3000000000000 by 0 has no quotient in int64",
  "a << 30": "a << 30 has no value in int64: 3000000000000 << 30",
  "b >> (a - 3000000000064)": "b >> a - 3000000000064 has no value in int64: 4000000 >> -64",
  "a * b > 5 && b > 0": "a * b does not fit in int64: 3000000000000 * 4000000",
  "round(a + 9223369036854775807, -1)":
    "round(a + 9223369036854775807, -1) does not fit in int64: 9223372036854775807",
  'cast(a, "int8")': 'cast(a, "int8") refuses 3000000000000',
};

for (const [text, message] of Object.entries(MESSAGES)) {
  Deno.test(`${text} fails with its operands and the row`, async () => {
    const int64 = (values: bigint[]) => arrow.vectorFromArray(values, INT64);
    const table = new arrow.Table({
      a: int64([1n, 2n, 3n, 3_000_000_000_000n]),
      b: int64([4_000_001n, 4_000_002n, 4_000_003n, 4_000_000n]),
    });
    const shift = text.startsWith("b >>");
    const rows = shift ? table.slice(3) : table;
    const engine = createEngine({ device: "cpu" });
    const stream = fromBatches(rows, { engine }).pipeThrough(
      withColumns({ r: expr(text) }, { engine }),
    );
    const error = await assertRejects(() => toTable(stream), StepError);
    const row = shift ? 0 : 3;
    assertEquals(error.message, `step 2, withColumns: ${message} (row ${row})`);
    assertEquals([error.row, error.cause instanceof ArithmeticError], [
      row,
      !text.startsWith("cast"),
    ]);
    const lenient = fromBatches(rows, { engine }).pipeThrough(
      withColumns({ r: expr(text).orNull() }, { engine }),
    );
    assertEquals((await toTable(lenient)).numRows, rows.numRows);
  });
}
