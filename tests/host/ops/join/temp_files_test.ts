import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int32, type RecordBatch } from "apache-arrow";
import {
  type BatchStream,
  countRows,
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  join,
  type JoinOptions,
  type RunStats,
  toTable,
  withColumns,
} from "../../../../mod.ts";
import { joinHows } from "../../../../gpu/join_kind.ts";
import { inFolder } from "../../../support/files/folder.ts";
import { watchedStream } from "../../../support/pipelines/pipeline_streams.ts";
import { batchOf, rowsOf } from "../../../support/values/streams_samples.ts";
import { until } from "../../../support/running/until.ts";

const NUM_ROWS = 2000;

/** A batch of rows whose key is far from their number. */
function batch(seed: number): RecordBatch {
  const rows = Array.from({ length: NUM_ROWS }, (_, row) => row);
  return batchOf({
    key: [new Int32(), rows.map((row) => row % 97 === 0 ? null : (row * seed) % NUM_ROWS)],
    row: [new Int32(), rows],
  });
}

/** An engine with hardly any memory, whose temporary files go to a folder. */
function smallEngine(temp: string, onRun?: (run: RunStats) => void) {
  return createEngine({ device: "cpu", memory: 20_000, temp, ...(onRun && { onRun }) });
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

function joined(
  temp: string,
  options: JoinOptions,
  onRun?: (run: RunStats) => void,
): BatchStream {
  const engine = smallEngine(temp, onRun);
  const build = fromBatches([batch(7), batch(11)], { engine });
  return fromBatches([batch(3), batch(5)], { engine }).pipeThrough(join(build, options));
}

Deno.test("a join in hardly any memory gives exactly what one in much memory gives", () =>
  inFolder(async (temp) => {
    const much = createEngine({ device: "cpu" });
    for (const how of joinHows.filter((how) => how !== "cross")) {
      const options = { on: "key", how, nullsEqual: how === "full" } as const;
      const runs: RunStats[] = [];
      const rows = rowsOf((await toTable(joined(temp, options, (run) => runs.push(run)))).batches);
      const build = fromBatches([batch(7), batch(11)], { engine: much });
      const stream = fromBatches([batch(3), batch(5)], { engine: much });
      const wanted = rowsOf((await toTable(stream.pipeThrough(join(build, options)))).batches);
      assertEquals(rows, wanted, how);
      const spilled = runs.flatMap(({ operators }) => operators.map((of) => of.bytesSpilled));
      assert(Math.max(...spilled) > 10_000, `${spilled} bytes spilled`);
      assertEquals(namesIn(temp), []);
    }
  }));

Deno.test("rows without columns are counted in hardly any memory", () =>
  inFolder(async (temp) => {
    const engine = smallEngine(temp);
    const few = batchOf({ key: [new Int32(), [1, 2, null, 2]] });
    for (const how of joinHows) {
      for (const order of ["probe", "none"] as const) {
        const build = fromBatches([batch(7), batch(11)], { engine });
        const stream = fromBatches(few, { engine });
        const options = how === "cross" ? { how, order } : { how, order, on: "key" };
        const numRows = await countRows(stream.pipeThrough(join(build, options)));
        // Each key is there once in either batch, but for those of rows that have null keys.
        const matches = 2 * 3;
        const wanted: Record<typeof how, number> = {
          inner: matches,
          left: matches + 1,
          right: matches + 2 * NUM_ROWS - 4,
          full: matches + 1 + 2 * NUM_ROWS - 4,
          semi: 3,
          anti: 1,
          "right-semi": 4,
          "right-anti": 2 * NUM_ROWS - 4,
          cross: 4 * 2 * NUM_ROWS,
        };
        assertEquals(numRows, wanted[how], how);
      }
    }
  }));

Deno.test("explain tells that a build side may go to temporary files", async () => {
  const engine = createEngine({ device: "cpu" });
  const stream = fromBatches(batch(3), { engine });
  const plan = await stream.pipeThrough(join(fromBatches(batch(5), { engine }), { on: "key" }))
    .explain();
  assert(plan.includes("build side: what exceeds the memory goes to temporary files"), plan);
});

Deno.test("temporary files are gone after the first rows, a cancel and an error", () =>
  inFolder(async (temp) => {
    for (const order of ["probe", "none"] as const) {
      const options = { on: "key", how: "full", order } as const;
      const first = await toTable(joined(temp, options).pipeThrough(head(5)));
      assertEquals(first.numRows, 5);
      assertEquals(namesIn(temp), []);

      const reader = joined(temp, options).getReader();
      assert(!(await reader.read()).done);
      assertEquals(namesIn(temp).length, 1);
      await reader.cancel();
      assertEquals(namesIn(temp), []);

      const failing = joined(temp, options).pipeThrough(
        withColumns({ bad: expr('cast(row, "int8")') }),
      );
      await assertRejects(() => toTable(failing));
      assertEquals(namesIn(temp), []);
    }
  }));

Deno.test("a failure and a cancel while rows are spilled leave no files, and end both inputs", () =>
  inFolder(async (temp) => {
    const engine = smallEngine(temp);
    const build = watchedStream(() => batch(7));
    const probe = watchedStream(() => batch(3));
    // The build side never ends, so that the cancel comes in the middle of it.
    const endless = fromBatches(probe.stream, { engine })
      .pipeThrough(join(fromBatches(build.stream, { engine }), { on: "key" }))
      .getReader();
    const pending = endless.read();
    await until(() => namesIn(temp).length > 0, "rows are written");
    await endless.cancel();
    assertEquals((await pending).done, true);
    assertEquals(build.seen.cancelled, true);
    assertEquals(namesIn(temp), []);

    const later = watchedStream(() => batch(3));
    const waiting = fromBatches(later.stream, { engine })
      .pipeThrough(join(fromBatches([batch(7), batch(11)], { engine }), { on: "key" }))
      .getReader();
    const first = waiting.read();
    await until(() => later.seen.pulled >= 5, "the stream is read");
    await waiting.cancel();
    assertEquals((await first).done, true);
    assertEquals(later.seen.cancelled, true);
    assertEquals(namesIn(temp), []);

    const broken = watchedStream((index) => {
      if (index > 3) throw new Error("the line is down");
      return batch(3);
    });
    const failing = fromBatches(broken.stream, { engine })
      .pipeThrough(join(fromBatches([batch(7), batch(11)], { engine }), { on: "key" }));
    await assertRejects(() => toTable(failing), Error, "the line is down");
    assertEquals(namesIn(temp), []);
  }));

Deno.test("the keys that validate names are the same with hardly any memory", () =>
  inFolder(async (temp) => {
    const messages = async (memory: number) => {
      const engine = createEngine({ device: "cpu", temp, memory });
      const found: string[] = [];
      for (const validate of ["1:1", "1:m", "m:1"] as const) {
        const build = fromBatches([batch(7), batch(11)], { engine });
        const stream = fromBatches([batch(3), batch(5)], { engine })
          .pipeThrough(filter(expr("key < 9")))
          .pipeThrough(join(build, { on: "key", validate }));
        found.push((await assertRejects(() => toTable(stream), Error)).message);
      }
      return found;
    };
    assertEquals(await messages(5000), await messages(2 ** 30));
    assertEquals(namesIn(temp), []);
  }));
