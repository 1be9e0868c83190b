import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import { memorySource } from "../../../../streams/source/memory.ts";
import { streamSource } from "../../../../streams/plan/stream_source.ts";
import { countingStream, TestEngine } from "../../../support/pipelines/streams_engine.ts";
import { rowsOf, wordsBatch } from "../../../support/values/streams_samples.ts";
import { sourceBatches } from "../../../support/pipelines/source_batches.ts";

const batches = (count: number) =>
  Array.from({ length: count }, (_, i) => wordsBatch([`w${i}`], i));
const idsOf = (stream: Iterable<RecordBatch>) => rowsOf(stream).map(({ id }) => id);
const collect = (stream: ReadableStream<RecordBatch>) => Array.fromAsync(stream);
const ids = (count: number) => Array.from({ length: count }, (_, i) => i);
const foreign = () => new TransformStream<RecordBatch, RecordBatch>();

Deno.test("pipeThrough() joins operators into one plan and returns their readable", async () => {
  const engine = new TestEngine();
  const [a, b] = [engine.operator("a"), engine.operator("b")];
  const stream = engine.read(memorySource(batches(3)));
  const afterA = stream.pipeThrough(a);
  const afterB = afterA.pipeThrough(b);
  assertStrictEquals(afterA, a.readable);
  assertStrictEquals(afterB, b.readable);
  assertEquals([stream.locked, afterA.locked, a.writable.locked], [true, true, true]);
  assertEquals(engine.ran, []);
  assertEquals(idsOf(await collect(afterB)), ids(3));
  assertEquals(engine.ran, ["a b"]);
});

Deno.test("an operator runs on its own behind a foreign source", async () => {
  const engine = new TestEngine();
  const { stream } = countingStream(batches(3));
  const result = stream.pipeThrough(engine.operator("a")).pipeThrough(engine.operator("b"));
  assertEquals(idsOf(await collect(result)), ids(3));
  assertEquals(engine.ran, ["a b"]);
});

Deno.test("a foreign transform in the middle splits the plan and changes no row", async () => {
  const engine = new TestEngine();
  const result = engine.read(memorySource(batches(3)))
    .pipeThrough(engine.operator("a"))
    .pipeThrough(foreign())
    .pipeThrough(engine.operator("b"));
  assertEquals(idsOf(await collect(result)), ids(3));
  assertEquals(engine.ran.toSorted(), ["a", "b"]);
});

Deno.test("options of pipeThrough() end the plan", async () => {
  const engine = new TestEngine();
  const result = engine.read(memorySource(batches(2)))
    .pipeThrough(engine.operator("a"), { preventAbort: false })
    .pipeThrough(engine.operator("b"));
  assertEquals(idsOf(await collect(result)), ids(2));
  assertEquals(engine.ran.toSorted(), ["", "a b"]);
});

Deno.test("a pinned operator of another engine does not join, one that is not pinned does", async () => {
  const [engine, other] = [new TestEngine(), new TestEngine()];
  const pinned = engine.read(memorySource(batches(2))).pipeThrough(
    other.operator("p", undefined, true),
  );
  assertEquals(idsOf(await collect(pinned)), ids(2));
  assertEquals([engine.ran, other.ran], [[""], ["p"]]);
  const free = engine.read(memorySource(batches(2))).pipeThrough(other.operator("f"));
  assertEquals(idsOf(await collect(free)), ids(2));
  assertEquals([engine.ran, other.ran], [["", "f"], ["p"]]);
});

Deno.test("operators that were piped together first take a source later", async () => {
  const engine = new TestEngine();
  const [a, b] = [engine.operator("a"), engine.operator("b")];
  const tail = a.readable.pipeThrough(b);
  engine.read(memorySource(batches(2))).pipeThrough(a);
  assertEquals(idsOf(await collect(tail)), ids(2));
});

Deno.test("tee() gives all rows twice", async () => {
  const engine = new TestEngine();
  const [left, right] = engine.read(memorySource(batches(4)))
    .pipeThrough(engine.operator("a")).tee();
  const results = await Promise.all([collect(left), collect(right)]);
  assertEquals(results.map(idsOf), [ids(4), ids(4)]);
});

Deno.test("pipeTo() writes all rows, and aborts the sink when the source fails", async () => {
  const engine = new TestEngine();
  const written: RecordBatch[] = [];
  const sink = new WritableStream<RecordBatch>({ write: (batch) => void written.push(batch) });
  await engine.read(memorySource(batches(3))).pipeThrough(engine.operator("a")).pipeTo(sink);
  assertEquals(idsOf(written), ids(3));

  const failure = new Error("upstream");
  const failing = new ReadableStream<RecordBatch>({ start: (c) => c.error(failure) });
  let aborted: unknown;
  const other = new WritableStream<RecordBatch>({ abort: (reason) => void (aborted = reason) });
  const result = failing.pipeThrough(engine.operator("a")).pipeTo(other);
  assertStrictEquals(await assertRejects(() => result), failure);
  assertStrictEquals(aborted, failure);
});

Deno.test("a manual writer feeds an operator", async () => {
  const engine = new TestEngine();
  const operator = engine.operator("a");
  const writer = operator.writable.getWriter();
  const result = collect(operator.readable);
  for (const batch of batches(3)) await writer.write(batch);
  await writer.close();
  assertEquals(idsOf(await result), ids(3));
});

Deno.test("an error of the manual writer's consumer reaches the writer", async () => {
  const engine = new TestEngine();
  const operator = engine.operator("a");
  const writer = operator.writable.getWriter();
  writer.closed.catch(() => {});
  await operator.readable.cancel("enough");
  await assertRejects(() => writer.write(batches(1)[0]!));
});

Deno.test("cancel() before the first read reaches a foreign source, which is not pulled", async () => {
  const engine = new TestEngine();
  const { stream, seen } = countingStream(batches(3));
  await engine.read(streamSource(stream)).pipeThrough(engine.operator("a")).cancel("never mind");
  assertEquals(seen, { pulled: 0, cancelled: "never mind" });
});

Deno.test("cancel() and break in the middle reach the source", async () => {
  const engine = new TestEngine();
  const first = countingStream(batches(9));
  for await (const _ of engine.read(streamSource(first.stream)).pipeThrough(engine.operator("a"))) {
    break;
  }
  assertEquals([first.seen.pulled, "cancelled" in first.seen], [1, true]);

  const second = countingStream(batches(9));
  const reader = second.stream.pipeThrough(engine.operator("a")).getReader();
  await reader.read();
  await reader.cancel("done");
  assertEquals("cancelled" in second.seen, true);
});

Deno.test("cancel() during a read that waits ends the read", async () => {
  const engine = new TestEngine();
  let cancelled: unknown;
  const silent = new ReadableStream<RecordBatch>({ cancel: (reason) => void (cancelled = reason) });
  const reader = engine.read(streamSource(silent)).getReader();
  const waiting = reader.read();
  await reader.cancel("no more");
  assertEquals(await waiting, { done: true, value: undefined });
  assertEquals(cancelled, "no more");
});

Deno.test("an abort signal of pipeTo() cancels the source with its reason", async () => {
  const engine = new TestEngine();
  const { stream, seen } = countingStream(batches(99));
  const abort = new AbortController();
  const sink = new WritableStream<RecordBatch>({
    write: () => {
      if (seen.pulled === 3) abort.abort("stop");
    },
  });
  const result = engine.read(streamSource(stream)).pipeTo(sink, { signal: abort.signal });
  assertEquals(await result.catch((reason) => reason), "stop");
  assertEquals(seen.cancelled, "stop");
  assert(seen.pulled <= 4, `${seen.pulled} batches were pulled`);
});

Deno.test("an abort signal of pipeThrough() errors the result", async () => {
  const engine = new TestEngine();
  const { stream, seen } = countingStream(batches(99));
  const abort = new AbortController();
  const result = engine.read(streamSource(stream))
    .pipeThrough(engine.operator("a"), { signal: abort.signal });
  const reader = result.getReader();
  await reader.read();
  abort.abort("stop");
  assertEquals(await reader.read().then(() => reader.read()).catch((reason) => reason), "stop");
  assertEquals(seen.cancelled, "stop");
});

Deno.test("an error upstream ends the reading, an error of an operator cancels the source", async () => {
  const engine = new TestEngine();
  const upstream = new ReadableStream<RecordBatch>({
    pull: (controller) => controller.error(new RangeError("upstream")),
  }, { highWaterMark: 0 });
  await assertRejects(
    () => collect(engine.read(streamSource(upstream)).pipeThrough(engine.operator("a"))),
    RangeError,
    "upstream",
  );

  const { stream, seen } = countingStream(batches(9));
  const fails = engine.operator("fails", () => {
    throw new RangeError("downstream");
  });
  await assertRejects(
    () => collect(engine.read(streamSource(stream)).pipeThrough(fails)),
    RangeError,
    "downstream",
  );
  assertEquals([seen.pulled, "cancelled" in seen], [1, true]);
});

Deno.test("an error of the sink cancels the source", async () => {
  const engine = new TestEngine();
  const { stream, seen } = countingStream(batches(99));
  const sink = new WritableStream<RecordBatch>({
    write() {
      throw new Error("disk");
    },
  });
  const result = engine.read(streamSource(stream)).pipeThrough(engine.operator("a")).pipeTo(sink);
  await assertRejects(() => result, Error, "disk");
  assertEquals((seen.cancelled as Error).message, "disk");
});

Deno.test("piping twice is a TypeError, for streams and for operators", () => {
  const engine = new TestEngine();
  const stream = engine.read(memorySource(batches(1)));
  const operator = engine.operator("a");
  stream.pipeThrough(operator);
  assertThrows(() => stream.pipeThrough(engine.operator("b")), TypeError);
  const other = engine.read(memorySource(batches(1)));
  assertThrows(() => other.pipeThrough(operator), TypeError);
});

Deno.test("piping after a partial read gives the rest", async () => {
  const engine = new TestEngine();
  const stream = engine.read(memorySource(batches(4)));
  const reader = stream.getReader();
  await reader.read();
  reader.releaseLock();
  const rest = stream.pipeThrough(engine.operator("a"));
  assertEquals(idsOf(await collect(rest)), [1, 2, 3]);
  assertEquals(engine.ran, ["", "a"]);
});

Deno.test("nothing is pulled before somebody reads, and a slow sink is never overrun", async () => {
  const engine = new TestEngine();
  const { stream, seen } = countingStream(batches(50));
  const result = engine.read(streamSource(stream)).pipeThrough(engine.operator("a"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals(seen.pulled, 0);

  let written = 0;
  let ahead = 0;
  const sink = new WritableStream<RecordBatch>({
    async write() {
      written++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      ahead = Math.max(ahead, seen.pulled - written);
    },
  });
  await result.pipeTo(sink);
  assertEquals([written, ahead], [50, 0]);
});

Deno.test("schema() of a foreign stream reads one batch, which is not lost", async () => {
  const engine = new TestEngine();
  const { stream, seen } = countingStream(batches(3));
  const result = engine.read(streamSource(stream));
  assertEquals((await result.schema()).fields.map(({ name }) => name), ["id", "word"]);
  assertEquals(seen.pulled, 1);
  assertEquals(idsOf(await collect(result)), ids(3));
});

Deno.test("a stream source is read once", async () => {
  const source = streamSource(countingStream(batches(2)).stream, "numbers");
  assertEquals(idsOf(await Array.fromAsync(sourceBatches(source))), ids(2));
  await assertRejects(
    () => Array.fromAsync(sourceBatches(source)),
    TypeError,
    "numbers: can be read",
  );
});

Deno.test("what nobody reads rejects nowhere", async () => {
  const unhandled: unknown[] = [];
  const note = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", note);
  try {
    const engine = new TestEngine();
    engine.operator("never used");
    const failing = new ReadableStream<RecordBatch>({ start: (c) => c.error(new Error("early")) });
    engine.read(streamSource(failing)).pipeThrough(engine.operator("a"));
    const { stream } = countingStream(batches(2));
    const half = engine.read(streamSource(stream)).pipeThrough(engine.operator("b", () => {
      throw new Error("late");
    })).getReader();
    await half.read().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 10));
  } finally {
    globalThis.removeEventListener("unhandledrejection", note);
  }
  assertEquals(unhandled, []);
});
