import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import {
  Field,
  Int32,
  type RecordBatch,
  Schema,
  Table,
  tableFromArrays,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  type Batch,
  type BatchStream,
  checkOperator,
  createEngine,
  defineOperator,
  expr,
  fromBatches,
  isOperatorFactory,
  type OperatorSpec,
  slice,
  StepError,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import type { HostColumn, Offsets } from "../../../../gpu/column/column.ts";
import {
  idsOf,
  numberedBatches,
  watchedStream,
} from "../../../support/pipelines/pipeline_streams.ts";
import { wordsBatch } from "../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu" });
const numbers = () => fromBatches(numberedBatches(5, 2), { engine });

/** An operator that keeps the columns. */
function plugin(
  open: OperatorSpec<null>["open"],
  rows: OperatorSpec<null>["rows"] = "any",
) {
  return defineOperator<null>({ name: "plugin", rows, schema: (input) => input, open })(null, {
    engine,
  });
}

const run = (stream: BatchStream, operator: ReturnType<typeof plugin>) =>
  toTable(stream.pipeThrough(operator));

Deno.test("a transformer without functions passes batches on", async () => {
  assertEquals(idsOf(await run(numbers(), plugin(() => ({})))).length, 10);
});

Deno.test("start, transform and flush are called in order, asynchronous ones too", async () => {
  const calls: string[] = [];
  const operator = plugin((_, { schema, backend }) => ({
    async start() {
      await Promise.resolve();
      calls.push(`start ${schema.names} ${backend.kind}`);
    },
    async transform(batch, controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      calls.push(`transform ${batch.numRows}`);
      controller.enqueue(batch);
    },
    flush() {
      calls.push("flush");
    },
    cancel() {
      calls.push("cancel");
    },
  }));
  assertEquals(idsOf(await run(numbers(), operator)).length, 10);
  assertEquals(calls, ["start id,word host", ...Array(5).fill("transform 2"), "flush"]);
});

Deno.test("an operator may keep batches for later, and give one several times", async () => {
  const kept: Batch[] = [];
  const reversed = plugin(() => ({
    transform: (batch) => void kept.push(batch.share()),
    flush(controller) {
      for (const batch of kept.reverse()) controller.enqueue(batch);
    },
  }));
  assertEquals(idsOf(await run(numbers(), reversed)), [8, 9, 6, 7, 4, 5, 2, 3, 0, 1]);
  const doubled = plugin(() => ({
    transform(batch, controller) {
      controller.enqueue(batch);
      controller.enqueue(batch);
    },
  }));
  assertEquals(idsOf(await run(numbers(), doubled)).length, 20);
});

Deno.test("terminate() ends the stream and cancels the source, without flush", async () => {
  const { stream, seen } = watchedStream((index) => wordsBatch(["w"], index));
  let flushed = false;
  const operator = plugin(() => ({
    transform(batch, controller) {
      controller.enqueue(batch);
      if (seen.pulled === 2) controller.terminate();
    },
    flush() {
      flushed = true;
    },
  }));
  assertEquals(idsOf(await run(fromBatches(stream, { engine }), operator)), [0, 1]);
  assertEquals([seen.pulled, seen.cancelled, flushed], [2, true, false]);

  const early = watchedStream((index) => wordsBatch(["w"], index));
  const { schema } = wordsBatch([]);
  const none = plugin(() => ({ start: (controller) => controller.terminate() }));
  assertEquals((await run(fromBatches(early.stream, { engine, schema }), none)).numRows, 0);
  assertEquals([early.seen.pulled, early.seen.cancelled], [0, true]);
});

Deno.test("errors of every kind name the operator and cancel the source", async () => {
  const failure = new RangeError("broken");
  const fail = () => {
    throw failure;
  };
  const transformers: OperatorSpec<null>["open"][] = [
    fail,
    () => ({ start: fail }),
    () => ({ transform: fail }),
    () => ({ transform: (_, controller) => controller.error(failure) }),
    () => ({ transform: () => Promise.reject(failure) }),
    () => ({ flush: fail }),
  ];
  for (const open of transformers) {
    const { stream, seen } = watchedStream((i) => i < 3 ? wordsBatch(["w"], i) : undefined);
    const error = await assertRejects(
      () => run(fromBatches(stream, { engine }), plugin(open)),
      StepError,
      "step 2, plugin: broken",
    );
    assertStrictEquals(error.cause, failure);
    assert(seen.cancelled || seen.pulled === 4);
  }
});

Deno.test("cancel() is called where the run ends early, with the reason of a failure", async () => {
  const reasons: unknown[] = [];
  const open = () => ({ cancel: (reason: unknown) => void reasons.push(reason) });
  for await (const _ of numbers().pipeThrough(plugin(open))) break;
  const failure = new Error("upstream");
  const { stream } = watchedStream(() => {
    throw failure;
  });
  const { schema } = wordsBatch([]);
  const failing = fromBatches(stream, { engine, schema }).pipeThrough(plugin(open));
  await assertRejects(() => toTable(failing), Error, "upstream");
  assertEquals(reasons, [undefined, failure]);
});

Deno.test("a slice moves past an operator that promises the same rows, and no other", async () => {
  for (const rows of ["same", "fewer"] as const) {
    let seen = 0;
    const counting = plugin(() => ({
      transform(batch, controller) {
        seen += batch.numRows;
        controller.enqueue(batch);
      },
    }), rows);
    const stream = numbers().pipeThrough(counting).pipeThrough(slice(-3));
    assertEquals(idsOf(await toTable(stream)), [7, 8, 9]);
    assertEquals(seen, rows === "same" ? 3 : 10);
  }
});

Deno.test("an operator that breaks its promises is an error", async () => {
  const half: OperatorSpec<null>["open"] = () => ({
    transform: (batch, controller) => controller.enqueue(batch.slice(0, 1)),
  });
  await assertRejects(
    () => run(numbers(), plugin(half, "same")),
    StepError,
    "step 2, plugin: plugin promises the same rows: 10 came in, 5 out",
  );
  assertEquals(idsOf(await run(numbers(), plugin(half, "fewer"))), [0, 2, 4, 6, 8]);

  const twice: OperatorSpec<null>["open"] = () => ({
    transform(batch, controller) {
      controller.enqueue(batch);
      controller.enqueue(batch);
    },
  });
  await assertRejects(
    () => run(numbers(), plugin(twice, "fewer")),
    StepError,
    "plugin promises no more rows: 10 came in, 20 out",
  );

  const renames = defineOperator<null>({
    name: "renames",
    rows: "same",
    schema: (input) => new Schema([new Field("n", new Int32()), input.fields[1]!]),
    open: () => ({}),
  });
  await assertRejects(
    () => toTable(numbers().pipeThrough(renames(null))),
    StepError,
    "renames did not return what it promised: columns are id, word, but n, word are expected",
  );
});

Deno.test("batches go out under the promised schema", async () => {
  const metadata = new Map([["unit", "m"]]);
  const schema = new Schema(
    [new Field("id", new Int32(), true, metadata), new Field("word", new Utf8(), true)],
    new Map([["made", "here"]]),
  );
  const tagged = defineOperator<null>({
    name: "tagged",
    rows: "same",
    schema: () => schema,
    open: () => ({}),
  });
  const table = await toTable(
    numbers().pipeThrough(tagged(null)).pipeThrough(withColumns({ n: expr("id") })),
  );
  assertEquals(table.schema.fields[0]!.metadata, metadata);
  assertEquals(table.schema.metadata, schema.metadata);
});

Deno.test("options and mistakes of a plugin show where they belong", async () => {
  const checked = defineOperator<{ n: bigint }>({
    name: "checked",
    rows: "same",
    schema: (_, { n }) => {
      throw new RangeError(`n must be positive, not ${n}`);
    },
    open: () => ({}),
  });
  assert(isOperatorFactory(checked));
  assertEquals(checked.name, "checked");
  await assertRejects(
    () => toTable(numbers().pipeThrough(checked({ n: -1n }))),
    StepError,
    "step 2, checked: n must be positive, not -1",
  );
});

Deno.test("checkOperator() passes what keeps its promises and finds what does not", async () => {
  const table = tableFromArrays({ id: Int32Array.from({ length: 20 }, (_, i) => i) });
  const define = (rows: OperatorSpec<null>["rows"], open: OperatorSpec<null>["open"]) =>
    defineOperator<null>({ name: "plugin", rows, schema: (input) => input, open });
  const empty = tableFromArrays({ id: new Int32Array(0) });
  await checkOperator(define("same", () => ({})), null, table);
  await checkOperator(define("same", () => ({})), null, empty);

  const firstRows = define("fewer", () => ({
    transform: (batch, controller) =>
      controller.enqueue(batch.slice(0, Math.min(1, batch.numRows))),
  }));
  await checkOperator(firstRows, null, table);
  const stateful = define("same", () => {
    let isFirst = true;
    return {
      transform(batch, controller) {
        const numRows = batch.numRows;
        if (isFirst && numRows > 1) {
          controller.enqueue(
            batch.gather(Int32Array.from({ length: numRows }, (_, row) => numRows - 1 - row)),
          );
        } else controller.enqueue(batch);
        isFirst = false;
      },
    };
  });
  await assertRejects(
    () => checkOperator(stateful, null, table),
    Error,
    "returns other rows where",
  );
  // The greatest value so far: of ascending ones that of each row, whatever is left out in front.
  const greatest = define("same", () => {
    let most = -1;
    return {
      transform(batch, controller) {
        const ids = batch.columns[0]!.column as HostColumn;
        const values = new Int32Array(ids.data.buffer, ids.data.byteOffset, batch.numRows);
        const rows = Int32Array.from(values, (value, row) => {
          most = Math.max(most, value);
          const place = values.indexOf(most);
          return place < 0 ? row : place;
        });
        controller.enqueue(batch.gather(rows));
      },
    };
  });
  const backwards = "returns other rows where a slice backwards comes after it";
  await assertRejects(() => checkOperator(greatest, null, table), Error, backwards);
  const loses = define("same", () => ({ transform() {} }));
  await assertRejects(() => checkOperator(loses, null, table), Error, "promises the same rows");
});

Deno.test("checkOperator() finds an operator that reads 64-bit offsets as if they had 32", async () => {
  const gather = (offsetsOf: (offsets: Offsets) => Offsets) =>
    defineOperator<null>({
      name: "plugin",
      rows: "fewer",
      schema: (input) => input,
      open: (_, { backend }) => ({
        async transform(batch, controller) {
          await batch.toHost(backend);
          const { offsets } = batch.columns[0]!.column as HostColumn;
          const positions = offsetsOf(offsets!);
          const isLong = (row: number) => positions[row + 1]! - positions[row]! > 1;
          const rows = Array.from({ length: batch.numRows }, (_, row) => row).filter(isLong);
          controller.enqueue(batch.gather(Int32Array.from(rows)));
        },
      }),
    });
  const words = vectorFromArray(["a", "bb", "", "cccc", null, "ddd"], new Utf8());
  const table = new Table({ words });
  await checkOperator(gather((offsets) => offsets), null, table);
  const narrow = gather(({ buffer, byteOffset, length }) =>
    new Int32Array(buffer, byteOffset, length)
  );
  const message = "plugin returns other rows where text has 64-bit offsets";
  await assertRejects(() => checkOperator(narrow, null, table), Error, message);
});

Deno.test("a plugin's result does not depend on batches that were cut differently", async () => {
  const whole: RecordBatch[] = numberedBatches(1, 9);
  const upper = () => withColumns({ loud: expr("word.upper()") });
  const one = await toTable(
    fromBatches(whole, { engine }).pipeThrough(plugin(() => ({}))).pipeThrough(upper()),
  );
  const cut = [whole[0]!.slice(0, 4), whole[0]!.slice(4, 4), whole[0]!.slice(4, 9)];
  const many = await toTable(
    fromBatches(cut, { engine }).pipeThrough(plugin(() => ({}))).pipeThrough(upper()),
  );
  assertEquals(many.toArray().map(String), one.toArray().map(String));
});
