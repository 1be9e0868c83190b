import { assert, assertEquals, assertInstanceOf, assertRejects, assertThrows } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import {
  at,
  createEngine,
  drop,
  expr,
  filter,
  fromBatches,
  head,
  join,
  type Operator,
  OverflowError,
  regroup,
  rename,
  select,
  slice,
  StepError,
  tail,
  take,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import type { Backend } from "../../../../gpu/backend.ts";
import { computeStage, firstRows } from "../../../../ops/engine/stage.ts";
import { Batch } from "../../../../ops/batch/batch.ts";
import { createHostBackend } from "../../../../gpu/host/backend.ts";
import { stepErrorOf } from "../../../../base/errors/wrap_error.ts";
import {
  idsOf,
  numberedBatches,
  stageContext,
} from "../../../support/pipelines/pipeline_streams.ts";
import { batchOf, wordsBatch } from "../../../support/values/streams_samples.ts";

const engine = createEngine({ device: "cpu" });
const people = batchOf({
  id: [new Int32(), [1, 2]],
  name: [new Utf8(), ["Ada", "Alan"]],
});
const other = () => fromBatches(people, { engine });

const mistakes: readonly [operator: () => Operator, message: string][] = [
  [
    () => withColumns({ loud: expr("nmae.upper()") }),
    "withColumns: Unknown column nmae; did you mean name?",
  ],
  [() => withColumns({}), "withColumns: Name at least one column and its expression"],
  [() => withColumns({ x: expr("id.upper()") }), "withColumns: "],
  [() => select("nmae"), "select: Unknown column nmae; did you mean name?"],
  [() => select("id", "id"), 'select: Column "id" is selected twice'],
  [() => select(), "select: Select at least one column"],
  [() => drop("nmae"), "drop: Unknown column nmae; did you mean name?"],
  [() => drop("id", "name"), "drop: Cannot drop every column"],
  [() => rename({ nmae: "x" }), "rename: Unknown column nmae; did you mean name?"],
  [() => rename({ id: "name" }), 'rename: Columns 1 and 2 would have the same name, "name"'],
  [
    () => filter(expr("name")),
    "filter: A filter needs a bool expression, but name is string",
  ],
  [() => filter(expr('id > "a"')), "filter: "],
  [() => join(other(), { on: "nmae" }), "join: Unknown column nmae; did you mean name?"],
  [
    () => join(other(), { on: { id: "name" } }),
    "join: Cannot join on id=name: no common type for int32 and string",
  ],
];

for (const [operator, message] of mistakes) {
  Deno.test(`a mistake names its step: ${message}`, async () => {
    for (const fuse of [true, false]) {
      const engine = createEngine({ device: "cpu", fuse });
      const stream = () =>
        fromBatches(people, { engine }).pipeThrough(head(1)).pipeThrough(operator());
      const error = await assertRejects(() => stream().schema(), StepError, `step 3, ${message}`);
      assertInstanceOf(error.cause, Error);
      assertEquals([error.step, error.row], [3, undefined]);
      assertEquals(message.startsWith(`${error.operator}: `), true);
      assert(!error.message.endsWith("."), error.message);
      await assertRejects(() => toTable(stream()), StepError, `step 3, ${message}`);
    }
  });
}

Deno.test("sizes and positions out of range are refused at once", () => {
  assertThrows(() => regroup({}), TypeError, "regroup() needs rows, bytes, by, sizes or one");
  assertThrows(() => regroup({ rows: 0 }), RangeError, "at least 1, not 0");
  assertThrows(() => regroup({ rows: 1.5 }), RangeError, "an integer of at least 1, not 1.5");
  assertThrows(() => regroup({ bytes: NaN }), RangeError, "at least 1, not NaN");
  assertThrows(() => slice(0, 1, 0), RangeError, "The step of a slice cannot be 0");
  assertThrows(() => at(0.5), RangeError, "A position of a row is an integer, not 0.5");
  assertThrows(
    () => take([1, "2"] as never),
    TypeError,
    "take() takes positions and ranges { start, stop, step }, not a string",
  );
  assertThrows(() => slice(NaN), RangeError, "The start of a slice is an integer, not NaN");
  assertThrows(() => head(-1), RangeError, "at least 0, not -1");
  assertThrows(() => tail(0.5), RangeError, "at least 0, not 0.5");
});

Deno.test("a StepError carries the row of the operator's input", () => {
  const error = new StepError(4, "filter", new RangeError("too long"), 70);
  assertEquals(error.message, "step 4, filter: too long (row 70)");
  assertEquals([error.step, error.operator, error.row], [4, "filter", 70]);
  assertEquals(stepErrorOf(5, "select", error), error);
});

Deno.test("rows of a failing batch are counted from the start of the stream, at every depth", async () => {
  for (const depth of [1, 4]) {
    const host = createHostBackend();
    const backend = new Proxy<Backend>(host, {
      get: (target, key) => key === "depth" ? depth : Reflect.get(target, key, target),
    });
    const input = async function* () {
      for (const batch of numberedBatches(5, 4)) yield Batch.fromRecordBatch(batch.schema, batch);
    };
    // Row 9 of all is too large.
    const { schema } = wordsBatch([]);
    const stage = computeStage(schema, async (batch, { backend }) => {
      const row = idsOf([await batch.toRecordBatch(backend)]).indexOf(9);
      if (row < 0) return { result: batch.share(), numRows: batch.numRows };
      throw new OverflowError("Too large", row, 1);
    });
    const context = stageContext({ backend });
    let given = 0;
    const run = async () => {
      for await (const batch of stage.run(input(), context)) given += batch.numRows;
    };
    const error = stepErrorOf(2, "withColumns", await assertRejects(run)) as StepError;
    assertEquals(error.message, "step 2, withColumns: Too large (row 9)");
    assertInstanceOf(error.cause, OverflowError);
    assertEquals(given, 8);
  }
});

Deno.test("a batch whose result is more than one should hold gives several", async () => {
  const backend = createHostBackend();
  const input = async function* () {
    for (const batch of numberedBatches(1, 10)) yield Batch.fromRecordBatch(batch.schema, batch);
  };
  const { schema } = wordsBatch([]);
  // Three rows are the most.
  const computed: number[] = [];
  const stage = computeStage(schema, async (batch, { backend }) => {
    computed.push(batch.numRows);
    const numRows = Math.min(batch.numRows, 3);
    return { result: (await firstRows(batch, numRows, backend)).share(), numRows };
  });
  const ids: unknown[] = [];
  const sizes: number[] = [];
  for await (const batch of stage.run(input(), stageContext({ backend }))) {
    sizes.push(batch.numRows);
    ids.push(...idsOf([await batch.toRecordBatch(backend)]));
  }
  assertEquals(ids, Array.from({ length: 10 }, (_, row) => row));
  assertEquals(sizes, [3, 3, 3, 1]);
  assertEquals(computed, [10, 7, 4, 1]);
});

Deno.test("an operator of another library in a plan is an error that names it", async () => {
  const { BatchStream } = await import("../../../../streams/plan/batch_stream.ts");
  const { memorySource } = await import("../../../../streams/source/memory.ts");
  const plan = { source: memorySource(people), nodes: [{ name: "alien" }], engine: engine.plans };
  await assertRejects(
    () => toTable(new BatchStream(plan)),
    TypeError,
    "alien is not an operator of this engine",
  );
});
