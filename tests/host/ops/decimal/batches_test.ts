import { assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import {
  createEngine,
  expr,
  filter,
  fromBatches,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import {
  FAILS,
  inShape,
  order,
  plus,
  rounded,
  times,
} from "../../../support/models/decimal_model.ts";
import { decimalVector, unscaledOf } from "../../../support/random/random_decimals.ts";
import { SeededRandom } from "../../../support/random/seeded_random.ts";

const A = { precision: 18, scale: 4 };
const B = { precision: 38, scale: 10 };

/** Batches of these lengths, one after the other: slices of the same buffers. */
const LENGTHS = [1, 1023, 1025, 5000, 2, 64];
const NUM_ROWS = LENGTHS.reduce((sum, length) => sum + length, 0);

function drawn() {
  const random = new SeededRandom(11);
  const values = (shape: typeof A) =>
    Array.from(
      { length: NUM_ROWS },
      () => random.chance(0.1) ? null : unscaledOf(random, shape),
    );
  return { a: values(A), b: values(B) };
}

function sliced(table: arrow.Table): arrow.RecordBatch[] {
  let start = 0;
  return LENGTHS.map((length) => table.slice(start, start += length).batches[0]!);
}

const digitsIn = (column: arrow.Vector) =>
  Array.from({ length: column.length }, (_, row) => {
    const words = column.get(row) as Uint32Array | null;
    if (words === null) return null;
    const whole = Array.from(words).reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
    return BigInt.asIntN(32 * words.length, whole);
  });

Deno.test("decimals of batches of any length, fused or not, on one thread or two, are the same", async () => {
  const { a, b } = drawn();
  const table = new arrow.Table({
    row: arrow.vectorFromArray(a.map((_, row) => row), new arrow.Int32()),
    a: decimalVector(new arrow.Decimal(A.scale, A.precision, 128), a),
    b: decimalVector(new arrow.Decimal(B.scale, B.precision, 128), b),
  });
  const shape = { precision: 38, scale: 10 };
  const exists = (value: bigint | typeof FAILS) => value === FAILS ? null : value;
  const pairs = a.map((left, row) => {
    const right = b[row]!;
    if (left === null || right === null) return null;
    return [{ unscaled: left, scale: A.scale }, { unscaled: right, scale: B.scale }] as const;
  });
  const sums = pairs.map((pair) => pair && exists(inShape(plus(...pair), shape)));
  const squares = a.map((left) => {
    const value = { unscaled: left ?? 0n, scale: A.scale };
    return left === null ? null : rounded(times(value, value), 2, "away").unscaled;
  });
  const kept = pairs.flatMap((pair, row) => pair && order(...pair) < 0n ? [row] : []);
  for (const fuse of [true, false]) {
    for (const threads of [1, 2]) {
      const engine = createEngine({ device: "cpu", fuse, threads });
      const stream = () => fromBatches(sliced(table), { engine });
      const result = await toTable(
        stream().pipeThrough(
          withColumns({ s: expr("(a + b).orNull()"), r: expr("(a * a).round(2)") }, { engine }),
        ),
      );
      const about = `fuse: ${fuse}, ${threads} threads`;
      assertEquals(digitsIn(result.getChild("s")!), sums, about);
      assertEquals(digitsIn(result.getChild("r")!), squares, about);
      const filtered = await toTable(stream().pipeThrough(filter(expr("a < b"), { engine })));
      assertEquals([...filtered.getChild("row")!], kept, about);
      const first = pairs.findIndex((pair) => pair && inShape(plus(...pair), shape) === FAILS);
      const failing = () =>
        toTable(stream().pipeThrough(withColumns({ s: expr("a + b") }, { engine })));
      await assertRejects(failing, StepError, `(row ${first})`);
    }
  }
});
