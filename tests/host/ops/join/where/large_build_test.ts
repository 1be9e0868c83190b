import { assert, assertEquals, assertRejects } from "@std/assert";
import { Int32, Utf8 } from "apache-arrow";
import {
  type BatchStream,
  countRows,
  createEngine,
  expr,
  fromBatches,
  head,
  join,
  type RunStats,
  toTable,
  type WhereJoinOptions,
  withColumns,
} from "../../../../../mod.ts";
import { bytesSpilled } from "../../../../support/joins/bytes_spilled.ts";
import { inFolder } from "../../../../support/files/folder.ts";
import { watchedStream } from "../../../../support/pipelines/pipeline_streams.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { batchOf, rowsOf } from "../../../../support/values/streams_samples.ts";
import { turns, until } from "../../../../support/running/until.ts";
import { randomCondition, randomSide } from "../../../../support/joins/where_conditions.ts";
import { fewOr, someOf } from "../../../../support/random/test_size.ts";

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

Deno.test("a build side in many chunks gives the rows of one in memory, in the same order", () =>
  inFolder(async (temp) => {
    const engine = createEngine({ device: "cpu" });
    const runs: RunStats[] = [];
    const small = createEngine({
      device: "cpu",
      memory: 4000,
      temp,
      onRun: (run) => runs.push(run),
    });
    const draws = new Draws(["inner", "left", "files", "all in memory", "no result", "rows"]);
    await forSeeds(fewOr(15, 60), async (random) => {
      const left = randomSide(random, "left", 40);
      const right = randomSide(random, "right", 300);
      const { ours: where } = randomCondition(random);
      const how = random.pick(["inner", "left"] as const);
      const [expected, actual] = await Promise.all([engine, small].map(async (engine) => {
        const stream = fromBatches(left.batches, { engine })
          .pipeThrough(join(fromBatches(right.batches, { engine }), { where, how }));
        return rowsOf((await toTable(stream)).batches);
      }));
      assertEquals(actual, expected, where);
      assertEquals(namesIn(temp), []);
      draws.add(how);
      draws.add(expected!.length === 0 ? "no result" : "rows");
      draws.add(bytesSpilled(runs.splice(0)) > 0 ? "files" : "all in memory");
    }, draws);
    await engine.close();
    await small.close();
  }));

const NUM_ROWS = 1000;
const PEOPLE = ["Zoë", "Łukasz", "Ngũgĩ wa Thiong’o", "李小龍", "", "Dvořák"];

interface Person {
  readonly n: number | null;
  readonly who: string;
  readonly row: number;
}

/** Rows of which each eleventh has no number, in an order far from that of the numbers. */
function batch(seed: number) {
  const rows = Array.from({ length: NUM_ROWS }, (_, row) => row);
  return batchOf({
    n: [new Int32(), rows.map((row) => row % 11 === 0 ? null : (row * seed) % NUM_ROWS)],
    who: [new Utf8(), rows.map((row) => PEOPLE[row * seed % PEOPLE.length])],
    row: [new Int32(), rows],
    // One of them is no number.
    code: [new Utf8(), rows.map((row) => seed === 13 && row === 700 ? "7OO" : String(row))],
  });
}

/** A join with hardly any memory. */
function joined(temp: string, options: WhereJoinOptions, numBuilt = 4): BatchStream {
  const engine = createEngine({ device: "cpu", memory: 20_000, temp });
  const built = Array.from({ length: numBuilt }, (_, at) => batch(7 + 6 * at));
  return fromBatches([batch(3), batch(19)], { engine })
    .pipeThrough(join(fromBatches(built, { engine }), options));
}

const near = "right.n + 1 >= n && right.n <= n + 1 && (who != right.who || n == 5)";

Deno.test("the pairs of many chunks are those of a loop over both sides", () =>
  inFolder(async (temp) => {
    const [left, right] = [[3, 19], [7, 13, 19, 25]]
      .map((seeds) => rowsOf(seeds.map(batch)) as unknown as Person[]);
    const meets = (one: Person, other: Person) =>
      one.n !== null && other.n !== null && Math.abs(one.n - other.n) <= 1 &&
      (one.who !== other.who || one.n === 5);
    const pairs = left!.flatMap((one) => {
      const found = right!.filter((other) => meets(one, other));
      return found.length === 0 ? [[one.row, null]] : found.map((other) => [one.row, other.row]);
    });
    for (const how of ["inner", "left"] as const) {
      const rows = rowsOf((await toTable(joined(temp, { where: near, how }))).batches);
      const expected = how === "left" ? pairs : pairs.filter(([, other]) => other !== null);
      assertEquals(rows.map(({ row, row_right }) => [row, row_right]), expected);
      assertEquals(await countRows(joined(temp, { where: near, how })), expected.length);
    }
    assert(pairs.some(([, other]) => other === null));
    assertEquals(namesIn(temp), []);
  }));

Deno.test("rows of a build side without columns are counted in chunks", () =>
  inFolder(async (temp) => {
    const few = joined(temp, { where: "n == 6", how: "left", columns: [] });
    const numMatches = [...rowsOf([batch(3), batch(19)])].filter(({ n }) => n === 6).length;
    assertEquals(numMatches, 2);
    assertEquals(await countRows(few), 2 * NUM_ROWS - 2 + 2 * 4 * NUM_ROWS);
    assertEquals(namesIn(temp), []);
  }));

Deno.test("an error in the build side or the stream names its row, and the files are gone", () =>
  inFolder(async (temp) => {
    const strict = "code.toInteger({ strict: true })";
    await assertRejects(
      () => toTable(joined(temp, { where: `right.${strict} < n` })),
      Error,
      'toInteger(right.code) refuses "7OO", beside row 1700 of the build side (row 0)',
    );
    const engine = createEngine({ device: "cpu", memory: 20_000, temp });
    const conditions = [
      [`${strict} < right.n`, ", beside row 0 of the build side"],
      [`${strict} + n > 0`, ""],
    ] as const;
    for (const [where, beside] of someOf(conditions, 1)) {
      const stream = fromBatches([batch(7), batch(13)], { engine })
        .pipeThrough(join(fromBatches([batch(3), batch(19)], { engine }), { where }));
      await assertRejects(
        () => toTable(stream),
        Error,
        `join: toInteger(code) refuses "7OO"${beside} (row 1700)`,
      );
    }
    assertEquals(namesIn(temp), []);
  }));

Deno.test("files are gone after the first rows, a cancel and the error of a later step", () =>
  inFolder(async (temp) => {
    const options = { where: near, how: "left" } as const;
    assertEquals((await toTable(joined(temp, options).pipeThrough(head(5)))).numRows, 5);
    assertEquals(namesIn(temp), []);

    const reader = joined(temp, options).getReader();
    assert(!(await reader.read()).done);
    assertEquals(namesIn(temp).length, 1);
    await reader.cancel();
    assertEquals(namesIn(temp), []);

    const failing = joined(temp, options)
      .pipeThrough(withColumns({ bad: expr('cast(row, "int8")') }));
    await assertRejects(() => toTable(failing));
    assertEquals(namesIn(temp), []);
  }));

Deno.test("a cancel ends a build side that never does, a stream that never does, and a long loop", () =>
  inFolder(async (temp) => {
    const engine = createEngine({ device: "cpu", memory: 20_000, temp });
    const built = watchedStream(() => batch(7));
    const endless = fromBatches(batch(3), { engine })
      .pipeThrough(join(fromBatches(built.stream, { engine }), { where: near })).getReader();
    const pending = endless.read();
    await until(() => namesIn(temp).length > 0, "rows are written");
    await endless.cancel();
    assertEquals(await pending, { done: true, value: undefined });
    assert(built.seen.cancelled);
    assertEquals(namesIn(temp), []);

    const probe = watchedStream(() => batch(3));
    const reading = fromBatches(probe.stream, { engine })
      .pipeThrough(join(fromBatches([batch(7), batch(11)], { engine }), { where: near }))
      .getReader();
    const first = reading.read();
    await until(() => probe.seen.pulled >= 5, "the stream is read");
    await reading.cancel();
    assertEquals(await first, { done: true, value: undefined });
    assert(probe.seen.cancelled);
    assertEquals(namesIn(temp), []);

    const loop = joined(temp, { where: "n + right.n == -5" }, 200).getReader();
    const never = loop.read();
    await until(() => namesIn(temp).length > 0, "rows are written");
    await turns(100);
    await loop.cancel();
    assertEquals(await never, { done: true, value: undefined });
    assertEquals(namesIn(temp), []);
  }));

Deno.test("explain tells that a build side may go to temporary files", async () => {
  const engine = createEngine({ device: "cpu" });
  const plan = await fromBatches(batch(3), { engine })
    .pipeThrough(join(fromBatches(batch(7), { engine }), { where: near })).explain();
  assert(plan.includes("build side: what exceeds the memory goes to temporary files"), plan);
});
