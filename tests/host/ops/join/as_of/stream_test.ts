import { assert, assertEquals, assertRejects } from "@std/assert";
import * as arrow from "apache-arrow";
import {
  type BatchStream,
  createEngine,
  fromBatches,
  head,
  type RunStats,
  select,
  StepError,
  toTable,
} from "../../../../../mod.ts";
import { asOfJoin, type AsOfOptions } from "../../../../../ops/join/as_of/join.ts";
import { groupKinds, randomSide, timePairs } from "../../../../support/joins/as_of_tables.ts";
import {
  silentStream,
  watchedStream,
  withoutUnhandled,
} from "../../../../support/pipelines/pipeline_streams.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { bareBatchOf, batchOf, rowsOf } from "../../../../support/values/streams_samples.ts";
import { someOf } from "../../../../support/random/test_size.ts";

const engine = createEngine({ device: "cpu" });

/** A batch of times, with the row of the whole side beside each. */
function batch(values: readonly (number | bigint | null)[], firstRow = 0): arrow.RecordBatch {
  return batchOf({
    t: [new arrow.Int64(), values.map((value) => value === null ? null : BigInt(value))],
    row: [new arrow.Int32(), values.map((_, row) => firstRow + row)],
  });
}

const schema = batch([1]).schema;

/** A foreign stream, which no plan reads ahead of. */
function foreign(stream: ReadableStream<arrow.RecordBatch>): BatchStream {
  return fromBatches(stream, { engine, schema });
}

/** A stream of these batches, and how many were pulled. */
function watched(batches: readonly arrow.RecordBatch[]) {
  const { stream, seen } = watchedStream((index) => batches[index]);
  return { stream: foreign(stream), seen };
}

async function rowsRight(stream: ReadableStream<arrow.RecordBatch>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const result of stream) rows.push(...rowsOf([result]).map((row) => row.row_right));
  return rows;
}

Deno.test("the build side is read along with the stream: no batch before it is needed, and none after", async () => {
  // Ten batches of the times 0 to 9, 10 to 19, and so on.
  const pieces = Array.from(
    { length: 10 },
    (_, piece) => batch(Array.from({ length: 10 }, (_, row) => 10 * piece + row), 10 * piece),
  );
  const cases: [AsOfOptions["direction"], number[], number, (number | null)[]][] = [
    // A later time must be seen, as more rows of the same time may follow.
    ["backward", [-5, 3, 8], 1, [null, 3, 8]],
    ["backward", [3, 9], 2, [3, 9]],
    ["backward", [15, 35], 4, [15, 35]],
    ["forward", [-5, 3, 9], 1, [0, 3, 9]],
    ["forward", [10], 2, [10]],
    ["nearest", [3, 8], 1, [3, 8]],
    ["nearest", [9], 2, [9]],
    ["backward", [], 0, []],
  ];
  for (const [direction, values, numPulled, expected] of cases) {
    const build = watched(pieces);
    const probe = values.length === 0 ? [batch([])] : [batch(values), batch([null])];
    const options = { asOf: "t", direction: direction! } as const;
    const stream = fromBatches(probe, { engine }).pipeThrough(asOfJoin(build.stream, options));
    const rows = await rowsRight(stream);
    assertEquals(rows, values.length === 0 ? [] : [...expected, null], `${direction} ${values}`);
    assertEquals(build.seen.pulled, numPulled, `${direction} ${values}`);
    assert(build.seen.cancelled, "what is left is cancelled");
  }
});

Deno.test("rows come out as soon as they are known, while the build side is silent", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let given = 0;
  const stream = new ReadableStream<arrow.RecordBatch>({
    async pull(controller) {
      if (given++ > 0) await promise;
      controller.enqueue(given === 1 ? batch([1, 5]) : batch([50], 2));
    },
  }, { highWaterMark: 0 });
  const probe = fromBatches(batch([2, 4, 9]), { engine });
  const reader = probe.pipeThrough(asOfJoin(foreign(stream), { asOf: "t" })).getReader();
  const first = await reader.read();
  assertEquals(rowsOf([first.value!]).map(({ row_right }) => row_right), [0, 0]);
  resolve();
  const second = await reader.read();
  assertEquals(rowsOf([second.value!]).map(({ row_right }) => row_right), [1]);
  await reader.cancel();
});

Deno.test("one time that fills batch after batch is held by one row", async () => {
  const numPieces = 2000;
  const { stream, seen } = watchedStream((index) =>
    index < numPieces ? batch(Array.from({ length: 50 }, () => 7), 50 * index) : undefined
  );
  const probe = fromBatches(batch([6]), { engine });
  const joined = probe
    .pipeThrough(asOfJoin(foreign(stream), { asOf: "t", direction: "nearest" }));
  assertEquals(await rowsRight(joined), [50 * numPieces - 1]);
  assertEquals(seen.pulled, numPieces + 1);
});

Deno.test("an unsorted row is an error that names side, row and both values, wherever it is", async () => {
  const cut = (values: readonly number[], at: number) => [
    batch(values.slice(0, at)),
    batch([null], at),
    batch(values.slice(at), at + 1),
  ];
  const sorted = [batch(Array.from({ length: 20 }, (_, row) => row))];
  for (let place = 1; place < 6; place++) {
    for (let at = 0; at <= 6; at++) {
      const values = [0, 2, 4, 6, 8, 10];
      values[place] = values[place - 1]! - 1;
      // A null row stands between both batches.
      const row = place < at ? place : place + 1;
      const text = `is not sorted by t: ${values[place]} comes after ${values[place - 1]}`;
      const run = (left: arrow.RecordBatch[], right: arrow.RecordBatch[]) =>
        toTable(
          fromBatches(left, { engine })
            .pipeThrough(asOfJoin(fromBatches(right, { engine }), { asOf: "t" })),
        );
      const ofProbe = await assertRejects(() => run(cut(values, at), sorted), StepError);
      assertEquals(ofProbe.message, `step 2, join: The stream ${text} (row ${row})`);
      assertEquals([ofProbe.step, ofProbe.row], [2, row]);
      const ofBuild = await assertRejects(() => run(sorted, cut(values, at)), StepError);
      assertEquals(
        ofBuild.message,
        `step 2, join: The build side ${text} (row ${row} of the build side)`,
      );
    }
  }
});

Deno.test("unsorted rows of a group name it, also of a group that the build side lacks", async () => {
  const side = (times: readonly number[], tickers: readonly (string | null)[], days?: number[]) =>
    batchOf({
      t: [new arrow.TimestampMillisecond(), times],
      ticker: [new arrow.Utf8(), tickers],
      day: [new arrow.DateDay(), (days ?? times.map(() => 0)).map((day) => day * 86_400_000)],
    });
  const run = (left: arrow.RecordBatch, right: arrow.RecordBatch, by: string[]) =>
    toTable(
      fromBatches(left, { engine })
        .pipeThrough(asOfJoin(fromBatches(right, { engine }), { asOf: "t", by })),
    );
  const good = side([0, 5, 1, 2], ["A", "A", "B", "B"]);
  await run(good, good, ["ticker"]);
  // Rows without a group belong to none that could be unsorted.
  await run(side([5, 1], [null, null]), good, ["ticker"]);
  const bad = side([0, 90_061_001, 1, 86_400_000], ["A", "Zoë", "B", "Zoë"]);
  const text = "not sorted by t: 1970-01-02T00:00:00 comes after 1970-01-02T01:01:01.001";
  await assertRejects(
    () => run(bad, good, ["ticker"]),
    StepError,
    `The stream is ${text}, of the group ticker "Zoë" (row 3)`,
  );
  await assertRejects(
    () => run(good, bad, ["ticker"]),
    StepError,
    `The build side is ${text}, of the group ticker "Zoë" (row 3 of the build side)`,
  );
  await assertRejects(
    () => run(good, side([5, 1], ["A", "A"], [3, 3]), ["ticker", "day"]),
    StepError,
    `comes after 1970-01-01T00:00:00.005, of the group ticker "A", day `,
  );
});

Deno.test("random unsorted rows are found on both sides, in groups or without", async () => {
  const drawn = new Draws(["probe side", "build side", "groups", "no groups"]);
  await forSeeds(60, async (random) => {
    const pair = random.pick(timePairs.filter(({ left }) => arrow.DataType.isInt(left)));
    const groups = random.chance(0.5) ? [random.pick(groupKinds)] : [];
    const sideOf = (side: "left" | "right", isSorted: boolean) =>
      randomSide(random, {
        prefix: side,
        timeName: "t",
        timeType: pair[side],
        value: pair.value,
        groups: groups.map((group) => ({ type: group[side], values: group.values })),
        isSorted,
      });
    const isLeft = random.chance(0.5);
    const left = sideOf("left", !isLeft);
    const right = sideOf("right", isLeft);
    const side = isLeft ? left : right;
    const last = new Map<string, bigint>();
    const wrong = side.times.findIndex((time, row) => {
      const key = side.keys[row];
      if (time === null || key === null) return false;
      const before = last.get(key!);
      last.set(key!, BigInt(time));
      return before !== undefined && time < before;
    });
    const run = () =>
      toTable(
        fromBatches(left.batches, { engine }).pipeThrough(
          asOfJoin(fromBatches(right.batches, { engine }), {
            asOf: "t",
            by: groups.map((_, index) => `g${index}`),
          }),
        ),
      );
    // Without groups the build side is read no further than the stream needs it.
    const isRead = isLeft || groups.length > 0;
    if (wrong < 0) await run();
    else if (isRead) {
      drawn.add(isLeft ? "probe side" : "build side");
      drawn.add(groups.length > 0 ? "groups" : "no groups");
      const error = await assertRejects(run, StepError, "is not sorted by t");
      assert(error.message.includes(`(row ${wrong}${isLeft ? "" : " of the build side"})`));
    }
  }, drawn);
});

Deno.test("cancel stops both inputs: before the first batch, between batches, and in a silent wait", async () => {
  await withoutUnhandled(async () => {
    for (const by of [[], ["row"]]) {
      const endless = () => watchedStream((index) => batch([index], index));
      // Nothing was read.
      const [left, right] = [endless(), endless()];
      const options = { asOf: "t", by };
      await foreign(left.stream).pipeThrough(asOfJoin(foreign(right.stream), options)).cancel("no");
      assertEquals([left.seen.cancelled, right.seen.cancelled], [true, true]);
      assertEquals([left.seen.pulled, right.seen.pulled], [0, 0]);
      // The build side never gives anything.
      const probe = endless();
      const silent = silentStream();
      const reader = foreign(probe.stream)
        .pipeThrough(asOfJoin(foreign(silent.stream), options)).getReader();
      const waiting = reader.read();
      await new Promise((resolve) => setTimeout(resolve, 20));
      await reader.cancel("enough");
      await waiting;
      assertEquals([probe.seen.cancelled, silent.seen.cancelled], [true, true]);
    }
  });
});

Deno.test("a step that needs no more rows ends both inputs, though the build side is silent", async () => {
  let given = 0;
  let cancelled = false;
  const stream = new ReadableStream<arrow.RecordBatch>({
    pull(controller) {
      if (given++ === 0) controller.enqueue(batch([1, 5]));
      else return new Promise(() => {});
    },
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  const left = watchedStream((index) => batch([2, 4, 9 + index]));
  const joined = foreign(left.stream).pipeThrough(asOfJoin(foreign(stream), { asOf: "t" }))
    .pipeThrough(head(2));
  assertEquals(await rowsRight(joined), [0, 0]);
  assertEquals([left.seen.cancelled, cancelled], [true, true]);
});

Deno.test("errors of either input end the join and the other input", async () => {
  const failing = (after: number) =>
    watchedStream((index) => {
      if (index === after) throw new Error("broken pipe");
      return batch([index], index);
    });
  for (const by of [[], ["row"]]) {
    const left = failing(2);
    const right = watchedStream((index) => index < 100 ? batch([index], index) : undefined);
    const options = { asOf: "t", by };
    await assertRejects(
      () => toTable(foreign(left.stream).pipeThrough(asOfJoin(foreign(right.stream), options))),
      Error,
      "broken pipe",
    );
    assertEquals(right.seen.cancelled || right.seen.pulled > 100, true);
    const endless = watchedStream((index) => batch([index], index));
    await assertRejects(
      () =>
        toTable(foreign(endless.stream).pipeThrough(asOfJoin(foreign(failing(3).stream), options))),
      Error,
      "broken pipe",
    );
    assertEquals(endless.seen.cancelled, true);
  }
});

Deno.test("batches of the result are bounded by rows and by bytes", async () => {
  const long = "x".repeat(1 << 20);
  const right = bareBatchOf({
    t: [new arrow.Int64(), [0n, 1n]],
    long: [new arrow.Utf8(), [long, "short"]],
  });
  const numRows = 150;
  const values = Array.from({ length: numRows }, (_, row) => BigInt(row < 130 ? 0 : 1));
  for (const how of ["left", "inner"] as const) {
    for (const by of [[], ["t"]]) {
      const left = bareBatchOf({ t: [new arrow.Int64(), values] });
      let given = 0;
      const sizes: number[] = [];
      const stream = fromBatches(left, { engine })
        .pipeThrough(asOfJoin(fromBatches(right, { engine }), { asOf: "t", how, by }));
      for await (const result of stream) {
        sizes.push(result.numRows);
        const text = result.getChild("long")!;
        for (let row = 0; row < result.numRows; row++, given++) {
          assertEquals(text.get(row).length, given < 130 ? 1 << 20 : 5);
        }
      }
      assertEquals(given, numRows);
      assert(sizes.length >= 3 && Math.max(...sizes) <= 64, String(sizes));
    }
  }
  const many = bareBatchOf({
    t: [new arrow.Int64(), Array.from({ length: 150_000 }, (_, row) => BigInt(row >> 4))],
  });
  const sizes: number[] = [];
  const stream = fromBatches(many, { engine })
    .pipeThrough(asOfJoin(fromBatches(many, { engine }), { asOf: "t", keepKeys: true }));
  for await (const { numRows } of stream) sizes.push(numRows);
  assertEquals(sizes, [65_536, 65_536, 18_928]);
});

/** Batches of times in many groups, each sorted, and a value. */
function groupedBatches(numBatches: number, group: (row: number) => number): arrow.RecordBatch[] {
  return Array.from({ length: numBatches }, (_, index) => {
    const rows = Array.from({ length: 1000 }, (_, row) => index * 1000 + row);
    return bareBatchOf({
      t: [new arrow.Int64(), rows.map((row) => BigInt(row >> 1))],
      g: [new arrow.Int32(), rows.map(group)],
      v: [new arrow.Utf8(), rows.map((row) => row % 7 === 0 ? null : `value ${row}`)],
    });
  });
}

Deno.test("groups that exceed memory go to files, which are gone afterwards, and give the same rows", async () => {
  const cases: ((row: number) => number)[] = [
    // Many small groups, one that has most of the rows, and three large ones that share a file.
    (row) => Math.imul(row, 2654435761) >>> 20,
    (row) => row % 10 === 0 ? row % 100 : -1,
    (row) => row < 130 ? row : row % 3 * 64,
  ];
  const temp = await Deno.makeTempDir();
  try {
    for (const group of someOf(cases, 1)) {
      const [left, right] = [groupedBatches(6, group), groupedBatches(9, group)];
      for (const [how, direction] of [["left", "backward"], ["inner", "nearest"]] as const) {
        const run = async (memory: number, columns: string[]) => {
          const runs: RunStats[] = [];
          const of = createEngine({
            device: "cpu",
            memory,
            temp,
            onRun: (run) => void runs.push(run),
          });
          const options = { asOf: "t", by: "g", how, direction, tolerance: 40 } as const;
          const stream = fromBatches(left, { engine: of })
            .pipeThrough(asOfJoin(fromBatches(right, { engine: of }), options))
            .pipeThrough(select(...columns));
          const rows = rowsOf((await toTable(stream)).batches);
          const spilled = runs.flatMap(({ operators }) => operators)
            .reduce((sum, { bytesSpilled }) => sum + bytesSpilled, 0);
          return { rows, spilled };
        };
        const all = ["t", "g", "v", "v_right"];
        const whole = await run(2 ** 30, all);
        assertEquals(whole.spilled, 0);
        for (const memory of [1, 100_000]) {
          const divided = await run(memory, all);
          assertEquals(divided.rows, whole.rows);
          assert(divided.spilled > 100_000, `${divided.spilled} bytes in files`);
          assertEquals([...Deno.readDirSync(temp)], []);
        }
        const some = await run(1, ["t"]);
        assertEquals(some.rows, whole.rows.map(({ t }) => ({ t })));
      }
    }
    // An error, and an end before the end.
    const engineOf = () => createEngine({ device: "cpu", memory: 1, temp });
    const broken = (side: "left" | "right") => {
      const of = engineOf();
      const good = groupedBatches(5, (row) => row % 5);
      const bad = [...good, good[0]!];
      return fromBatches(side === "left" ? bad : good, { engine: of }).pipeThrough(
        asOfJoin(fromBatches(side === "left" ? good : bad, { engine: of }), { asOf: "t", by: "g" }),
      );
    };
    for (const side of ["left", "right"] as const) {
      await assertRejects(() => toTable(broken(side)), StepError, "is not sorted by t");
      assertEquals([...Deno.readDirSync(temp)], []);
    }
    const of = engineOf();
    const sorted = groupedBatches(5, (row) => row % 5);
    const early = fromBatches(sorted, { engine: of })
      .pipeThrough(asOfJoin(fromBatches(sorted, { engine: of }), { asOf: "t", by: "g" }))
      .pipeThrough(head(3));
    assertEquals((await toTable(early)).numRows, 3);
    assertEquals([...Deno.readDirSync(temp)], []);
  } finally {
    await Deno.remove(temp, { recursive: true });
  }
});

Deno.test("only the keys of the groups have to fit into memory", async () => {
  const of = createEngine({ device: "cpu", memory: 5 << 20 });
  const side = (key: (row: number) => string) =>
    Array.from({ length: 6 }, (_, index) => {
      const rows = Array.from({ length: 1000 }, (_, row) => index * 1000 + row);
      return bareBatchOf({
        t: [new arrow.Int64(), rows.map(BigInt)],
        g: [new arrow.Utf8(), rows.map(key)],
      });
    });
  const run = (left: arrow.RecordBatch[], right: arrow.RecordBatch[], by: string[]) =>
    toTable(
      fromBatches(left, { engine: of })
        .pipeThrough(asOfJoin(fromBatches(right, { engine: of }), { asOf: "t", by })),
    );
  const long = "x".repeat(1000);
  const [few, many] = [side((row) => `${long}${row % 9}`), side((row) => `${long}${row}`)];
  assertEquals((await run(few, few, ["g"])).numRows, 6000);
  for (const [left, right] of [[few, many], [many, few]] as const) {
    await assertRejects(() => run(left, right, ["g"]), StepError, "holds the keys of its");
  }
  assertEquals((await run(many, many, [])).numRows, 6000);
});
