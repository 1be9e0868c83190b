/** A write in the middle of a pipeline: what it passes on, and which files appear when. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  Int32,
  RecordBatch,
  type Table,
  tableFromIPC,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";
import {
  type BatchStream,
  createEngine,
  expr,
  filter,
  fromBatches,
  head,
  type Operator,
  read,
  regroup,
  select,
  slice,
  tail,
  toTable,
  withColumns,
  write,
} from "../../../../mod.ts";
import { WrittenRows } from "../../../../ops/source/written_rows.ts";
import { namesIn } from "../../../support/processes/bad_commands.ts";
import { inFolder, sluice, sluiceCommand } from "../../../support/processes/sluice.ts";
import { numberedBatches, watchedStream } from "../../../support/pipelines/pipeline_streams.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { batchOf, rowsOf } from "../../../support/values/streams_samples.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

const numRows = 500;
const moments = batchOf({
  at: [new TimestampMicrosecond(), Array.from({ length: numRows }, (_, row) => row * 1000)],
  n: [new Int32(), Array.from({ length: numRows }, (_, row) => row)],
  who: [new Utf8(), Array.from({ length: numRows }, (_, row) => row % 3 === 0 ? "" : `w${row}`)],
});

/** Runs a command in a folder that has the moments as `in.arrow`; says what it left there. */
async function run(words: string, stdin?: Uint8Array) {
  let result: Awaited<ReturnType<typeof sluice>> & { readonly left: string[] };
  const files = new Map<string, Uint8Array>();
  await inFolder({}, async (cwd) => {
    await fromBatches(moments).pipeTo(write(`${cwd}/in.arrow`));
    const options = stdin === undefined ? { cwd } : { cwd, stdin };
    const ran = await sluice(words.split(" "), options);
    result = { ...ran, left: namesIn(cwd).filter((name) => name !== "in.arrow") };
    for (const name of result.left) {
      const path = `${cwd}/${name}`;
      if (Deno.statSync(path).isFile) files.set(name, await Deno.readFile(path));
    }
  });
  return { ...result!, files };
}

const linesIn = (bytes: Uint8Array | undefined) =>
  new TextDecoder().decode(bytes).split("\n").length - 1;

Deno.test("a write in the middle passes on the rows that came to it, not what it wrote", async () => {
  const { status, err, files, left } = await run(
    "read in.arrow then write a.csv then write b.ndjson then write c.arrow",
  );
  assertEquals([status, err, left], [0, "", ["a.csv", "b.ndjson", "c.arrow"]]);
  const table = tableFromIPC(files.get("c.arrow")!);
  assertEquals(String(table.schema), String(moments.schema));
  assertEquals(rowsOf(table.batches), rowsOf([moments]));
  assertEquals([linesIn(files.get("a.csv")), linesIn(files.get("b.ndjson"))], [501, 500]);
});

Deno.test("the steps behind a write take what they need, and the file gets all rows", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["head 3 then count", "3\n"],
    ["count", "500\n"],
    ["slice -2: then select n then write - --format csv", "n\n498\n499\n"],
    ["take 7,3 then select n then write - --format csv", "n\n7\n3\n"],
    ["slice ::-1 --hold then head 1 then select n then write - --format csv", "n\n499\n"],
    ["with m=n then drop at who then head 1 then write - --format csv", "n,m\n0,0\n"],
    ["select n then show 1", "    n\nint32\n─────\n    0\n1 of 500 rows\n"],
    ["select n then schema", "n  int32\n"],
  ];
  for (const [words, expected] of someOf(cases, 3)) {
    const { status, out, err, files, left } = await run(
      `read in.arrow then write a.csv then ${words}`,
    );
    assertEquals([words, status, out, err], [words, 0, expected, ""]);
    assertEquals([left, linesIn(files.get("a.csv"))], [["a.csv"], 501]);
  }
});

Deno.test("one step that fails leaves none of the files behind", async () => {
  const table: readonly (readonly [string, number, RegExp])[] = [
    // In the last file, in the first one, in a step between, and before the first row.
    [
      "read in.arrow then write a.csv then with l=who.split('w') then write b.csv",
      1,
      /^sluice: error: step 4, write: b\.csv: column l /,
    ],
    [
      "read in.arrow then with l=who.split('w') then write a.csv then drop l then write b.arrow",
      1,
      /^sluice: error: step 3, write: a\.csv: column l /,
    ],
    [
      "read in.arrow then write a.csv then with m=who.toInteger({strict:true}) then write b.arrow",
      1,
      /^sluice: error: step 3, with: .* refuses "" \(row 0\)/,
    ],
    [
      "read in.arrow then write a.csv then head 2 then write b.arrow then with m=missing then write c.arrow",
      2,
      /^sluice: error: step 5, with: Unknown column missing/,
    ],
    [
      "read in.arrow then write a.csv then write none/b.csv",
      1,
      /^sluice: error: step 3, write: none\/b\.csv: cannot be written/,
    ],
    [
      "read in.arrow then write a.csv then write b.csv then write a.csv",
      2,
      /^sluice: error: step 4, write: step 2 already writes a\.csv$/m,
    ],
    [
      "read in.arrow then write a.csv then join a.csv --on n then count",
      2,
      /^sluice: error: step 3, join: step 2 writes a\.csv, which exists only when the command ends$/m,
    ],
  ];
  for (const [words, expected, line] of someOf(table, 3)) {
    const { status, out, err, left } = await run(words);
    assertMatch(err, line);
    assertEquals([words, status, out, left], [words, expected, "", []]);
  }
});

Deno.test("a file that is written is known however its path is written", async () => {
  await inFolder({}, async (cwd) => {
    await fromBatches(moments).pipeTo(write(`${cwd}/in.arrow`));
    Deno.mkdirSync(`${cwd}/real`);
    Deno.symlinkSync("real", `${cwd}/link`);
    Deno.writeTextFileSync(`${cwd}/real/old.csv`, "n\n1\n");
    const other = ["./real/A", "real/../real/A", "link/A", `${cwd}/real/A`, `file://${cwd}/link/A`];
    for (const file of ["new.csv", "old.csv"]) {
      for (const path of someOf(other, 2).map((name) => name.replace("A", file))) {
        const before = ["read", "in.arrow", "then", "write", `real/${file}`, "then"];
        const again = await sluice([...before, "write", path], { cwd });
        assertMatch(again.err, /^sluice: error: step 3, write: step 2 already writes .*\n$/);
        const read = await sluice([...before, "join", path, "--on", "n", "then", "count"], { cwd });
        assertMatch(
          read.err,
          /^sluice: error: step 3, join: step 2 writes .*, which exists /,
        );
        assertEquals([again.status, read.status, read.out], [2, 2, ""]);
      }
    }
    assertEquals(namesIn(`${cwd}/real`), ["old.csv"]);
    assertEquals(Deno.readTextFileSync(`${cwd}/real/old.csv`), "n\n1\n");
  });
});

Deno.test("rows that fail behind those that a later file needed leave neither file", async () => {
  const csv = `n\n${"1\n".repeat(20_000)}x\n`;
  const words = "read - --format csv then write a.csv then head 2 then write b.arrow";
  const { status, err, left } = await run(words, new TextEncoder().encode(csv));
  assertMatch(err, /^sluice: error: step 1, read: standard input: row 20000, column n: /);
  assertEquals([status, left], [1, []]);
});

Deno.test("explain writes nothing, and shows the steps before and behind each write", async () => {
  const { status, out, err, left } = await run(
    "--stats read in.arrow then filter n>3 then write a.csv then with m=n then write b.csv then explain",
  );
  assertEquals([status, left], [0, []]);
  const lines = ["  read in.arrow", "  filter n > 3", "write a.csv, which passes the rows on"]
    .concat("  read rows of a.csv", "  withColumns m = n", "write b.csv, which passes the rows on");
  let from = 0;
  for (const line of lines) {
    const at = out.indexOf(`\n${line}\n`, from);
    assert(at >= 0, line);
    from = at;
  }
  assert(!err.includes("written"), err);
});

Deno.test("--stats counts the rows of each part, and the bytes of each file, in order", async () => {
  const { err } = await run("--stats read in.arrow then write a.csv then head 3 then write b.csv");
  const told = err.split("\n").filter((line) => /^(rows|written)/.test(line))
    .map((line) => line.replace(/, [\d.]+ \w*B$/, ""));
  assertEquals(told, [
    "rows         500 in, 500 out",
    "rows         500 in, 3 out",
    "written      a.csv",
    "written      b.csv",
  ]);
});

Deno.test({
  name: "a reader of stdout that leaves early takes no rows from the file beside it",
  ignore: Deno.build.os === "windows",
  fn: () =>
    inFolder({}, async (cwd) => {
      await fromBatches(numberedBatches(400, 500)).pipeTo(write(`${cwd}/in.arrow`));
      for (const last of someOf(["write - --format csv", "show 100000"], 1)) {
        const words = `read in.arrow then write a.csv then ${last}`.split(" ");
        const child = sluiceCommand(words, { cwd }).spawn();
        const reader = child.stdout.getReader();
        await reader.read();
        await reader.cancel();
        const err = await new Response(child.stderr).text();
        assertEquals([(await child.status).code, err], [0, ""]);
        assertEquals((await Deno.readTextFile(`${cwd}/a.csv`)).split("\n").length - 1, 200_001);
        await Deno.remove(`${cwd}/a.csv`);
      }
    }),
});

Deno.test("arrays of Zarr pass on their chunks, and appear with the other files", () =>
  inFolder({}, async (cwd) => {
    await Deno.mkdir(`${cwd}/a.zarr`);
    const array = { zarr_format: 2, shape: [4], chunks: [2], dtype: "<i4", fill_value: 0 };
    const rest = { compressor: null, filters: null, order: "C" };
    await Deno.writeTextFile(`${cwd}/a.zarr/.zarray`, JSON.stringify({ ...array, ...rest }));
    for (const chunk of [0, 1]) {
      const items = Int32Array.of(10 * chunk + 1, 10 * chunk + 2);
      await Deno.writeFile(`${cwd}/a.zarr/${chunk}`, new Uint8Array(items.buffer));
    }
    const words = "read a.zarr then write b.zarr then write c.arrow then count".split(" ");
    const { status, out, err } = await sluice(words, { cwd });
    assertEquals([status, out, err], [0, "2\n", ""]);
    const tables = await Promise.all(
      ["a.zarr", "b.zarr", "c.arrow"].map((name) => toTable(read(`${cwd}/${name}`))),
    );
    const items = tables.map((table) =>
      table.toArray().map((row) => Object.values(row.toJSON()).map((list) => [...list as number[]]))
    );
    assertEquals(items[1], items[0]);
    assertEquals(items[2], items[0]);
    const failing = "read a.zarr then write d.zarr then select origin then write e.csv".split(" ");
    assertEquals((await sluice(failing, { cwd })).status, 1);
    assertEquals(namesIn(cwd), ["a.zarr", "b.zarr", "c.arrow"]);
  }));

Deno.test("one batch is on its way at a time, and nothing is read ahead of the steps behind", () =>
  inFolder({}, async (cwd) => {
    // Without rewrites a source joins no batches.
    const engine = createEngine({ device: "cpu", fuse: false });
    const { stream, seen } = watchedStream((index) => numberedBatches(1)[index < 100 ? 0 : 1]);
    const input = fromBatches(stream, { engine });
    const sink = write(`${cwd}/a.csv`);
    const places = {
      ofInput: <T>(work: () => Promise<T>) => work(),
      ofFile: <T>(work: () => Promise<T>) => work(),
    };
    const rows = new WrittenRows(input, sink, places);
    const passed = rows.stream(engine, await input.schema()).getReader();
    const before = seen.pulled;
    for (let count = 1; count <= 50; count++) {
      const { value } = await passed.read();
      assert(value instanceof RecordBatch);
      assert(seen.pulled <= before + count + 1, `${seen.pulled} pulled for ${count}`);
    }
    await passed.cancel();
    assertEquals([seen.cancelled, seen.pulled < 55], [false, true]);
    await rows.finish();
    assertEquals(namesIn(cwd).length, 1);
    assertMatch(namesIn(cwd)[0]!, /partial$/);
    await rows.commit();
    assertEquals(namesIn(cwd), ["a.csv"]);
    assertEquals((await Deno.readTextFile(`${cwd}/a.csv`)).split("\n").length - 1, 101);
    await assertRejects(() => toTable(input));
  }));

/** Steps that may stand on either side of a write. */
const someSteps: Readonly<Record<string, () => Operator>> = {
  "a filter": () => filter(expr('n != 4 && who != "w9"')),
  "a column": () => withColumns({ loud: expr('who.upper() + "!"') }),
  "a replaced column": () => withColumns({ who: expr("who.left(2)") }),
  "a slice": () => slice(3, -2),
  "rows backwards": () => slice(null, null, -1, { hold: true }),
  "the first rows": () => head(7),
  "the last rows": () => tail(5),
  "few columns": () => select("who", "n"),
  "other batches": () => regroup({ rows: 4 }),
};

Deno.test("any steps give with a write between them what they give without, and the file has what came to it", async () => {
  const draws = new Draws([...Object.keys(someSteps), "two writes", "csv", "arrow", "parquet"]);
  const engine = createEngine({ device: "cpu" });
  const places = {
    ofInput: <T>(work: () => Promise<T>) => work(),
    ofFile: <T>(work: () => Promise<T>) => work(),
  };
  await forSeeds(fewOr(10, 40), (random) =>
    inFolder({}, async (folder) => {
      const parts = Array.from(
        { length: random.chance(0.4) ? 3 : 2 },
        () => Array.from({ length: random.below(3) }, () => random.pick(Object.keys(someSteps))),
      );
      if (parts.length === 3) draws.add("two writes");
      const rows = 1 + random.below(30);
      const open = () => fromBatches(moments.slice(0, rows), { engine });
      const piped = (stream: BatchStream, steps: readonly string[]) =>
        steps.reduce(
          (input, step) => (draws.add(step), input.pipeThrough(someSteps[step]!())),
          stream,
        );
      const written: {
        readonly rows: WrittenRows;
        readonly path: string;
        readonly steps: string[];
      }[] = [];
      let stream = piped(open(), parts[0]!);
      for (const [at, part] of parts.slice(1).entries()) {
        const format = random.pick(["csv", "arrow", "parquet"]);
        draws.add(format);
        const path = `${folder}/${at}.${format}`;
        const passed = new WrittenRows(stream, write(path), places);
        written.push({ rows: passed, path, steps: parts.slice(0, at + 1).flat() });
        stream = piped(passed.stream(engine, await stream.schema()), part);
      }
      const text = (table: Table) =>
        JSON.stringify(rowsOf(table.batches), (_, value) =>
          typeof value === "bigint" ? Number(value) : value);
      const expected = await toTable(piped(open(), parts.flat()));
      const found = await toTable(stream);
      assertEquals([String(found.schema), text(found)], [String(expected.schema), text(expected)]);
      for (const { rows } of written.toReversed()) {
        await rows.finish();
      }
      for (const { rows } of written) {
        await rows.commit();
      }
      for (const { path, steps } of written) {
        const came = await toTable(piped(open(), steps));
        const held = await toTable(read(path, { engine }));
        assertEquals(held.numRows, came.numRows, path);
        if (!path.endsWith("csv")) {
          assertEquals(text(held), text(came), path);
        }
      }
    }), draws);
});
