/** Cases of pipelines as streams: ends of every kind, little memory, many small batches, large results. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type RecordBatch, tableFromArrays } from "apache-arrow";
import {
  type BatchStream,
  defineOperator,
  expr,
  filter,
  fromBatches,
  head,
  join,
  OverflowError,
  regroup,
  slice,
  StepError,
  tail,
  toTable,
  withColumns,
} from "../../../mod.ts";
import { leaveRandomCase } from "../../fuzz/left_case.ts";
import { idsOf, numberedBatches, watchedStream } from "../pipelines/pipeline_streams.ts";
import { forSeeds } from "../random/seeded_random.ts";
import { fewOr } from "../random/test_size.ts";
import { wordsBatch } from "../values/streams_samples.ts";
import type { EngineCase } from "./engine_case.ts";

const loud = () => withColumns({ loud: expr("word.upper()") });
const all = () => filter(expr("id >= 0"));

/** Registers all cases of engines. */
export function engineCases(test: EngineCase): void {
  endCases(test);
  smallBatchesCases(test);
  leftStreamsCases(test);
  repeatCases(test);

  test("memory of one byte takes one batch at a time, and everything still runs", async (scope) => {
    const engine = scope.open({ memory: 1 });
    const source = () => fromBatches(numberedBatches(20, 50), { engine });
    const build = () => fromBatches(numberedBatches(2, 50), { engine });
    const pipelines: [(stream: BatchStream) => BatchStream, number][] = [
      [(stream) => stream.pipeThrough(loud()).pipeThrough(all()).pipeThrough(tail(700)), 700],
      [(stream) => stream.pipeThrough(all()).pipeThrough(slice(0, -700)), 300],
      [(stream) => stream.pipeThrough(loud()).pipeThrough(regroup({ rows: 333 })), 1000],
      [(stream) => stream.pipeThrough(join(build(), { on: "id" })).pipeThrough(loud()), 100],
    ];
    for (const [pipe, numRows] of pipelines) {
      assertEquals((await toTable(pipe(source()))).numRows, numRows);
    }
  });
}

/** Registers cases of pipelines that end early, or fail. */
function endCases(test: EngineCase): void {
  test("random pipelines that are left in the middle give all memory back", (scope) => {
    const engine = scope.open();
    return forSeeds(fewOr(5, 30), (random) => leaveRandomCase(random, engine, () => scope.inUse()));
  });

  test("failures of the source, of an operator and of the sink give all memory back", async (scope) => {
    const engine = scope.open();
    const broken = defineOperator<{ at: number }>({
      name: "broken",
      rows: "same",
      schema: (input) => input,
      open: ({ at }) => ({
        transform(batch, controller) {
          if (at-- === 0) throw new RangeError("broken");
          controller.enqueue(batch);
        },
      }),
    });
    const source = () => fromBatches(numberedBatches(9, 5), { engine });
    const failing = () =>
      watchedStream((index) => {
        if (index === 6) throw new RangeError("broken");
        return wordsBatch(["w"], index);
      }).stream;
    const build = () => fromBatches(numberedBatches(1, 9), { engine });
    const runs: (() => Promise<unknown>)[] = [
      () => toTable(source().pipeThrough(loud()).pipeThrough(broken({ at: 3 })).pipeThrough(all())),
      () =>
        toTable(
          source().pipeThrough(loud()).pipeThrough(join(build(), { on: "id" })).pipeThrough(
            broken({ at: 0 }),
          ),
        ),
      () => toTable(fromBatches(failing(), { engine }).pipeThrough(loud()).pipeThrough(all())),
      () => toTable(fromBatches(failing(), { engine }).pipeThrough(loud()).pipeThrough(tail(3))),
      () => toTable(source().pipeThrough(join(fromBatches(failing(), { engine }), { on: "id" }))),
      () =>
        source().pipeThrough(loud()).pipeTo(
          new WritableStream({
            write() {
              throw new RangeError("broken");
            },
          }),
        ),
    ];
    for (const run of runs) {
      await assertRejects(run, Error, "broken");
      assertEquals(await scope.inUse(), 0);
    }
  });

  test("a stream that gives nothing more does not hold up a head that has its rows", async ({ open }) => {
    const engine = open();
    let cancelled = false;
    const quiet = new ReadableStream<RecordBatch>({
      start: (controller) => controller.enqueue(wordsBatch(["a", "b"])),
      cancel() {
        cancelled = true;
      },
    });
    const first = await toTable(
      fromBatches(quiet, { engine }).pipeThrough(all()).pipeThrough(loud()).pipeThrough(head(2)),
    );
    assertEquals([idsOf(first), cancelled], [[0, 1], true]);
  });
}

/** Registers cases of small batches, which an engine may join. */
function smallBatchesCases(test: EngineCase): void {
  test("regroup gives the sizes that were asked for, out of small batches", async ({ open }) => {
    const batches = ReadableStream.from(numberedBatches(50, 7));
    const regrouped = fromBatches(batches, { engine: open() }).pipeThrough(loud())
      .pipeThrough(regroup({ rows: 9 }));
    const sizes = (await Array.fromAsync(regrouped)).map(({ numRows }) => numRows);
    assertEquals(sizes, [...Array.from({ length: 38 }, () => 9), 8]);
  });

  test("an error names the row of the stream, in whichever batch it lay", async ({ open }) => {
    const engine = open();
    const cases = [[1, 0], [1, 777], ...[0, 99, 100, 41_234, 99_999].map((row) => [100, row])];
    for (const [numRows, wrong] of cases as [number, number][]) {
      const batches = Array.from({ length: 1000 }, (_, at) => {
        const numbers = Array.from({ length: numRows }, (_, row) => at * numRows + row);
        const words = numbers.map((id) => id === wrong ? "x" : String(id));
        return wordsBatch(words, at * numRows);
      });
      const source = numRows === 1 ? batches : ReadableStream.from(batches);
      const numbers = fromBatches(source, { engine })
        .pipeThrough(withColumns({ number: expr("word.toInteger(true)") }));
      const error = await assertRejects(() => toTable(numbers), StepError);
      assertEquals(error.row, wrong);
    }
  });
}

/** Registers cases of streams that end, or pause, while small batches are under way. */
function leftStreamsCases(test: EngineCase): void {
  const numbered = (at: number) => wordsBatch(["a", `w${at}`], 2 * at);

  test("a reader that leaves cancels the source, and all memory comes back", async (scope) => {
    const engine = scope.open();
    for (const most of [1, 2, 5]) {
      const { stream, seen } = watchedStream(numbered);
      const ids: unknown[] = [];
      let count = 0;
      for await (const batch of fromBatches(stream, { engine }).pipeThrough(loud())) {
        ids.push(...idsOf([batch]));
        if (++count === most) break;
      }
      assertEquals(ids, ids.map((_, id) => id));
      assertEquals([seen.cancelled, await scope.inUse()], [true, 0]);
    }
  });

  test("an abort ends a run over many small batches, and all memory comes back", async (scope) => {
    const engine = scope.open();
    for (const after of [0, 1, 300]) {
      const controller = new AbortController();
      const { stream, seen } = watchedStream((at) => {
        if (at === after) controller.abort(new Error("enough"));
        return numbered(at);
      });
      const run = fromBatches(stream, { engine }).pipeThrough(loud())
        .pipeTo(new WritableStream(), { signal: controller.signal });
      await assertRejects(() => run, Error, "enough");
      assertEquals([seen.cancelled, await scope.inUse()], [true, 0]);
    }
  });

  test("rows come out while the source pauses", async ({ open }) => {
    const more = Promise.withResolvers<void>();
    const stream = ReadableStream.from((async function* () {
      yield* numberedBatches(4, 3);
      await more.promise;
      yield wordsBatch(["last"], 12);
    })());
    const batches = fromBatches(stream, { engine: open() })
      .pipeThrough(loud())[Symbol.asyncIterator]();
    const ids: unknown[] = [];
    while (ids.length < 12) ids.push(...idsOf([(await batches.next()).value!]));
    more.resolve();
    ids.push(...idsOf([(await batches.next()).value!]));
    assertEquals(ids, Array.from(ids, (_, id) => id));
    assertEquals((await batches.next()).done, true);
  });
}

/** Registers cases of text that is repeated very often. */
function repeatCases(test: EngineCase): void {
  test("a count of a thousand million fails, and names its row", async ({ open }) => {
    const engine = open();
    const text = ["ab", "c", "d"];
    const run = (source: string) => {
      const table = tableFromArrays({ text, n: Int32Array.of(1, 1_000_000_000, 3) });
      return toTable(
        fromBatches(table, { engine }).pipeThrough(withColumns({ result: expr(source) })),
      );
    };
    await run("text.repeat(2) + text.pad(n > 9 ? 0 : n)");
    for (const source of ["text.repeat(n)", "text.repeat(n).upper()", "text.zfill(n)"]) {
      const error = await assertRejects(() => run(source), StepError);
      assert(error.cause instanceof OverflowError, String(error.cause));
      const { dataBytes } = error.cause;
      assertEquals(
        error.message,
        "step 2, withColumns: Size of output exceeds 536870888 bytes of a row: " +
          `${source} makes at least ${dataBytes} bytes (row 1)`,
      );
    }
  });

  test("long repetitions that fit are right", async ({ open }) => {
    const text = ["ab", "é", ""];
    const n = Int32Array.of(70_000, 5000, 100_000);
    const made = await toTable(
      fromBatches(tableFromArrays({ text, n }), { engine: open() })
        .pipeThrough(withColumns({ result: expr('text.repeat(n) + text.pad(n, "both", "-")') })),
    );
    made.toArray().forEach(({ result }, row) => {
      const [part, width] = [text[row]!, n[row]!];
      const missing = width - part.length;
      const left = Math.floor(missing / 2);
      const padded = "-".repeat(left) + part + "-".repeat(missing - left);
      assert(result === part.repeat(width) + padded, `row ${row}`);
    });
  });
}
