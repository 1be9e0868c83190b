import { assert, assertEquals } from "@std/assert";
import { Field, Int32, makeData, RecordBatch, Schema, Struct } from "apache-arrow";
import {
  at,
  Batch,
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  type Operator,
  type RunStats,
  slice,
  tail,
  take,
} from "../../../../mod.ts";
import { pickRows } from "../../../../ops/slice/pick_rows.ts";
import { printPick, type RowPick } from "../../../../streams/rows/row_request.ts";
import { isEmptySlice, type RowSlice, rowSlice } from "../../../../streams/rows/row_slice.ts";
import { stageContext, watchedStream } from "../../../support/pipelines/pipeline_streams.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { rowsOf, wordsBatch } from "../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu", threads: 1 });
const backend = await engine.backend();

/** Rows of 4 bytes that count up from a number. */
function numbers(start: number, count: number): Batch {
  const data = Int32Array.from({ length: count }, (_, index) => start + index);
  const ids = makeData({ type: new Int32(), length: count, nullCount: 0, data });
  const type = new Struct([new Field("id", new Int32(), false)]);
  const batch = new RecordBatch(
    new Schema(type.children),
    makeData({ type, length: count, nullCount: 0, children: [ids] }),
  );
  return Batch.fromRecordBatch(batch.schema, batch);
}

function idsOf({ data }: RecordBatch): number[] {
  return [...(data.children[0]!.values as Int32Array).subarray(0, data.length)];
}

/** What a stage did with batches of these sizes. */
interface Ran {
  readonly ids: number[];
  /** The most bytes that it held. */
  readonly held: number;
  readonly pulled: number;
  readonly batches: readonly RecordBatch[];
}

async function run(pick: RowPick, sizes: Iterable<number>): Promise<Ran> {
  let [held, pulled, next] = [0, 0, 0];
  const input = (async function* () {
    for (const size of sizes) {
      pulled++;
      yield numbers(next, size);
      next += size;
    }
  })();
  const context = stageContext({ backend, onBuffered: (bytes) => held = Math.max(held, bytes) });
  const batches: RecordBatch[] = [];
  for await (const batch of pickRows(pick, input, context)) {
    batches.push(await batch.toRecordBatch(backend));
    batch.release();
  }
  return { ids: batches.flatMap(idsOf), held, pulled, batches };
}

/** Rows that a slice has to keep by its bounds. */
function anchorOf({ skip, last, first, drop, step }: RowSlice): number {
  return last < Infinity ? last : step > 0 ? drop : first - skip;
}

Deno.test("the bytes held are those of the rows that the bounds ask for, and of a batch", () =>
  forSeeds(60, async (random) => {
    const most = random.pick([1, 3, 50, 2000]);
    const sizes = Array.from({ length: 150 }, () => random.below(most + 1));
    const bound = () => random.chance(0.3) ? null : random.below(200) - 100;
    const one = rowSlice(bound(), bound(), random.pick([1, 2, -1, -3]));
    const anchor = isEmptySlice(one) ? 0 : anchorOf(one);
    if (anchor === Infinity) return;
    const { held } = await run(one, sizes);
    // Joined rows are copied again when half of them are forgotten.
    const rows = anchor + Math.max(most, anchor / 2);
    assert(held <= 4 * rows, `${printPick(one)} holds ${held} bytes of ${sizes}`);
  }));

Deno.test("ten thousand batches of one row, and few of a million, hold the rows asked for", async () => {
  const small = await run(rowSlice(-1000), Array.from({ length: 10_000 }, () => 1));
  assertEquals(small.ids, Array.from({ length: 1000 }, (_, row) => 9000 + row));
  assert(small.held <= 1.5 * 4 * 1000, `${small.held}`);
  assert(small.batches.length <= 20, `${small.batches.length} batches`);

  const large = await run(rowSlice(-10), [1e6, 1e6, 1e6]);
  assertEquals(large.ids, [-10, -9, -8, -7, -6, -5, -4, -3, -2, -1].map((row) => row + 3e6));
  assertEquals(large.held, 40);
  const backwards = await run(rowSlice(1_500_003, 1_500_000, -1), [1e6, 1e6, 1e6]);
  assertEquals(backwards.ids, [1_500_003, 1_500_002, 1_500_001]);
  assertEquals(backwards.pulled, 2);
  const parts = [2_999_999, 5, 1_999_999, -3_000_000, 999_999];
  const some = await run({ kind: "list", parts }, [1e6, 1e6, 1e6]);
  assertEquals(some.ids, [2_999_999, 5, 1_999_999, 0, 999_999]);
});

Deno.test("rows that are kept keep no larger batch in memory", async () => {
  const picks: readonly RowPick[] = [
    rowSlice(-10),
    rowSlice(100_009, 99_999, -1),
    { kind: "list", parts: [250_000, 7, 150_000] },
  ];
  for (const pick of picks) {
    const { batches } = await run(pick, [100_000, 100_000, 100_000, 1, 0]);
    for (const batch of batches) {
      const { values } = batch.data.children[0]!;
      assert(
        values.buffer.byteLength < 1000,
        `${printPick(pick)}: ${values.buffer.byteLength} bytes`,
      );
    }
  }
});

function* endlessSizes(size: number): Generator<number, void, void> {
  for (;;) yield size;
}

Deno.test("a stream without an end is read as far as the last row that is wanted", async () => {
  const list = (...parts: (number | RowSlice)[]): RowPick => ({ kind: "list", parts });
  const table: readonly [RowPick, number[], number][] = [
    [rowSlice(0, 0), [], 0],
    [rowSlice(0, 1), [0], 1],
    [rowSlice(2, 9, 3), [2, 5, 8], 9],
    [rowSlice(2, 11, 3), [2, 5, 8], 9],
    [rowSlice(7, 3, -2), [7, 5], 8],
    [rowSlice(-3, 4), [], 7],
    [rowSlice(null, 9, 5), [0, 5], 6],
    [list(), [], 0],
    [list(4), [4], 5],
    [list(6, 2, 2), [6, 2, 2], 7],
    [list(rowSlice(3, 5), 1, rowSlice(1, null, -1)), [3, 4, 1, 1, 0], 5],
  ];
  for (const [pick, ids, rows] of table) {
    const ran = await run(pick, endlessSizes(1));
    assertEquals([ran.ids, ran.pulled], [ids, rows], printPick(pick));
  }
});

/** An input of one batch of rows after the other, which says when it was ended. */
function endingInput(onEnd: () => void | Promise<void>): AsyncGenerator<Batch, void, void> {
  return (async function* () {
    try {
      for (let start = 0;; start += 4) yield numbers(start, 4);
    } finally {
      await onEnd();
    }
  })();
}

Deno.test("the input is ended before the last rows are given", async () => {
  let isEnded = false;
  const input = endingInput(() => void (isEnded = true));
  const seen: [number[], boolean][] = [];
  for await (const batch of pickRows(rowSlice(2, 10), input, stageContext({ backend }))) {
    seen.push([idsOf(await batch.toRecordBatch(backend)), isEnded]);
  }
  assertEquals(seen, [[[2, 3], false], [[4, 5, 6, 7], false], [[8, 9], true]]);
});

Deno.test("an input that ends slowly does not hold the rows back, and is waited for", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const rows = pickRows(rowSlice(0, 3), endingInput(() => promise), stageContext({ backend }));
  const first = await rows.next();
  assertEquals(idsOf(await first.value!.toRecordBatch(backend)), [0, 1, 2]);
  let isOver = false;
  const over = rows.next().then(() => isOver = true);
  await new Promise((turn) => setTimeout(turn, 0));
  assert(!isOver);
  resolve();
  await over;
});

Deno.test("a failure to end the input comes behind the rows", async () => {
  const failing = endingInput(() => {
    throw new Error("cannot be cancelled");
  });
  const rows = pickRows(rowSlice(0, 3), failing, stageContext({ backend }));
  assertEquals((await rows.next()).value!.numRows, 3);
  const message = await rows.next().then(() => "none", (error) => error.message);
  assertEquals(message, "cannot be cancelled");
});

Deno.test("a source is cancelled when the last row is there, and little was read ahead", async () => {
  const operators: readonly [() => Operator, number[], number][] = [
    [() => head(3), [0, 1, 2], 3],
    [() => at(40), [40], 41],
    [() => slice(10, 31, 10), [10, 20, 30], 31],
    [() => slice(31, 10, -10), [31, 21, 11], 32],
    [() => take("30,3,10:12"), [30, 3, 10, 11], 31],
  ];
  for (const [operator, ids, needed] of operators) {
    const { stream, seen } = watchedStream((index) => wordsBatch([`w${index}`], index));
    const result = fromBatches(stream, { engine: createEngine({ device: "cpu", fuse: false }) })
      .pipeThrough(filter(expr("id >= 0")))
      .pipeThrough(operator())
      .getReader();
    const rows: unknown[] = [];
    let next = await result.read();
    for (; !next.done; next = await result.read()) {
      rows.push(...rowsOf([next.value]).map(({ id }) => id));
      if (rows.length === ids.length) assert(seen.cancelled, "cancelled before the last row");
    }
    assertEquals(rows, ids);
    assert(seen.pulled <= needed + backend.depth, `${seen.pulled} batches for ${needed} rows`);
  }
});

Deno.test("the statistics of a run have the bytes that a step held", async () => {
  const runs: RunStats[] = [];
  const watched = createEngine({ device: "cpu", onRun: (run) => runs.push(run) });
  const batches = Array.from(
    { length: 5 },
    (_, index) => wordsBatch(Array(1000).fill("Łódź"), index),
  );
  const stream = fromBatches(batches, { engine: watched })
    .pipeThrough(filter(expr("id >= 0")))
    .pipeThrough(tail(100));
  assertEquals(rowsOf(await Array.fromAsync(stream)).length, 100);
  const [read, kept, last] = runs[0]!.operators.map(({ bytesHeld }) => bytesHeld);
  assertEquals([read, kept], [0, 0]);
  // 4 bytes of a number, 4 of an offset and 7 of a word.
  assert(last! >= 100 * 15 && last! < 2000, `${last} bytes`);
});
