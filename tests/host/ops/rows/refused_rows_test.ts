import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Int64, makeData, makeVector, Table, Utf8, vectorFromArray } from "apache-arrow";
import {
  type BatchStream,
  createEngine,
  expr,
  filter,
  fromBatches,
  join,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { compileProgram } from "../../../support/kernels/programs.ts";
import { assertSameColumn, evaluateWith, openThreads } from "../../../support/processes/threads.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { columnOf } from "../../../support/values/host_columns.ts";
import { until } from "../../../support/running/until.ts";

const LARGE = 2n ** 62n;

/** Rows of a batch; parts of kernels without text end at multiples of 8,192, those with text sooner. */
const NUM_ROWS = 20_000;
const EDGES = [0, 1, 7, 8, 1023, 1024, 4095, 4096, 8191, 8192, 8193, 16_383, 16_384, NUM_ROWS - 1];

/** A table in which the given rows are too large to be squared; so are some below nulls. */
function tableOf(rows: readonly number[], nulls: readonly number[] = []): Table {
  const values = BigInt64Array.from({ length: NUM_ROWS }, (_, row) => BigInt(row % 1000));
  const valid = new Uint8Array((NUM_ROWS + 7) >> 3).fill(0xff);
  for (const row of rows) values[row] = LARGE;
  for (const row of nulls) {
    values[row] = LARGE;
    valid[row >> 3]! &= ~(1 << (row & 7));
  }
  const nullBitmap = nulls.length > 0 ? { nullBitmap: valid, nullCount: nulls.length } : {};
  const data = makeData({ type: new Int64(), length: NUM_ROWS, data: values, ...nullBitmap });
  const texts = Array.from(values, (value, row) => nulls.includes(row) ? "x" : String(value));
  return new Table({ a: makeVector(data), s: vectorFromArray(texts, new Utf8()) });
}

/** Steps that square `a`. */
const STEPS: readonly ((stream: BatchStream) => BatchStream)[] = [
  (stream) => stream.pipeThrough(withColumns({ b: expr("a * a") })),
  (stream) => stream.pipeThrough(withColumns({ c: expr("1"), b: expr("a * a + 1") })),
  (stream) => stream.pipeThrough(withColumns({ b: expr("a < 0 ? 0 : a * a") })),
  (stream) => stream.pipeThrough(withColumns({ b: expr("(a * a).toString() + '!'") })),
  (stream) => stream.pipeThrough(filter(expr("a >= 0 && a * a > 5"))),
];

Deno.test("the lowest row that a call refuses fails, wherever it lies", () =>
  forSeeds(fewOr(4, 60), async (random: SeededRandom) => {
    const rows = Array.from({ length: 1 + random.below(3) }, () => random.pick(EDGES));
    const nulls = EDGES.filter((row) => !rows.includes(row) && random.chance(0.3));
    const table = tableOf(rows, nulls);
    const wanted = `a * a does not fit in int64: ${LARGE} * ${LARGE} (row ${Math.min(...rows)})`;
    const engine = createEngine({ device: "cpu", fuse: random.chance(0.7) });
    for (const step of STEPS) {
      const failed = () => toTable(step(fromBatches(table, { engine })));
      await assertRejects(failed, StepError, wanted);
    }
    await engine.close();
  }));

Deno.test("values below nulls and of branches that are not taken fail nothing", async () => {
  const engine = createEngine({ device: "cpu" });
  const table = tableOf([], EDGES);
  const columns = {
    b: expr("a * a + a"),
    c: expr("a.isNull() ? 0 : a * a"),
    d: expr('a.isNull() ? 0 : s.cast("int64")'),
    e: expr("(a * a).fillNull(-1)"),
  };
  const result = await toTable(fromBatches(table, { engine }).pipeThrough(withColumns(columns)));
  const counts = Object.keys(columns).map((name) => result.getChild(name)!.nullCount);
  assertEquals(counts, [EDGES.length, 0, 0, 0]);
  for (const row of [...EDGES, 17, 9999]) {
    const value = EDGES.includes(row) ? null : BigInt(row % 1000);
    assertEquals(
      Object.keys(columns).map((name) => result.getChild(name)!.get(row)),
      value === null
        ? [null, 0n, 0n, -1n]
        : [value * value + value, value * value, value, value * value],
    );
  }
  await engine.close();
});

Deno.test("of two calls in one step the one of the lower row fails, else the first one", async () => {
  const engine = createEngine({ device: "cpu" });
  const failed = (sum: bigint[], text: string[]) => {
    const table = new Table({
      a: makeVector(BigInt64Array.from(sum)),
      s: vectorFromArray(text, new Utf8()),
    });
    const stream = fromBatches(table, { engine })
      .pipeThrough(withColumns({ b: expr("a + a"), c: expr('s.cast("int64") * 2') }));
    return assertRejects(() => toTable(stream), StepError);
  };
  const cast = await failed([1n, LARGE, 1n], ["x", "1", "1"]);
  assertEquals(cast.message, 'step 2, withColumns: cast(s, "int64") refuses "x" (row 0)');
  const sum = await failed([LARGE, 1n, 1n], ["1", "x", "1"]);
  assertEquals(
    sum.message,
    `step 2, withColumns: a + a does not fit in int64: ${LARGE} + ${LARGE} (row 0)`,
  );
  const both = await failed([1n, LARGE, 1n], ["1", "x", "1"]);
  assertEquals(both.message, sum.message.replace("row 0", "row 1"));
  await engine.close();
});

Deno.test("a call that fails before a join with files fails with its row", () =>
  inFolder(async (temp) => {
    const engine = createEngine({ device: "cpu", memory: 20_000, temp });
    const squares = fromBatches(tableOf([8193]), { engine })
      .pipeThrough(withColumns({ b: expr("a > 0 ? a * a : 0") }));
    const build = fromBatches(tableOf([]), { engine });
    const stream = squares.pipeThrough(join(build, { on: "a", how: "semi" }));
    const wanted =
      `step 2, withColumns: a * a does not fit in int64: ${LARGE} * ${LARGE} (row 8193)`;
    await assertRejects(() => toTable(stream), StepError, wanted);
    await engine.close();
  }));

Deno.test("a part that a worker cannot compute is refused here, and counts as no failure", async () => {
  const types = { a: new Int64() };
  const { program } = compileProgram(["a > 0 ? a * a : a"], types);
  const column = (rows: readonly number[]) =>
    columnOf(
      { kind: "int", bits: 64, signed: true },
      Array.from({ length: 4096 }, (_, row) => rows.includes(row) ? LARGE : BigInt(row)),
    );
  const threads = await openThreads(2);
  try {
    const good = column([]);
    const [wanted] = evaluateWith(undefined, program, [good], good.length);
    const work = () => {
      const [result] = evaluateWith(threads, program, [good], good.length);
      assertSameColumn(result!, wanted!, "squares");
      for (const rows of [[0], [4095], [2048, 4000]]) {
        const bad = column(rows);
        const refused = () => evaluateWith(threads, program, [bad], bad.length);
        assertEquals(assertThrows(refused, Error).name, "RefusedError");
      }
    };
    await until(() => threads.numTheirs > 100, "workers compute parts", work);
    assertEquals(threads.numFailed, 0);
  } finally {
    threads.close();
  }
});
