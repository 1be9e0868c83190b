import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Float64, Int32, Int64, type RecordBatch, Utf8 } from "apache-arrow";
import {
  type BatchStream,
  col,
  ConversionError,
  countRows,
  createEngine,
  fromBatches,
  join,
  right,
  type RunStats,
  select,
  StepError,
  toTable,
  type WhereJoinOptions,
} from "../../../../../mod.ts";
import { ExprError, showPlace } from "../../../../../base/errors/expr_error.ts";
import { bytesSpilled } from "../../../../support/joins/bytes_spilled.ts";
import {
  idsOf,
  silentStream,
  watchedStream,
} from "../../../../support/pipelines/pipeline_streams.ts";
import { batchOf, rowsOf, wordsBatch } from "../../../../support/values/streams_samples.ts";
import { turns, until } from "../../../../support/running/until.ts";

const runs: RunStats[] = [];
const engine = createEngine({ device: "cpu", onRun: (run) => runs.push(run) });

/** The intervals of people's shifts, and moments at which something happened. */
const shifts = batchOf({
  who: [new Utf8(), ["Ada", "Zoë", null, "Ömer"]],
  start: [new Int32(), [0, 5, 2, null]],
  stop: [new Int32(), [6, 9, 2, 7]],
});
const moments = batchOf({
  t: [new Int64(), [5n, 1n, null, 8n, 5n]],
  what: [new Utf8(), ["tea", "call", "none", "mail", "bus"]],
});

function joined(
  left: RecordBatch | BatchStream,
  right: RecordBatch | BatchStream,
  options: WhereJoinOptions,
): BatchStream {
  const [stream, build] = [left, right].map((side) =>
    "pipeThrough" in side ? side : fromBatches(side, { engine })
  );
  return stream!.pipeThrough(join(build!, options));
}

async function rows(...args: Parameters<typeof joined>) {
  return rowsOf((await toTable(joined(...args))).batches);
}

const during = "start <= right.t && right.t < stop";

Deno.test("rows come in the order of the stream, and within a row in that of the build side", async () => {
  const found = await rows(shifts, moments, { where: during });
  assertEquals(found.map(({ who, t, what }) => [who, t, what]), [
    ["Ada", 5n, "tea"],
    ["Ada", 1n, "call"],
    ["Ada", 5n, "bus"],
    ["Zoë", 5n, "tea"],
    ["Zoë", 8n, "mail"],
    ["Zoë", 5n, "bus"],
  ]);
});

Deno.test("a left join keeps every row of the stream, whatever the condition says of it", async () => {
  const where = `${during} && who != "Zoë" && right.what != "tea"`;
  const found = await rows(shifts, moments, { where, how: "left" });
  assertEquals(found.map(({ who, t, what }) => [who, t, what]), [
    ["Ada", 1n, "call"],
    ["Ada", 5n, "bus"],
    ["Zoë", null, null],
    [null, null, null],
    ["Ömer", null, null],
  ]);
});

Deno.test("the result has the columns of both sides, with a suffix where names meet", async () => {
  const names = async (options: Partial<WhereJoinOptions>) =>
    (await joined(shifts, shifts, { where: "start < right.start", ...options }).schema()).names;
  const own = ["who", "start", "stop"];
  assertEquals(await names({}), [...own, "who_right", "start_right", "stop_right"]);
  assertEquals(await names({ suffix: "2" }), [...own, "who2", "start2", "stop2"]);
  assertEquals(await names({ columns: ["stop"] }), [...own, "stop_right"]);
  await assertRejects(
    () => names({ suffix: "" }),
    StepError,
    'step 2, join: Columns 1 and 4 would have the same name, "who"; give another suffix',
  );
});

Deno.test("columns that nobody wants are left out, and rows that nobody sees are counted", async () => {
  const stream = () => joined(shifts, moments, { where: during });
  const picked = stream().pipeThrough(select("what", "who"));
  const explained = await picked.explain();
  assert(explained.includes("left out: start, stop, t"), explained);
  assertEquals(rowsOf((await toTable(picked)).batches)[1], { what: "call", who: "Ada" });
  assertEquals(await countRows(stream()), 6);
  assertEquals(await countRows(joined(shifts, moments, { where: during, how: "left" })), 8);
  // Not even a column of the build side is read.
  assertEquals(await countRows(joined(shifts, moments, { where: "start > 1" })), 10);
});

Deno.test("the plan says what is searched, and warns of a nested loop", async () => {
  const lines = async (where: string) => {
    const text = await joined(shifts, moments, { where }).explain();
    const known = /^ {4}(keys|of the stream|of the build side|search|of pairs|warning): /;
    return text.split("\n").filter((line) => known.test(line)).map((line) => line.trim());
  };
  assertEquals(
    await lines(`upper(who) == right.what && ${during} && stop > 1 && right.what != "x"`),
    [
      "keys: who.upper() == right.what (string with string, as string)",
      "of the stream: stop > 1",
      'of the build side: right.what != "x"',
      "search: start <= right.t && stop > right.t, sorted",
    ],
  );
  // What is bounded on both sides is sorted, whatever comes first.
  assertEquals(
    await lines(
      "who > right.what && start + 1 >= right.t && !(start > right.t) && stop != right.t",
    ),
    [
      "search: start + 1 >= right.t && start <= right.t, sorted",
      "search: who > right.what, by a tree",
      "of pairs: stop != right.t",
    ],
  );
  const warning = "nothing in the condition to search by: each row is compared with all rows of " +
    "the build side";
  assertEquals(await lines("who.startsWith(right.what) || start == right.t"), [
    "of pairs: who.startsWith(right.what) || start == right.t",
    `warning: ${warning}`,
  ]);
  const before = runs.length;
  await rows(shifts, moments, { where: "start != right.t" });
  await rows(shifts, moments, { where: "start == right.t" });
  const warnings = runs.slice(before).map((run) => run.warnings);
  assertEquals(warnings.filter(({ length }) => length > 0), [[`join: ${warning}`]]);
});

const MISTAKES: readonly (readonly [where: string, carets: string, message: string])[] = [
  ["", "^", "The expression is empty"],
  ["start <=", "        ^", "The expression ends too early"],
  ["start <= right.", "               ^", "The expression ends too early"],
  ["start <= right.x", "         ^^^^^^^", "Unknown column x of the build side; there are t, what"],
  ["strat <= right.t", "^^^^^", "Unknown column strat; did you mean start?"],
  ["who <= right.t", "^^^^^^^^^^^^^^", "Cannot compare who (string) with right.t (int64)"],
  ["right.t > who", "^^^^^^^^^^^^^", "Cannot compare who (string) with right.t (int64)"],
  ["start", "^^^^^", "The condition of a join must be bool, but start is int32"],
  [
    "start < right.t && who",
    "                   ^^^",
    "Each part of the condition of a join must be bool, but who is string",
  ],
  ["!right.what", " ^^^^^^^^^^", "! needs true or false, right.what is string"],
  [
    "right.t ^ 1 < start",
    "^^^^^^^^^^^^^^^^^^^",
    "The operator ^ is not supported; ** is the power, and bitXor() compares bits",
  ],
  [
    "right.t < null",
    "^^^^^^^^^^^^^^",
    "A comparison with null is never true; use right.t.isNull()",
  ],
  ["start.upper() == right.what", "^^^^^", "upper(start): start is int32, not a string"],
  ["right['t'] = 1", "^^^^^^^^^^^^^^", "Assignment is not supported; == compares"],
  [
    "start between right.t",
    "      ^^^^^^^^^^^^^^^",
    "The expression should have ended here; between() is a method: a.between(low, high)",
  ],
];

Deno.test("a mistake in the condition is told with its place, before a row is read", async (t) => {
  for (const [where, carets, message] of MISTAKES) {
    await t.step(where, async () => {
      const find = async () => await joined(shifts, moments, { where }).schema();
      const error: Error = await find().then(() => new Error("none"), (error) => error);
      const mistake = (error.cause ?? error) as ExprError;
      assertEquals(mistake.message, message);
      assertEquals(mistake.place && showPlace(mistake.place), `${where}\n${carets}`);
    });
  }
});

Deno.test("keys of an equality are promoted, or refused with their place", async () => {
  const where = "start == right.what";
  const error = await assertRejects(() => rows(shifts, moments, { where }), StepError);
  const cause = error.cause as ExprError;
  assert(cause instanceof ExprError);
  assert(
    cause.message.startsWith("Cannot join on start=right.what: no common type for int32 and "),
  );
  assertEquals(cause.place && showPlace(cause.place), `${where}\n${"^".repeat(where.length)}`);
});

Deno.test("an int64 and a float64 compare exactly, pair by pair", async () => {
  const whole = batchOf({ n: [new Int64(), [2n ** 53n + 1n, 2n, null]] });
  const floats = batchOf({ f: [new Float64(), [2 ** 53, 2.5, NaN]] });
  const found = await rows(whole, floats, { where: "n < right.f" });
  assertEquals(found.map(({ n, f }) => [n, f]), [
    [2n ** 53n + 1n, NaN],
    [2n, 2 ** 53],
    [2n, 2.5],
    [2n, NaN],
  ]);
});

Deno.test("mistakes in options are TypeErrors at once", () => {
  const build = () => fromBatches(moments, { engine });
  const make = (options: unknown) => () => join(build(), options as WhereJoinOptions);
  assertThrows(
    make({ where: "a", how: "full" }),
    TypeError,
    'must be one of "inner", "left", not "full"',
  );
  assertThrows(make({ where: 5 }), TypeError, "The condition of a join must be an expression");
  assertThrows(
    make({ where: "a", suffix: 5 }),
    TypeError,
    "suffix of a join is a string, not a number",
  );
  assertThrows(make({ where: "a", columns: "t" }), TypeError, "columns of a join takes names");
  assertThrows(make({ where: "a", on: "t" }), TypeError, "one of the options on and where");
  const used = build();
  join(used, { where: "a" });
  assertThrows(
    () => join(used, { where: "a" }),
    TypeError,
    "The build side of a join is in use",
  );
});

Deno.test("a condition that was built is the same as its text", async () => {
  const where = col("start").le(right("t")).and(right("t").lt(col("stop")));
  assertEquals(
    await rows(shifts, moments, { where }),
    await rows(shifts, moments, { where: during }),
  );
});

Deno.test("the errors of conversions name the row of their side", async () => {
  const message = async (where: string, left = shifts, right = moments) => {
    const error = await assertRejects(() => rows(left, right, { where }), StepError);
    assert(error.cause instanceof ConversionError || error.cause instanceof Error);
    return error.message;
  };
  const numbers = (values: string[]) =>
    batchOf({ n: [new Utf8(), values], m: [new Utf8(), values] });
  const counted = (values: string[]) =>
    batchOf({ n: [new Utf8(), values], m: [new Int32(), values.map((_, row) => row)] });
  const strict = (name: string) => `${name}.toInteger({ strict: true })`;
  assertEquals(
    await message(`${strict("n")} < 3`, numbers(["1", "x"])),
    'step 2, join: toInteger(n) refuses "x" (row 1)',
  );
  assertEquals(
    await message(`start < ${strict("right.n")}`, shifts, numbers(["1", "2", "x"])),
    'step 2, join: toInteger(right.n) refuses "x", beside row 2 of the build side (row 0)',
  );
  assertEquals(
    await message(`${strict("right.n")} < 3 && start < right.m`, shifts, counted(["1", "x"])),
    'step 2, join: build side: toInteger(right.n) refuses "x" (row 1)',
  );
  assertEquals(
    await message(
      `n != right.n && ${strict("concat(n, right.n)")} > 0`,
      numbers(["1", "2"]),
      numbers(["y"]),
    ),
    'step 2, join: toInteger(n + right.n) refuses "1y", beside row 0 of the build side (row 0)',
  );
});

Deno.test("what can fail is asked of no rows but those of pairs for which the rest is true", async (t) => {
  const codes = (...values: (string | null)[]) =>
    batchOf({
      code: [new Utf8(), values],
      n: [new Int32(), values.map((code) => code === "x" ? 600_000_000 : 2)],
    });
  const none = codes().slice(0, 0);
  const [good, bad] = [codes("1", "2"), codes("1", "x")];
  // A part, where it is asked, and the error that it is where it is asked of "x".
  const parts: readonly [part: string, fails: boolean][] = [
    ["code.toInteger(true) > 0", true],
    ["right.code.toInteger(true) > 0", true],
    ["right.code.cast('int8') == n", true],
    ["code.cast('int8') <= right.n", true],
    ["(code + right.code).toInteger(true) > 0", true],
    ["right.code.zfill(right.n).isFloat()", true],
    ["code.pad(n) != ''", true],
    ["code.repeat(n) >= right.code", true],
    ["right.code.zfill(right.n) == code", true],
    ["right.code.tryCast('int8') > 0", false],
    ["right.code.zfill(3) == code.pad(3)", false],
    ["code.repeat(1) <= right.code", false],
  ];
  for (const [part, fails] of parts) {
    await t.step(part, async () => {
      const left = part.replaceAll(/right[.]\w+/g, "").includes("code") ? bad : good;
      const build = part.includes("right.code") ? bad : good;
      // No pair, so that nothing is asked.
      assertEquals(await rows(left, none, { where: part }), []);
      assertEquals(await rows(none, build, { where: part }), []);
      const lonely = await rows(left, none, { where: part, how: "left" });
      assertEquals(lonely.length, left.numRows);
      // Every pair, and those that other parts leave, wherever they stand.
      if (fails) await assertRejects(() => rows(left, build, { where: part }), StepError);
      const guard = "code != 'x' && right.code != 'x'";
      const guarded = await rows(left, build, { where: `${guard} && ${part}` });
      assertEquals(await rows(left, build, { where: `${part} && ${guard}` }), guarded);
      const lines = await joined(left, build, { where: part }).explain();
      assertEquals(lines.includes("of pairs, as it can fail: "), fails, lines);
    });
  }
});

/** Columns of numbers that count up. */
function counting(numRows: number, name = "n"): RecordBatch {
  const numbers = Int32Array.from({ length: numRows }, (_, row) => row);
  return batchOf({ [name]: [new Int32(), [...numbers]], id: [new Int32(), [...numbers]] });
}

Deno.test("a nested loop of ten million pairs goes in pieces", async () => {
  const own = createEngine({ device: "cpu" });
  const backend = await own.backend();
  const { gather, evaluate } = backend;
  const sizes = { gathered: 0, evaluated: 0, pairs: 0 };
  backend.gather = (columns, selection) => {
    sizes.gathered = Math.max(sizes.gathered, selection.length);
    return gather.call(backend, columns, selection);
  };
  backend.evaluate = (program, inputs, numRows, signal) => {
    sizes.evaluated = Math.max(sizes.evaluated, numRows);
    sizes.pairs += numRows;
    return evaluate.call(backend, program, inputs, numRows, signal);
  };
  const run = (where: string) =>
    fromBatches(counting(2000), { engine: own })
      .pipeThrough(join(fromBatches(counting(5000), { engine: own }), { where }));
  assertEquals((await toTable(run("n + right.n == -5"))).numRows, 0);
  assertEquals([sizes.gathered, sizes.evaluated, sizes.pairs], [65_536, 65_536, 10_000_000]);
  let numRows = 0;
  for await (const batch of run("n + right.n != -5")) {
    assert(batch.numRows <= 65_536, `${batch.numRows} rows`);
    numRows += batch.numRows;
  }
  assertEquals([numRows, sizes.gathered], [10_000_000, 65_536]);
  await own.close();
});

Deno.test("long text makes batches of fewer rows", async () => {
  const text = "x".repeat(1 << 20);
  const long = batchOf({ n: [new Int32(), [0, 1]], text: [new Utf8(), [text, "short"]] });
  const [fromStream, fromBuild] = [[long, counting(500)], [counting(500), long]] as const;
  for (const [left, build] of [fromStream, fromBuild]) {
    let numRows = 0;
    for await (const batch of joined(left, build, { where: "n <= right.n || right.n <= n" })) {
      assert(batch.numRows <= 700, `${batch.numRows} rows`);
      numRows += batch.numRows;
    }
    assertEquals(numRows, 1000);
  }
});

Deno.test("what cannot match takes no memory", async () => {
  const own = createEngine({ device: "cpu", memory: 100_000, onRun: (run) => runs.push(run) });
  const batch = counting(10_000);
  const large = watchedStream((index) => index < 20 ? batch : undefined);
  const where = "n == right.n && right.id >= 9999";
  const filtered = fromBatches(batch, { engine: own })
    .pipeThrough(join(fromBatches(large.stream, { engine: own }), { where }));
  runs.length = 0;
  assertEquals([await countRows(filtered), bytesSpilled(runs)], [20, 0]);
  await own.close();
});

Deno.test("cancel ends a nested loop that gives nothing, and both inputs", async () => {
  const batch = counting(20_000);
  const probe = watchedStream(() => batch);
  const build = watchedStream((index) => index < 5 ? batch : undefined);
  const reader = joined(
    fromBatches(probe.stream, { engine }),
    fromBatches(build.stream, { engine }),
    { where: "n + right.n == -5" },
  ).getReader();
  const waiting = reader.read();
  // The build side is read; behind it the loop runs.
  await until(() => build.seen.pulled === 6, "the build side is read");
  await turns(20);
  await reader.cancel("enough");
  assertEquals(await waiting, { done: true, value: undefined });
  assertEquals([probe.seen.cancelled, build.seen.pulled], [true, 6]);
});

Deno.test("cancel ends the wait for a build side that never comes", async () => {
  const build = silentStream();
  const probe = watchedStream((index) => wordsBatch(["w"], index));
  const schema = wordsBatch([]).schema;
  const reader = joined(
    fromBatches(probe.stream, { engine, schema }),
    fromBatches(build.stream, { engine, schema }),
    { where: "id < right.id" },
  ).getReader();
  const waiting = reader.read();
  await turns(2);
  await reader.cancel("no more");
  assertEquals(await waiting, { done: true, value: undefined });
  assertEquals([build.seen.cancelled, probe.seen.cancelled], [true, true]);
});

Deno.test("one row that meets everything takes the searched rows in order", async () => {
  const values = Array.from({ length: 1000 }, (_, row) => (row * 37) % 1000 / 10);
  const build = batchOf({
    x: [new Float64(), values],
    id: [new Int32(), values.map((_, row) => row)],
  });
  const probe = batchOf({ low: [new Float64(), [-1, 50, 99.85]] });
  const found = await rows(probe, build, { where: "right.x > low" });
  assertEquals(idsOf((await toTable(joined(probe, build, { where: "right.x > low" }))).batches), [
    ...values.keys(),
    ...[...values.keys()].filter((row) => values[row]! > 50),
    values.indexOf(99.9),
  ]);
  assertEquals(found.length, 1000 + 499 + 1);
});
