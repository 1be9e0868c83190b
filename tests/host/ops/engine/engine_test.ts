import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { Int32, type RecordBatch } from "apache-arrow";
import {
  createEngine,
  drop,
  expr,
  filter,
  fromBatches,
  head,
  join,
  regroup,
  rename,
  select,
  slice,
  tail,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import {
  idsOf,
  numberedBatches,
  silentStream,
  watchedStream,
  withoutUnhandled,
} from "../../../support/pipelines/pipeline_streams.ts";
import { batchOf, wordsBatch } from "../../../support/values/streams_samples.ts";
import { engineCases } from "../../../support/cases/engine.ts";
import { onHostEngine } from "../../../support/cases/on_host.ts";

const engine = createEngine({ device: "cpu" });
const loud = () => withColumns({ loud: expr("word.upper()") }, { engine });
const endless = () => watchedStream((index) => wordsBatch([`w${index}`], index));
const ids = (count: number) => Array.from({ length: count }, (_, index) => index);
const identity = () => new TransformStream<RecordBatch, RecordBatch>();
/** Passes every batch on, for as long as it is asked: a stage that cannot be rewritten. */
const all = () => filter(expr("id >= 0"), { engine });

engineCases(onHostEngine);

Deno.test("nothing is pulled before the first read, and one batch for one read", async () => {
  const { stream, seen } = endless();
  const reader = stream.pipeThrough(loud()).pipeThrough(all()).getReader();
  await new Promise((resolve) => setTimeout(resolve, 2));
  assertEquals(seen.pulled, 0);
  await reader.read();
  assertEquals(seen.pulled, 1);
  await reader.read();
  assertEquals(seen.pulled, 2);
  await reader.cancel();
  assert(seen.cancelled);
});

Deno.test("a slow sink stops the source: no batch is pulled before it is wanted", async () => {
  const { stream, seen } = watchedStream((i) => i < 30 ? wordsBatch(["w"], i) : undefined);
  let written = 0;
  const ahead: number[] = [];
  const sink = new WritableStream<RecordBatch>({
    async write() {
      written++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      ahead.push(seen.pulled - written);
    },
  });
  await stream.pipeThrough(loud()).pipeThrough(all()).pipeTo(sink);
  assertEquals(written, 30);
  assertEquals(Math.max(...ahead), 0);
});

Deno.test("cancel before the first read reaches the source, which is not pulled", async () => {
  const { stream, seen } = endless();
  const result = fromBatches(stream, { engine }).pipeThrough(loud()).pipeThrough(head(3));
  await result.cancel("never mind");
  assertEquals(seen, { pulled: 0, cancelled: true, reason: "never mind" });
});

Deno.test("break cancels the source", async () => {
  const { stream, seen } = endless();
  for await (const batch of stream.pipeThrough(loud()).pipeThrough(all())) {
    if (idsOf([batch])[0] === 2) break;
  }
  assertEquals([seen.pulled, seen.cancelled], [3, true]);
});

Deno.test("cancel ends the wait for a schema that never comes", async () => {
  const { stream, seen } = silentStream();
  const reader = stream.pipeThrough(loud()).getReader();
  const waiting = reader.read();
  await new Promise((resolve) => setTimeout(resolve, 1));
  await reader.cancel("no more");
  assertEquals(await waiting, { done: true, value: undefined });
  assertEquals([seen.cancelled, seen.reason], [true, "no more"]);
});

Deno.test("an abort signal ends pipeTo() and cancels the source with its reason", async () => {
  const { stream, seen } = endless();
  const abort = new AbortController();
  const sink = new WritableStream<RecordBatch>({
    write() {
      if (seen.pulled === 3) abort.abort("stop");
    },
  });
  const result = stream.pipeThrough(loud()).pipeTo(sink, { signal: abort.signal });
  assertEquals(await result.catch((reason) => reason), "stop");
  assertEquals([seen.reason, seen.pulled <= 4], ["stop", true]);
});

Deno.test("an error of the source arrives as it is, behind the rows that came before it", async () => {
  for (const fuse of [true, false]) {
    const failure = new RangeError("upstream");
    const options = { engine: createEngine({ device: "cpu", fuse }) };
    const { stream } = watchedStream((index) => {
      if (index === 2) throw failure;
      return wordsBatch([`w${index}`], index);
    });
    const result = fromBatches(stream, options)
      .pipeThrough(withColumns({ loud: expr("word.upper()") }, options))
      .pipeThrough(filter(expr("id >= 0"), options));
    const got: RecordBatch[] = [];
    const reading = async () => {
      for await (const batch of result) got.push(batch);
    };
    assertStrictEquals(await assertRejects(reading), failure);
    assertEquals(idsOf(got), [0, 1]);
  }
});

Deno.test("an error of the sink cancels the source with it", async () => {
  const { stream, seen } = endless();
  const sink = new WritableStream<RecordBatch>({
    write() {
      throw new Error("disk full");
    },
  });
  await assertRejects(() => stream.pipeThrough(loud()).pipeTo(sink), Error, "disk full");
  assertEquals((seen.reason as Error).message, "disk full");
});

Deno.test("a mistake in an operator cancels the source with the error", async () => {
  const { stream, seen } = endless();
  const result = stream.pipeThrough(loud()).pipeThrough(select("wrod"));
  const error = await assertRejects(() => toTable(result), Error, "step 3, select: Unknown column");
  assertEquals([seen.cancelled, seen.reason], [true, error]);
});

Deno.test("an endless stream ends with head, wherever it stands", async () => {
  const cases = [
    [[head(3)], 3],
    [[loud(), head(3)], 3],
    [[all(), head(3)], 3],
    [[all(), regroup({ rows: 2, engine }), all(), slice(1, 3)], 4],
    [[loud(), head(0)], 0],
    [[all(), slice(5, 5)], 0],
    [[all(), slice(-1, -3)], 0],
  ] as const;
  for (const [operators, pulled] of cases) {
    const { stream, seen } = endless();
    let result: ReadableStream<RecordBatch> = fromBatches(stream, {
      engine,
      schema: wordsBatch([]).schema,
    });
    for (const operator of operators) result = result.pipeThrough(operator);
    await toTable(result);
    assertEquals([seen.pulled, seen.cancelled], [pulled, true]);
  }
});

Deno.test("tee() gives all rows twice", async () => {
  const [left, right] = fromBatches(numberedBatches(5), { engine }).pipeThrough(loud()).tee();
  const tables = await Promise.all([toTable(left), toTable(right.pipeThrough(head(2)))]);
  assertEquals(tables.map(idsOf), [ids(5), ids(2)]);
});

Deno.test("a foreign transform in the middle, and options of a pipe, change no row", async () => {
  const stream = () => fromBatches(numberedBatches(6), { engine }).pipeThrough(loud());
  assertEquals(idsOf(await toTable(stream().pipeThrough(identity()).pipeThrough(tail(2)))), [4, 5]);
  const barred = stream().pipeThrough(tail(2), { preventCancel: true });
  assertEquals(idsOf(await toTable(barred)), [4, 5]);
});

Deno.test("a manual writer feeds operators", async () => {
  const operator = loud();
  const result = toTable(operator.readable.pipeThrough(slice(1, 3)));
  const writer = operator.writable.getWriter();
  for (const batch of numberedBatches(3)) await writer.write(batch);
  await writer.close();
  assertEquals(idsOf(await result), [1, 2]);
});

Deno.test("two engines do not mix, and give the same rows", async () => {
  const other = createEngine({ device: "cpu" });
  const result = fromBatches(numberedBatches(4), { engine: other }).pipeThrough(loud());
  assertEquals(idsOf(await toTable(result.pipeThrough(tail(2)))), [2, 3]);
  const explained = await fromBatches(numberedBatches(4), { engine: other }).pipeThrough(loud())
    .explain();
  assert(explained.includes("written: read > withColumns"), explained);
  assert(explained.includes("read stream"), explained);
});

Deno.test("an empty foreign stream gives no batch; with a schema one without rows", async () => {
  const empty = () => watchedStream(() => undefined).stream;
  assertEquals((await Array.fromAsync(empty().pipeThrough(loud()))).length, 0);
  await assertRejects(
    () => fromBatches(empty(), { engine }).pipeThrough(loud()).schema(),
    TypeError,
    "it has no schema",
  );
  const { schema } = wordsBatch([]);
  const known = fromBatches(empty(), { engine, schema }).pipeThrough(loud());
  const batches = await Array.fromAsync(known);
  assertEquals(batches.map(({ numRows }) => numRows), [0]);
  assertEquals(batches[0]!.schema.names, ["id", "word", "loud"]);
});

Deno.test("a batch of other columns than the first is an error that names both", async () => {
  const second = batchOf({ id: [new Int32(), [1]], wort: [new Int32(), [1]] });
  const result = fromBatches([wordsBatch(["a"]), second], { engine, name: "words" })
    .pipeThrough(rename({ id: "number" }));
  const message = "step 1, read words: columns are id, wort, but id, word are expected";
  await assertRejects(() => toTable(result), Error, message);
});

Deno.test("an operator and a stream are used once", async () => {
  const operator = loud();
  const stream = fromBatches(numberedBatches(1), { engine });
  await toTable(stream.pipeThrough(operator));
  assertThrows(() => stream.pipeThrough(loud()), TypeError);
  assertThrows(
    () => fromBatches(numberedBatches(1), { engine }).pipeThrough(operator),
    TypeError,
  );
});

Deno.test("a pipeline of metadata alone says its schema and its length without reading", async () => {
  const { stream, seen } = endless();
  const { schema } = wordsBatch([]);
  const foreign = fromBatches(stream, { engine, schema }).pipeThrough(drop("id"));
  assertEquals((await foreign.schema()).names, ["word"]);
  assertEquals([await foreign.numRows(), seen.pulled], [undefined, 0]);
  const known = (operator = loud()) =>
    fromBatches(numberedBatches(5, 2), { engine }).pipeThrough(operator);
  assertEquals(await known().numRows(), 10);
  assertEquals(await known(slice(1, -1, 3)).numRows(), 3);
  assertEquals(await known(all()).numRows(), undefined);
});

Deno.test("what fails or is left leaves no promise unhandled", () =>
  withoutUnhandled(async () => {
    loud();
    const failing = watchedStream(() => {
      throw new Error("early");
    });
    failing.stream.pipeThrough(loud()).pipeThrough(all());
    const half = endless().stream.pipeThrough(loud()).pipeThrough(select("wrod")).getReader();
    await half.read().catch(() => {});
    const build = watchedStream(() => {
      throw new Error("build");
    });
    const joined = endless().stream
      .pipeThrough(join(fromBatches(build.stream, { engine }), { on: "id", engine }));
    await toTable(joined).catch(() => {});
  }));
