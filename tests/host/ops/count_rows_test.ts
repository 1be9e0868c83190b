import { assertEquals, assertRejects } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import {
  type BatchStream,
  countRows,
  createEngine,
  expr,
  filter,
  fromBatches,
  join,
  regroup,
  type RunStats,
  select,
  slice,
  StepError,
  withColumns,
} from "../../../mod.ts";
import { batchOf } from "../../support/streams_samples.ts";

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
