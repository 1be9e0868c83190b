import { assert, assertEquals } from "@std/assert";
import { ThreadLife } from "../../../../../base/threads/life.ts";
import { threadStarter } from "../../../../../base/threads/thread.ts";
import type { KeyType, ResultRows, TableRequest } from "../../../../../gpu/backend.ts";
import type { ColumnType, HostColumn } from "../../../../../gpu/column/column.ts";
import { createHostBackend } from "../../../../../gpu/host/backend.ts";
import { HostJoinTable } from "../../../../../gpu/host/join/join_table.ts";
import { JoinThreads } from "../../../../../gpu/host/join/join_threads.ts";
import { joinProgram } from "../../../../../gpu/host/join/join_program.ts";
import type { FromJoinWorker, ToJoinWorker } from "../../../../../gpu/host/join/join_threads.ts";
import { type JoinHow, joinKinds } from "../../../../../gpu/join_kind.ts";
import { ALL_TYPES, randomColumn, slicedColumn } from "../../../../support/models/column_model.ts";
import { expectFailedParts } from "../../../../support/failed_parts.ts";
import {
  joinOn,
  onPart,
  openJoinThreads,
  type ProbeBatch,
  sabotagedJoins,
} from "../../../../support/joins/join_threads.ts";
import { Draws, forSeeds, SeededRandom } from "../../../../support/random/seeded_random.ts";
import { atMost, tableRequest } from "../../../../support/joins/table_request.ts";
import { assertSameColumn } from "../../../../support/processes/threads.ts";
import { turns, until } from "../../../../support/running/until.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const INT32: ColumnType = { kind: "int", bits: 32, signed: true };
const INT64: ColumnType = { kind: "int", bits: 64, signed: true };
const STRING: ColumnType = { kind: "string" };
const HOWS = Object.keys(joinKinds).filter((how) => how !== "cross") as JoinHow[];

/** Keys of each form that an index has. */
const KEYS: Readonly<
  Record<string, {
    readonly keyType: KeyType;
    readonly type: ColumnType;
    value(random: SeededRandom): string | bigint;
  }>
> = {
  dense: {
    keyType: { kind: "int", bits: 32 },
    type: INT32,
    value: (random) => BigInt(random.below(60)),
  },
  "dense, two words": {
    keyType: { kind: "int", bits: 64 },
    type: INT64,
    value: (random) => 2n ** 40n + BigInt(random.below(60)),
  },
  hashed: {
    keyType: { kind: "int", bits: 32 },
    type: INT32,
    value: (random) => BigInt.asIntN(32, BigInt(random.below(60)) * 0x2545f491n),
  },
  "hashed, two words": {
    keyType: { kind: "int", bits: 64 },
    type: INT64,
    value: (random) => BigInt.asIntN(64, BigInt(random.below(60)) * 0x2545f4914f6cdd1dn),
  },
  "widened to two words": {
    keyType: { kind: "int", bits: 64 },
    type: { kind: "int", bits: 16, signed: true },
    value: (random) => BigInt(random.below(60) * 500 - 1000),
  },
  "short text": {
    keyType: { kind: "string" },
    type: STRING,
    value: (random) => random.pick(["", "a", "ab", "Åsa", "a\0", "abcdefgh"]) + random.below(9),
  },
  "long text": {
    keyType: { kind: "string" },
    type: STRING,
    value: (random) => random.pick(["Ján", "a name of many letters, "]).repeat(random.below(6)),
  },
};

interface Case {
  readonly request: TableRequest;
  readonly batches: readonly ProbeBatch[];
  readonly maxRows: number;
  readonly what: string;
}

function randomCase(random: SeededRandom, draws?: Draws): Case {
  const form = random.pick(Object.keys(KEYS));
  const { keyType, type, value } = KEYS[form]!;
  const how = random.pick(HOWS);
  const nulls = random.pick([0, 0.2]);
  const keysOf = (numRows: number) =>
    slicedColumn(
      random,
      type,
      Array.from({ length: numRows }, () => random.chance(nulls) ? null : value(random)),
    );
  const columnsOf = (numRows: number, types: readonly ColumnType[]) =>
    types.map((columnType) => randomColumn(random, columnType, numRows));
  const types = () => Array.from({ length: random.below(5) }, () => random.pick(ALL_TYPES));
  const numBuild = random.pick([0, 1, 20, 200]);
  const isUnique = random.chance(0.3);
  const unique = [...new Set(Array.from({ length: numBuild }, () => value(random)))];
  const key = isUnique ? slicedColumn(random, type, unique) : keysOf(numBuild);
  const request: TableRequest = {
    ...tableRequest(key, keyType, columnsOf(key.length, types()), how),
    buildOnlyPayload: columnsOf(key.length, random.chance(0.3) ? [INT32] : []),
    nullsEqual: random.chance(0.3),
  };
  const probeTypes = types();
  const batches = Array.from({ length: 1 + random.below(6) }, () => {
    const numRows = random.pick([1, 9, 64, 300]);
    return { key: keysOf(numRows), columns: columnsOf(numRows, probeTypes) };
  });
  draws?.add(form);
  draws?.add(how);
  const maxRows = random.pick([7, 100, 4096]);
  return { request, batches, maxRows, what: `${how} by ${form}` };
}

function assertSameResults(
  actual: readonly ResultRows[],
  wanted: readonly ResultRows[],
  what: string,
): void {
  assertEquals(actual.map(({ numRows }) => numRows), wanted.map(({ numRows }) => numRows), what);
  actual.forEach(({ columns }, index) => {
    const others = wanted[index]!.columns as readonly HostColumn[];
    assertEquals(columns.length, others.length, what);
    columns.forEach((column, place) => {
      const where = `${what}, result ${index}, column ${place}`;
      assertSameColumn(column as HostColumn, others[place]!, where);
      assertEquals((column as HostColumn).children, others[place]!.children, where);
    });
  });
}

async function assertSameJoins(
  threads: JoinThreads,
  rounds: number,
  draws = new Draws([]),
): Promise<void> {
  await forSeeds(rounds, async (random) => {
    const { request, batches, maxRows, what } = randomCase(random, draws);
    const wanted = await joinOn(undefined, request, batches, atMost(maxRows));
    const actual = await joinOn(threads, request, batches, atMost(maxRows));
    assertSameResults(actual, wanted, what);
  }, draws);
}

Deno.test("joins give the same bytes on threads, and a worker does some of them", async () => {
  using threads = await openJoinThreads();
  await assertSameJoins(threads, fewOr(12, 250), new Draws([...HOWS, ...Object.keys(KEYS)]));
  await until(() => threads.numTheirs > 50, "it does", () => assertSameJoins(threads, 10));
  assertEquals(threads.numFailed, 0);
});

const STRANGE = {
  "are late now and then": onPart("if (Math.random() < 0.1) nap(200);"),
  "die when they have begun a part": onPart(
    'if (numParts === 9) { postMessage = () => {}; setTimeout(() => { throw new Error("dead") }); }',
  ),
  "stand still for ever when they have begun a part": onPart("if (numParts === 9) for (;;);"),
  "fail at all they do": "Map.prototype.get = () => { throw 1; };",
  "forget their tables": "Map.prototype.get = () => undefined;",
  "end without a word": onPart("if (numParts === 9) { close(); for (;;); }"),
  "answer nothing": "postMessage = () => {};",
  "cannot start": "throw new Error('a worker that does not start, for the test');",
};

for (const [what, code] of Object.entries(STRANGE)) {
  Deno.test(`joins give the same bytes with workers that ${what}`, async () => {
    using _ = expectFailedParts();
    using threads = await openJoinThreads(sabotagedJoins(code), () => true);
    // Turns in which they can come.
    for (let round = 0; round < 4; round++) {
      await assertSameJoins(threads, 4);
      await turns(20);
    }
  });
}

Deno.test("what fails on a worker and not here is counted", async () => {
  using _ = expectFailedParts();
  let numFailed = 0;
  const work = async () => {
    using threads = await openJoinThreads(sabotagedJoins(STRANGE["fail at all they do"]));
    await assertSameJoins(threads, 3);
    numFailed = threads.numFailed;
  };
  await until(() => numFailed > 0, "some fail", work);
});

Deno.test("workers leave soon after the last table", async () => {
  const threads = await openJoinThreads();
  const { request } = randomCase(new SeededRandom(1));
  const table = new HostJoinTable(request, threads);
  threads.add(table);
  table.release();
  await until(() => threads.numWorkers === 0, "the worker leaves");
});

Deno.test("another worker comes for one that left while its batch was prepared", async () => {
  const lives: ThreadLife[] = [];
  const threads = new JoinThreads({
    threads: 2,
    always: true,
    start: () => ({
      send(message) {
        if (!("control" in message)) return;
        const life = new ThreadLife(message.control);
        life.start();
        lives.push(life);
      },
      end() {},
    }),
  });
  const { request, batches: [batch] } = randomCase(new SeededRandom(1));
  const table = new HostJoinTable(request, threads);
  const { batchOf } = table;
  table.batchOf = (...parameters) => {
    assert(lives.at(-1)!.leave());
    return batchOf.apply(table, parameters);
  };
  threads.add(table);
  for (let round = 1; round <= 10; round++) {
    assertEquals(await threads.probe(table, batch!.key, batch!.columns, atMost(7)), null);
    assertEquals([lives.length, threads.numTheirs, threads.numLate, threads.numFailed], [
      round,
      0,
      0,
      0,
    ]);
  }
});

Deno.test("workers stay while a table is in use, and end when the threads are closed", async () => {
  const threads = await openJoinThreads();
  const { request, batches, maxRows } = randomCase(new SeededRandom(1));
  const [first, second] = [0, 1].map(() => new HostJoinTable(request, threads));
  threads.add(first!);
  threads.add(second!);
  assertEquals(threads.numWorkers, 1);
  first!.release();
  second!.release();
  // The table of `openJoinThreads` is in use.
  assertEquals(threads.numWorkers, 1);
  threads.close();
  assertEquals(threads.numWorkers, 0);
  const { key, columns } = batches[0]!;
  assertEquals(threads.probe(second!, key, columns, atMost(maxRows)), undefined);
});

Deno.test("a batch is done when the threads are closed in the middle of it", async () => {
  using threads = await openJoinThreads(sabotagedJoins(onPart("nap(50);")));
  await forSeeds(3, async (random) => {
    const { request, batches, maxRows, what } = randomCase(random);
    const wanted = await joinOn(undefined, request, batches, atMost(maxRows));
    const actual = joinOn(threads, request, batches, atMost(maxRows));
    threads.close();
    assertSameResults(await actual, wanted, what);
  });
});

Deno.test("a worker comes while a large table is built, and none for small ones or one thread", async () => {
  for (
    const [count, numRows, wanted] of [[2, 1 << 18, 1], [2, 1000, 0], [1, 1 << 18, 0]] as const
  ) {
    let numStarted = 0;
    const threads = new JoinThreads({
      threads: count,
      start(hearers) {
        numStarted++;
        return threadStarter<ToJoinWorker, FromJoinWorker>(joinProgram)(hearers);
      },
    });
    threads.expect(numRows);
    threads.expect(numRows);
    assertEquals(numStarted, wanted);
    await until(() => threads.numWorkers >= wanted, "the worker comes");
    threads.expect(numRows);
    assertEquals(numStarted, wanted);
    threads.close();
  }
});

Deno.test("small batches and one thread start no workers", () => {
  const { key, columns } = { key: randomKeys(100), columns: [] };
  for (const count of [1, 2]) {
    const threads = new JoinThreads({ threads: count });
    const table = new HostJoinTable(tableRequest(key, { kind: "int", bits: 32 }, []), threads);
    threads.add(table);
    threads.noteAlone(1000, 100_000);
    assertEquals(threads.probe(table, key, columns, atMost(10)), undefined);
    assertEquals([threads.numWorkers, threads.depth, table.depth], [0, 1, 1]);
    table.release();
  }
});

function randomKeys(length: number): HostColumn {
  const values = Int32Array.from({ length }, (_, row) => row);
  const data = new Uint8Array(values.buffer);
  const rest = { nullCount: 0, validity: null, offsets: null, children: [] };
  return { place: "host", type: INT32, length, data, ...rest };
}

Deno.test("a backend sends large batches to workers once it has probed for a while", async () => {
  const backend = createHostBackend({ threads: 2 });
  const key = randomKeys(65_536);
  const limits = { rows: 65_536, bytes: 1 << 28 };
  const table = await backend.buildTable(
    tableRequest(key, { kind: "int", bits: 32 }, [key, key]),
  );
  try {
    assertEquals(table.depth, 1);
    for (let round = 0; table.depth === 1; round++) {
      if (round > 20_000) throw new Error("No worker comes");
      for await (const { numRows } of backend.probe(table, key, [key], key.length, limits)) {
        assertEquals(numRows, key.length);
      }
      await new Promise((resolve) => setTimeout(resolve));
    }
    // It may be late; the results are there all the same.
    const results = Array.from(
      { length: 20 },
      () => Array.fromAsync(backend.probe(table, key, [key], key.length, limits)),
    );
    for (const [{ numRows, columns } = { numRows: 0, columns: [] }] of await Promise.all(results)) {
      assertEquals(numRows, key.length);
      for (const column of columns) assertEquals((column as HostColumn).data, key.data);
    }
    assertEquals(backend.counters.failedParts, 0);
  } finally {
    table.release();
    backend.close();
  }
});

Deno.test("workers of joins keep no process from its end, and need no permission", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "--no-check", "--no-prompt", "tests/support/joins/join_threads_job.ts"],
    stdout: "piped",
    stderr: "piped",
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), { numBatches: 200 });
});
