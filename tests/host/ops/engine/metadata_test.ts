import { allRows, isAllRows } from "../../../../streams/rows/row_request.ts";
import { assertEquals, assertRejects } from "@std/assert";
import {
  at,
  BatchStream,
  countRows,
  createEngine,
  expr,
  filter,
  fromBatches,
  read,
  type RunStats,
  slice,
  StepError,
  take,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { checkedAs, type NodeKind, nodeOf } from "../../../../ops/engine/node.ts";
import { operatorOf } from "../../../../ops/engine/operator_of.ts";
import type { Source } from "../../../../streams/plan/source.ts";
import { memorySource } from "../../../../streams/source/memory.ts";
import { numberedBatches, watchedSource } from "../../../support/pipelines/pipeline_streams.ts";
import { inFolder } from "../../../support/values/streams_samples.ts";

const batches = numberedBatches(4, 5);

function watchedEngine() {
  const runs: RunStats[] = [];
  const warnings: string[] = [];
  const engine = createEngine({
    device: "cpu",
    threads: 1,
    onRun: (run) => runs.push(run),
    onWarning: (warning) => warnings.push(warning),
  });
  return { engine, runs, warnings };
}

/** A source that reads 100 bytes for its schema, 10 for its number of rows and 1 for each row. */
function meteredSource(): Source {
  const inner = memorySource(batches);
  let bytesRead = 0;
  return {
    name: "metered",
    get bytesRead() {
      return bytesRead;
    },
    get numRequests() {
      return bytesRead / 10;
    },
    numBytes: 5000,
    schema: () => inner.schema(),
    canSeek: () => Promise.resolve(true),
    numRows: () => {
      bytesRead += 10;
      return inner.numRows();
    },
    async *rows(request = allRows, options = {}) {
      for await (const rows of inner.rows(request, options)) {
        if (isAllRows(request)) bytesRead += rows.batch.numRows;
        yield rows;
      }
    },
  };
}

const streamOf = (source: Source, { engine }: ReturnType<typeof watchedEngine>) =>
  new BatchStream({ source, nodes: [], engine: engine.plans });

Deno.test("a count from metadata is a run that has read no rows", async () => {
  const watched = watchedEngine();
  const stream = streamOf(meteredSource(), watched)
    .pipeThrough(withColumns({ loud: expr("word.upper()") }))
    .pipeThrough(slice(null, null, -3));
  assertEquals(await countRows(stream), 7);
  assertEquals(watched.runs.length, 1);
  const { operators, numRowsIn, numRowsOut, bytesIn, bytesPresent, numRequests, ended } = watched
    .runs[0]!;
  assertEquals(operators.map(({ name, step, rowsOut }) => [name, step, rowsOut]), [
    ["read metered", 1, 0],
  ]);
  assertEquals([numRowsIn, numRowsOut, bytesIn, bytesPresent, numRequests, ended], [
    0,
    0,
    10,
    5000,
    1,
    true,
  ]);
  assertEquals((await watched.runs[0]!.sourceSize()).numBytes, 5000);
});

Deno.test("asking a stream for its number of rows is no run, and a run counts those bytes too", async () => {
  const watched = watchedEngine();
  const source = meteredSource();
  const stream = streamOf(source, watched);
  assertEquals(await stream.numRows(), 20);
  assertEquals(watched.runs, []);
  await toTable(stream);
  assertEquals(watched.runs.map(({ bytesIn }) => bytesIn), [30]);
  // What belongs to one run is not counted for the next.
  await toTable(streamOf(source, watched));
  assertEquals(watched.runs.map(({ bytesIn, numRequests }) => [bytesIn, numRequests]), [
    [30, 3],
    [20, 2],
  ]);
});

Deno.test("the metadata of a file belongs to the bytes of its run", () =>
  inFolder(async (folder) => {
    const path = `${folder}/numbers.arrow`;
    await fromBatches(batches).pipeTo(write(path));
    const { engine, runs } = watchedEngine();
    const stream = read(path, { engine });
    await stream.schema();
    assertEquals(runs, []);
    await toTable(stream.pipeThrough(slice(0, 0)));
    assertEquals(runs[0]!.numRowsIn, 0);
    assertEquals(runs[0]!.bytesIn > 0, true);
    assertEquals(runs[0]!.bytesPresent, (await Deno.stat(path)).size);
  }));

Deno.test("the size of what a run reads is that of its rows, which are not counted for few", async () => {
  const cases = [
    [() => slice(-3), { numRows: undefined, numBytes: undefined }, 0],
    [() => take([3, -1]), { numRows: undefined, numBytes: undefined }, 0],
    [() => slice(null, null, -3), { numRows: 7, numBytes: 5000 }, 10],
    [() => filter(expr("id > 3")), { numRows: 20, numBytes: 5000 }, 10],
  ] as const;
  for (const [operator, size, counted] of cases) {
    const watched = watchedEngine();
    const source = meteredSource();
    await toTable(streamOf(source, watched).pipeThrough(operator()));
    const before = source.bytesRead;
    assertEquals(await watched.runs[0]!.sourceSize(), { name: "metered", ...size });
    assertEquals(source.bytesRead - before, counted, String(operator));
  }
});

Deno.test("picks are counted without a row of the source", async () => {
  const watched = watchedEngine();
  for (const [pick, expected] of [[slice(-3), 3], [at(-1), 1], [take([1, 1, 0]), 3]] as const) {
    const { source, given } = watchedSource(batches);
    assertEquals(await countRows(streamOf(source, watched).pipeThrough(pick)), expected);
    assertEquals(given, { columns: undefined, ids: 0, batches: 0 });
  }
});

Deno.test("what takes long before rows come is a warning, once for each source", async () => {
  let probed = {};
  const inner = memorySource(batches);
  const slow: Source = {
    ...meteredSource(),
    name: "flights.arrow",
    bytesRead: 0,
    numRows(options) {
      options?.onProbe?.({ chunks: 120_000, bytes: 23_400_000, elapsedMs: 13_900 });
      return inner.numRows();
    },
    async *rows(request, options) {
      options?.onProbe?.({ chunks: 3, bytes: 300, elapsedMs: 200, ...probed });
      yield* inner.rows(request, options);
    },
  };
  const expected =
    "flights.arrow: about 120,000 batch headers are read first (23.4 MB, about 14 s), " +
    "since its footer does not count rows; written again by Sluice, it would";
  for (const operator of [() => take([1, -1, 0]), () => filter(expr("id > 1"))]) {
    const watched = watchedEngine();
    const stream = streamOf({ ...slow }, watched);
    await stream.numRows();
    await toTable(stream.pipeThrough(operator()));
    assertEquals(watched.warnings, [expected]);
  }
  const watched = watchedEngine();
  await toTable(streamOf({ ...slow }, watched).pipeThrough(slice(-2)));
  assertEquals(watched.warnings, [
    "flights.arrow: about 3 batch headers are read first (300 B, about 1 s), since its footer does " +
    "not count rows; written again by Sluice, it would",
  ]);
  probed = { isStream: true };
  const streams = watchedEngine();
  await toTable(streamOf({ ...slow }, streams).pipeThrough(slice(-2)));
  assertEquals(streams.warnings, [
    "flights.arrow: about 3 batch headers are read first (300 B, about 1 s), since an Arrow stream " +
    "does not count its rows; written as an Arrow file by Sluice, it would",
  ]);
});

/** Refuses more rows than a limit, or any number that is unknown; notes what it is told. */
function limitedKind(told: unknown[]): NodeKind<number> {
  return {
    name: "limited",
    rows: "any",
    boundaries: "ignored",
    summary: String,
    needs: (_, wanted) => wanted,
    check: (_, schema) =>
      checkedAs({
        schema,
        async *run(input) {
          yield* input;
        },
      }),
    rewrites: {
      checkInput({ spec }, facts) {
        told.push(facts);
        if ((facts.mostRows ?? Infinity) > spec) throw new RangeError("too many rows");
      },
    },
  };
}

Deno.test("rows are counted for a step only where it would refuse without", async () => {
  const watched = watchedEngine();
  const limited = (limit: number, told: unknown[]) => operatorOf(nodeOf(limitedKind(told), limit));
  const counts: number[] = [];
  const source = (): Source => {
    const inner = memorySource(batches);
    let count = 0;
    counts.push(0);
    return {
      ...meteredSource(),
      name: "counted",
      numRows: () => {
        counts[counts.length - 1] = ++count;
        return inner.numRows();
      },
    };
  };
  // A source in memory says nothing of its bytes.
  const counted = { source: "counted", mostBytes: undefined };
  const behind = { ...counted, behind: "filter" };
  const some = () => filter(expr("id >= 0"));

  let told: unknown[] = [];
  await toTable(
    streamOf(source(), watched).pipeThrough(some()).pipeThrough(limited(Infinity, told)),
  );
  assertEquals([counts.at(-1), told], [0, [{ ...behind, mostRows: undefined }]]);

  told = [];
  const stream = streamOf(source(), watched).pipeThrough(some()).pipeThrough(slice(0, 9))
    .pipeThrough(limited(10, told));
  assertEquals((await toTable(stream)).numRows, 9);
  // The slice says by itself how many rows there are at most.
  assertEquals([counts.at(-1), told], [0, [{ ...behind, behind: "slice", mostRows: 9 }]]);

  told = [];
  const refused = streamOf(source(), watched).pipeThrough(limited(19, told));
  await assertRejects(() => toTable(refused), StepError, "step 2, limited: too many rows");
  assertEquals(told, [undefined, 20].map((mostRows) => ({ ...counted, mostRows })));

  told = [];
  const unfused = createEngine({ device: "cpu", fuse: false });
  await toTable(fromBatches(batches, { engine: unfused }).pipeThrough(limited(0, told)));
  assertEquals(told, []);
});
