import { assert, assertEquals, assertRejects } from "@std/assert";
import type { RecordBatch } from "apache-arrow";
import {
  at,
  type BatchStream,
  countRows,
  createEngine,
  type Engine,
  fromBatches,
  read,
  type RunStats,
  StepError,
  toTable,
  write,
} from "../../../../mod.ts";
import { BatchStream as Stream } from "../../../../streams/plan/batch_stream.ts";
import { watchedSource } from "../../../support/pipelines/pipeline_streams.ts";
import { Draws, forSeeds, SeededRandom } from "../../../support/random/seeded_random.ts";
import {
  type ModelStep,
  randomBatches,
  randomSteps,
} from "../../../support/pipelines/slice_steps.ts";
import { inFolder, rowsOf } from "../../../support/values/streams_samples.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const PLACES = ["memory", "stream", "arrow", "arrows", "parquet", "two files"];

/** Opens batches as one of several sources. */
async function placed(
  from: string,
  batches: readonly RecordBatch[],
  folder: string,
): Promise<(engine: Engine) => BatchStream> {
  if (from === "memory") return (engine) => fromBatches([...batches], { engine });
  if (from === "stream") return (engine) => fromBatches(ReadableStream.from(batches), { engine });
  if (from === "two files") {
    const paths = [`${folder}/1.arrow`, `${folder}/2.arrow`];
    for (const [index, path] of paths.entries()) {
      const half = index === 0 ? batches.slice(0, 1) : batches.slice(1);
      await fromBatches(half, { schema: batches[0]!.schema }).pipeTo(write(path));
    }
    return (engine) => read(paths, { engine });
  }
  const path = `${folder}/in.${from}`;
  await fromBatches([...batches]).pipeTo(write(path));
  return (engine) => read(path, { engine });
}

function piped(stream: BatchStream, steps: readonly ModelStep[]): BatchStream {
  return steps.reduce((stream, { operator }) => stream.pipeThrough(operator), stream);
}

const draws = new Draws([
  ...PLACES,
  "moved",
  "stays",
  "one slice",
  "rows of the source",
  "counted",
  "a row that is missing",
]);

Deno.test("pipelines with slices give what their steps give one by one of a table", () =>
  inFolder((folder) =>
    forSeeds(fewOr(50, 150), async (random) => {
      const runs: RunStats[] = [];
      const fuse = random.chance(0.8);
      const onRun = (run: RunStats) => void runs.push(run);
      const engine = createEngine({ device: "cpu", threads: 1, fuse, onRun });
      const batches = randomBatches(random);
      const from = random.pick(PLACES);
      const open = await placed(from, batches, folder);
      const seed = random.below(2 ** 30);
      const draw = () => randomSteps(new SeededRandom(seed), engine, rowsOf(batches));
      const { steps, rows } = draw();
      const text = `${from}: ${steps.map(({ what }) => what).join(" | ")}`;

      const table = await toTable(piped(open(engine), steps));
      assertEquals(rowsOf(table.batches), rows, text);

      assertEquals(await countRows(piped(open(engine), draw().steps)), rows.length, text);
      if (from !== "stream" && steps.every(({ rows }) => rows !== "other")) {
        assertEquals([runs.at(-1)!.numRowsIn, runs.at(-1)!.operators.length], [0, 1], text);
        draws.add("counted");
      }

      draws.add(from);
      if (fuse) await checkExplained(piped(open(engine), draw().steps), steps, text);

      const { length } = rows;
      const missing = random.pick([length, length + 3, -length - 1]);
      const beyond = piped(open(engine), draw().steps).pipeThrough(at(missing));
      const error = await assertRejects(() => toTable(beyond), StepError, undefined, text);
      const start = `step ${steps.length + 2}, at: There is no row ${missing}: the input has `;
      assert(error.message.startsWith(start), `${error.message}: ${text}`);
      assert(length < 2 || error.message.endsWith(`has ${length} rows`), error.message);
      draws.add("a row that is missing");
    }, draws)
  ));

/** `explain` has a line for each slice; those in front of the first filter or join move to its end. */
async function checkExplained(
  stream: BatchStream,
  steps: readonly ModelStep[],
  text: string,
): Promise<void> {
  const lines = (await stream.explain()).split("\n");
  const start = lines.indexOf("slices:");
  const slices = start < 0 ? [] : lines.slice(start + 1, lines.indexOf("runs as:"));
  const picks = steps.flatMap(({ rows }, index) => rows === "pick" ? [index + 2] : []);
  assertEquals(slices.map((line) => Number(/^ {2}step (\d+), /.exec(line)?.[1])), picks, text);
  const barrier = steps.findIndex(({ rows }) => rows === "other") + 2;
  for (const [index, line] of slices.entries()) {
    const where = /: (moved|stays|one slice|rows of the source)/.exec(line)?.[1];
    if (where === undefined) throw new Error(line);
    draws.add(where);
    const isInFront = barrier < 2 || picks[index]! < barrier;
    if (where === "rows of the source") assert(isInFront, `${line}: ${text}`);
  }
}

Deno.test("a count behind slices and what keeps rows opens no source", () =>
  forSeeds(60, async (random) => {
    const batches = randomBatches(random);
    const engine = createEngine({ device: "cpu", threads: 1 });
    const { steps, rows } = randomSteps(random, engine, rowsOf(batches));
    if (steps.some(({ rows }) => rows === "other")) return;
    const { source, given } = watchedSource(batches);
    const stream = new Stream({ source, nodes: [], engine: engine.plans });
    assertEquals(await countRows(piped(stream, steps)), rows.length);
    assertEquals(given, { columns: undefined, ids: 0, batches: 0 });
  }));
