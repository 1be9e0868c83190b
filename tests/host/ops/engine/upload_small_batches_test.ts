import { assert, assertEquals } from "@std/assert";
import {
  Bool,
  Field,
  Int32,
  Int8,
  List,
  type RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import {
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  joinStrings,
  read,
  regroup,
  type RunStats,
  tail,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import {
  idsOf,
  numberedBatches,
  watchedStream,
} from "../../../support/pipelines/pipeline_streams.ts";
import { batchOf, inFolder, wordsBatch } from "../../../support/values/streams_samples.ts";

const numRows = 3000;
const ids = Array.from({ length: numRows }, (_, i) => i);

/** An engine, and what its latest run did. */
function watchedEngine(threshold = 2 ** 31 - 1) {
  const runs: RunStats[] = [];
  const onRun = (run: RunStats) => void runs.push(run);
  const engine = createEngine({ device: "cpu", onRun, threshold });
  return { engine, latest: () => runs.at(-1)! };
}

Deno.test("one-row batches of files, arrays and streams run as few", () =>
  inFolder(async (folder) => {
    const batches = numberedBatches(numRows);
    const path = (suffix: string) => `${folder}/in.${suffix}`;
    for (const suffix of ["arrow", "arrows"]) {
      await ReadableStream.from(batches).pipeTo(write(path(suffix)));
    }
    const { engine, latest } = watchedEngine();
    const sources = [
      () => read(path("arrow"), { engine }),
      () => read(path("arrows"), { engine }),
      () => fromBatches(batches, { engine }),
      () => fromBatches(ReadableStream.from(batches), { engine }),
    ];
    for (const source of sources) {
      const loud = await toTable(
        source()
          .pipeThrough(filter(expr("id >= 0")))
          .pipeThrough(withColumns({ loud: expr("word.upper()") })),
      );
      assertEquals(idsOf(loud), ids);
      assertEquals(loud.getChild("loud")!.get(2999), "W2999");
      const { batchesOut } = latest().operators[0]!;
      assert(batchesOut < 200, `${batchesOut} batches`);
      assertEquals(idsOf(await toTable(source().pipeThrough(tail(2)))), [2998, 2999]);
    }
  }));

Deno.test("batches stay as they are where a result depends on them", async () => {
  const { engine, latest } = watchedEngine();
  const source = () => fromBatches(numberedBatches(200), { engine });
  const joined = await toTable(source().pipeThrough(joinStrings("word")));
  assertEquals(joined.numRows, 200);
  const ofTen = await toTable(
    source().pipeThrough(regroup({ rows: 10 })).pipeThrough(joinStrings("word")),
  );
  assertEquals(ofTen.numRows, 20);
  assert(latest().operators[0]!.batchesOut < 200);
  const each = await toTable(source().pipeThrough(regroup({ rows: 1 })));
  assertEquals(each.batches.map((batch) => batch.numRows), Array(200).fill(1));
});

Deno.test("joined batches have no text with 64-bit offsets that the batches had not", async () => {
  const batches = Array.from(
    { length: 500 },
    (_, i) => batchOf({ word: [new Utf8(), [i === 300 ? "long".repeat(300) : `w${i}`]] }),
  );
  const { engine, latest } = watchedEngine(1000);
  await toTable(fromBatches(batches, { engine }));
  assertEquals(latest().wideText, [{ column: "word", batches: 1, bytes: 1200 }]);
  assert(latest().operators[0]!.batchesOut < 400);
});

Deno.test("a slow sink lets few batches be pulled ahead", async () => {
  const { stream, seen } = watchedStream((i) => i < 400 ? wordsBatch(["w"], i) : undefined);
  let written = 0;
  let ahead = 0;
  const sink = new WritableStream<RecordBatch>({
    async write({ numRows }) {
      written += numRows;
      await new Promise((resolve) => setTimeout(resolve, 1));
      ahead = Math.max(ahead, seen.pulled - written);
    },
  });
  await fromBatches(stream).pipeThrough(filter(expr("id >= 0"))).pipeTo(sink);
  assertEquals(written, 400);
  assert(ahead <= 400 / 16, `${ahead} rows ahead`);
});

const engine = createEngine({ device: "cpu" });

Deno.test("Columns of no rows may come without buffers", async () => {
  const none = new Table({
    a: vectorFromArray([], new Int8()),
    b: vectorFromArray([], new Bool()),
  });
  const kept = await toTable(
    fromBatches(none, { engine }).pipeThrough(filter(expr("a > 1 || b"))).pipeThrough(
      regroup({ rows: 2 }),
    ),
  );
  assertEquals(kept.numRows, 0);
});

Deno.test("A result without rows has the children of nested columns", async () => {
  const item = new Field("item", new Utf8(), true);
  const schema = new Schema([
    new Field("list", new List(item), true),
    new Field("struct", new Struct([new Field("a", new Int32(), true), item]), true),
  ]);
  const table = await toTable(fromBatches([], { schema, engine }).pipeThrough(head(1)));
  assertEquals(table.numRows, 0);
  const [list, struct] = table.batches[0]!.data.children;
  assertEquals(list!.children.length, 1);
  assertEquals(struct!.children.length, 2);
});
