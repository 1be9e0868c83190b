import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import {
  type BatchStream,
  countRows,
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  join,
  read,
  regroup,
  type RunStats,
  select,
  slice,
  StepError,
  tail,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { batchOf, inFolder } from "../../../support/values/streams_samples.ts";
import { idsOf, numberedBatches } from "../../../support/pipelines/pipeline_streams.ts";

const people = batchOf({
  name: [new Utf8(), ["Ada", "Alan", null, "Grace", "Ada"]],
  id: [new Int32(), [1, 2, 2, null, 1]],
});
const towns = batchOf({
  id: [new Int32(), [1, 2, 2, 7, null]],
  town: [new Utf8(), ["Paris", "Oslo", "Bonn", "Rome", "Bern"]],
});

/** Pipelines whose number of rows no metadata tells, and that number. */
const pipelines: readonly [
  string,
  (people: BatchStream, towns: BatchStream) => BatchStream,
  number,
][] = [
  ["a filter", (people) => people.pipeThrough(filter(expr('name == "Ada"'))), 2],
  ["a join", (people, towns) => people.pipeThrough(join(towns, { on: "id" })), 6],
  ["a left join", (people, towns) => people.pipeThrough(join(towns, { on: "id", how: "left" })), 7],
  [
    "a join with unique keys",
    (people, towns) => people.pipeThrough(join(towns.pipeThrough(slice(0, 2)), { on: "id" })),
    4,
  ],
  [
    "a left join with unique keys",
    (people, towns) =>
      people.pipeThrough(join(towns.pipeThrough(slice(0, 2)), { on: "id", how: "left" })),
    5,
  ],
  [
    "a slice and a regroup behind a join",
    (people, towns) =>
      people.pipeThrough(join(towns, { on: "id" })).pipeThrough(slice(1, -1))
        .pipeThrough(regroup({ rows: 3 })),
    4,
  ],
  [
    "a filter of what a join brought",
    (people, towns) =>
      people.pipeThrough(join(towns, { on: "id" })).pipeThrough(filter(expr('town == "Oslo"'))),
    2,
  ],
];

for (const [title, pipeline, expected] of pipelines) {
  Deno.test(`countRows() counts the rows of ${title}`, async () => {
    for (const fuse of [true, false]) {
      const engine = createEngine({ device: "cpu", fuse });
      const stream = () => fromBatches([people.slice(0, 2), people.slice(2)], { engine });
      const build = () => fromBatches(towns, { engine });
      assertEquals(await countRows(pipeline(stream(), build())), expected);
      const none = fromBatches(people, { engine }).pipeThrough(filter(expr("id < 0")));
      assertEquals(await countRows(pipeline(none, build())), 0);
    }
  });
}

Deno.test("countRows() computes no column that nothing looks at", async () => {
  const runs: RunStats[] = [];
  const engine = createEngine({ device: "cpu", onRun: (run) => runs.push(run) });
  const stream = fromBatches(people, { engine })
    .pipeThrough(withColumns({ n: expr("name.toInteger({ strict: true })") }))
    .pipeThrough(join(fromBatches(towns, { engine }), { on: "id" }));
  assertEquals(await countRows(stream), 6);
  const [run] = runs;
  assertEquals(run?.operators.map(({ name }) => name), ["read memory", "join", "count"]);
  assertEquals(run?.counters.compilations, 0);
});

Deno.test("countRows() takes the stream over, and finds mistakes", async () => {
  for (const stream of [fromBatches(people), fromBatches(people).pipeThrough(select("id"))]) {
    assertEquals(await countRows(stream), 5);
    assertEquals(await Array.fromAsync(stream), []);
  }
  const filtered = fromBatches(people).pipeThrough(filter(expr("id > 1")));
  assertEquals(await countRows(filtered), 2);
  await assertRejects(() => Array.fromAsync(filtered), TypeError, "locked");
  const wrong = fromBatches(people).pipeThrough(filter(expr("nmae.isNull()")));
  await assertRejects(() => countRows(wrong), StepError, "step 2, filter: Unknown column nmae");
});

function watchedEngine(fuse = true) {
  const runs: RunStats[] = [];
  return { runs, engine: createEngine({ device: "cpu", fuse, onRun: (run) => runs.push(run) }) };
}

Deno.test("a run counts rows and batches of each operator under the step of the user", async () => {
  const { runs, engine } = watchedEngine();
  const stream = fromBatches(numberedBatches(4, 5), { engine, name: "numbers" })
    .pipeThrough(withColumns({ loud: expr("word.upper()") }))
    .pipeThrough(filter(expr("id >= 3")))
    .pipeThrough(regroup({ rows: 10 }));
  const reader = stream.getReader();
  await reader.read();
  assertEquals([runs.length, runs[0]!.ended, runs[0]!.numRowsOut], [1, false, 10]);
  await reader.read();
  await reader.read();
  const { operators, ended, numRowsIn, numRowsOut, bytesOut } = runs[0]!;
  assertEquals([ended, numRowsIn, numRowsOut], [true, 20, 17]);
  assertEquals(
    operators.map(({ name, step, rowsIn, rowsOut, batchesOut }) => [
      name,
      step,
      rowsIn,
      rowsOut,
      batchesOut,
    ]),
    [
      ["read numbers", 1, 0, 20, 4],
      ["withColumns", 2, 20, 20, 4],
      ["filter", 3, 20, 17, 4],
      ["regroup", 4, 17, 17, 2],
    ],
  );
  assert(operators.every(({ elapsedMs }) => elapsedMs >= 0));
  // Of each row: an id, two texts with an offset each. Then a last offset per text and batch.
  const texts = [...Array(17).keys()].reduce((sum, row) => sum + `w${row + 3}`.length, 0);
  assertEquals(bytesOut, 17 * 12 + 2 * texts + 2 * 2 * 4);
});

Deno.test("bytes of a slice of a larger batch are its own", async () => {
  const { runs, engine } = watchedEngine();
  await toTable(fromBatches(numberedBatches(1, 1000), { engine }).pipeThrough(tail(1)));
  assertEquals(runs[0]!.bytesOut < 32, true);
});

Deno.test("head and tail of an Arrow file read only its ends", () =>
  inFolder(async (folder) => {
    const path = `${folder}/numbers.arrow`;
    await fromBatches(numberedBatches(10, 24_000)).pipeTo(write(path));
    const { size } = await Deno.stat(path);
    for (const [operator, firstId] of [[() => head(10), 0], [() => tail(10), 239_990]] as const) {
      const { runs, engine } = watchedEngine();
      const table = await toTable(
        read(path, { engine }).pipeThrough(withColumns({ loud: expr("word.upper()") }))
          .pipeThrough(operator()).pipeThrough(select("id")),
      );
      assertEquals([table.numRows, idsOf(table)[0]], [10, firstId]);
      assert(runs[0]!.bytesIn < size / 2, `${runs[0]!.bytesIn} of ${size} bytes were read`);
    }
  }));
