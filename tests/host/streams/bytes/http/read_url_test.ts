import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { FileError, fromBatches, head, read, slice, toTable, write } from "../../../../../mod.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import { writeCsv } from "../../../../../streams/formats/csv/csv.ts";
import { writeIpc } from "../../../../support/files/ipc.ts";
import { type Fault, RangeServer } from "../../../../support/files/range_server.ts";
import { forSeeds } from "../../../../support/random/seeded_random.ts";
import {
  inFolder,
  readAll,
  rowsOf,
  wordsBatch,
} from "../../../../support/values/streams_samples.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { sourceBatches } from "../../../../support/pipelines/source_batches.ts";

const names = ["a.csv", "a.tsv", "a.ndjson", "a.arrow", "a.arrows", "a.parquet"];
const numRows = 36_000;

/** The same rows in a file of each format: more bytes than the first answer has. */
const files: Record<string, Uint8Array<ArrayBuffer>> = {};
await inFolder(async (folder) => {
  for (const name of names) {
    const batches = Array.from({ length: 12 }, (_, batch) => {
      const words = Array.from({ length: numRows / 12 }, (_, row) => {
        const number = ((batch * numRows) / 12 + row) * 7919;
        return number % 11 === 0 ? null : `Zürich ${number.toString(36)} ${number % 10_007}`;
      });
      return wordsBatch(words, (batch * numRows) / 12);
    });
    const options = name.endsWith(".parquet") ? { rowGroupRows: 10_000 } : {};
    await fromBatches(batches).pipeTo(write(`${folder}/${name}`, options));
    files[name] = await Deno.readFile(`${folder}/${name}`);
  }
});
const fast = { stallMs: 5000 };

function serve(fault?: (range: string | undefined, index: number) => Fault | undefined) {
  return new RangeServer(files, { fault: (request, index) => fault?.(request.range, index) });
}

/** The ids of the rows that are read. */
async function idsOf(stream: ReturnType<typeof read>): Promise<number[]> {
  return rowsOf((await toTable(stream)).batches).map(({ id }) => Number(id));
}

/** The integers [start, stop). */
function integers(start: number, stop: number): number[] {
  return Array.from({ length: stop - start }, (_, i) => start + i);
}

for (const name of names) {
  Deno.test(`read() gives the rows of ${name} from a server, and its bytes come once`, () =>
    inFolder(async (folder) => {
      await using server = serve();
      await Deno.writeFile(`${folder}/${name}`, files[name]!);
      const source = openSource(server.url(name));
      const rows = rowsOf(await readAll(source));
      assertEquals(rows.length, numRows);
      assertEquals(rows, rowsOf(await readAll(openSource(`${folder}/${name}`))));
      const { length } = files[name]!;
      assertEquals([source.name, source.numBytes], [server.url(name), length]);
      assertEquals(source.numRequests, server.log.length);
      assertEquals(source.bytesRead, server.sentBytes);
      // Of Parquet, pages are asked for as its reader asks: some of them twice.
      const most = name.endsWith(".parquet") ? 1.1 * length : length;
      assert(source.bytesRead <= most, `${source.bytesRead} of ${length} bytes`);
      assert(server.log.every(({ status }) => status === 206));
    }));

  Deno.test(`read() gives the rows of ${name} through failures`, () =>
    forSeeds(fewOr(1, 4), async (random) => {
      const faults: Fault[] = [
        { kind: "status", status: 503 },
        { kind: "truncate", bytes: random.below(30_000) },
        { kind: "reset" },
      ];
      await using server = serve((_, index) => index % 2 === 0 ? random.pick(faults) : undefined);
      using _ = withoutWaits();
      assertEquals(await idsOf(read(server.url(name))), integers(0, numRows));
    }));
}

/** Makes every wait before a new try the shortest. */
function withoutWaits(): Disposable {
  const { random } = Math;
  Math.random = () => 0;
  return { [Symbol.dispose]: () => void (Math.random = random) };
}

for (const name of names) {
  const isParquet = name.endsWith(".parquet");
  Deno.test(`read() of ${name} from a server without ranges`, async () => {
    await using server = new RangeServer(files, { ranges: false });
    const url = server.url(name);
    if (isParquet) {
      // Its one body is kept, and all is read from there.
      const last = await idsOf(read(url).pipeThrough(slice(-5, null, 2)));
      assertEquals(last, [numRows - 5, numRows - 3, numRows - 1]);
      assertEquals(server.log.length, 1);
      assertEquals(await idsOf(read(url)), integers(0, numRows));
      return;
    }
    const source = openSource(url);
    assertEquals((await source.schema())?.names, ["id", "word"]);
    assertEquals([await source.canSeek(), await source.numRows()], [false, undefined]);
    assertEquals(server.log.length, 1);
    for (let requests = 1; requests <= 2; requests++) {
      // The body is asked for again by who reads it again.
      assertEquals(rowsOf(await readAll(source)).length, numRows);
      assertEquals([server.log.length, source.numRequests], [requests, requests]);
    }
    const ids = await idsOf(read(url).pipeThrough(slice(-5, null, 2)));
    assertEquals(ids, [numRows - 5, numRows - 3, numRows - 1]);
  });
}

Deno.test("slices of a file on a server are those of its rows", () =>
  forSeeds(fewOr(4, 12), async (random) => {
    const name = random.pick(names);
    await using server = serve();
    const bound = () => random.chance(0.2) ? null : random.below(2.4 * numRows) - 1.2 * numRows;
    const [start, stop] = [bound(), bound()];
    const ids = await idsOf(read(server.url(name)).pipeThrough(slice(start, stop)));
    assertEquals(ids, integers(0, numRows).slice(start ?? undefined, stop ?? undefined));
  }));

Deno.test("files of the server of Python, which serves no ranges, are read", () =>
  inFolder(files, async (folder) => {
    const args = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder];
    const server = new Deno.Command("python3", { args, stdout: "piped", stderr: "null" }).spawn();
    try {
      const reader = server.stdout.getReader();
      let text = "";
      while (!text.includes("\n")) text += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
      const [, port] = / port (\d+) /.exec(text)!;
      const url = (name: string) => `http://127.0.0.1:${port}/${name}`;
      const last = (name: string) => idsOf(read(url(name)).pipeThrough(slice(-2)));
      for (const name of names) assertEquals(await last(name), [numRows - 2, numRows - 1]);
      const missing = () => last("b.csv");
      await assertRejects(missing, FileError, "b.csv: the server says 404 Not Found");
    } finally {
      server.kill();
      await server.status;
    }
  }));

Deno.test("several URLs and files are read as one", () =>
  inFolder(async (folder) => {
    await using server = serve();
    await Deno.writeFile(`${folder}/a.parquet`, files["a.parquet"]!);
    const stream = read([new URL(server.url("a.arrow")), `${folder}/a.parquet`]);
    const all = integers(0, numRows);
    assertEquals(await idsOf(stream.pipeThrough(slice(numRows - 2, numRows + 2))), [
      ...all.slice(-2),
      0,
      1,
    ]);
  }));

Deno.test("read() takes URLs as objects, also of files", () =>
  inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a b.arrow`, files["a.arrow"]!);
    const url = new URL(`file://${folder}/a%20b.arrow`);
    assertEquals((await toTable(read(url))).numRows, numRows);
    assertThrows(() => read(new URL("ftp://h/a.csv")), TypeError, "not of ftp:");
    assertThrows(() => read("https://"), FileError);
    assertThrows(() => read("https://h:port/a.csv"), FileError, "is not a valid URL");
  }));

Deno.test("the format of a URL is that of its path, and nothing secret is printed", async () => {
  await using server = serve();
  const url = `${server.url("a.csv").replace("://", "://me:word@")}?key=secret.parquet#x`;
  const source = openSource(url);
  assertEquals(source.name, server.url("a.csv"));
  assertEquals(rowsOf(await readAll(source)).length, numRows);
  assertEquals(server.log[0]?.query, "?key=secret.parquet");
  const basic = `Basic ${btoa("me:word")}`;
  assertEquals(
    new Set(server.log.map(({ headers }) => headers.get("authorization"))),
    new Set([basic]),
  );
  const error = await assertRejects(
    () => toTable(read(url.replace("a.csv", "b.csv"))),
    FileError,
  );
  assertEquals(error.message, `${server.url("b.csv")}: the server says 404 Not Found`);
  assertEquals(error.file, url.replace("a.csv", "b.csv"));
});

Deno.test("read() sends the headers that it is given, with every request", async () => {
  await using server = serve();
  const http = { headers: { authorization: "Bearer 1", range: "bytes=0-1" } };
  assertEquals((await toTable(read(server.url("a.parquet"), { http }))).numRows, numRows);
  assert(server.log.length > 1);
  assert(server.log.every(({ headers }) => headers.get("authorization") === "Bearer 1"));
  assert(server.log.every(({ range }) => range !== "0-1"));
});

Deno.test("read() refuses options of HTTP that are none, when it is called", () => {
  const tries = (tries: number) => () => read("https://h/a.csv", { http: { tries } });
  for (const wrong of [0, 1.5, -1, NaN]) {
    const text = `read() option http.tries must be an integer of at least 1, not ${wrong}`;
    assertThrows(tries(wrong), RangeError, text);
  }
  const stall = () => read("https://h/a.csv", { http: { stallMs: 0 } });
  assertThrows(stall, RangeError, "read() option http.stallMs must be a number above 0, not 0");
  assertThrows(() => read("https://h/a.csv", { http: { headers: { "a b": "c" } } }), TypeError);
});

Deno.test("a wait without a bound is no wait of a moment", async () => {
  const csv = new TextEncoder().encode("id\n1\n");
  await using server = new RangeServer({ "a.csv": csv }, { latencyMs: 100 });
  // Timers of Deno end at once where their time is too large for 31 bits.
  const http = { stallMs: Infinity, tries: 1 };
  assertEquals((await toTable(read(server.url("a.csv"), { http }))).numRows, 1);
});

Deno.test("a file of another kind is refused by what its first answer shows", async () => {
  await using server = serve();
  const cases = [
    ["a.parquet", "arrow", "is Parquet, not Arrow data"],
    ["a.arrow", "parquet", "is Arrow data, not Parquet"],
    ["a.parquet", "csv", "is Parquet, not CSV"],
    ["a.arrow", "ndjson", "is Arrow data, not NDJSON"],
  ] as const;
  for (const [name, format, problem] of cases) {
    server.log.length = 0;
    const error = await assertRejects(() => toTable(read(server.url(name), { format })), FileError);
    assertEquals(error.message, `${server.url(name)}: ${problem}`);
    assertEquals(server.log.length, 1);
  }
});

Deno.test("small files and empty ones are read from a server", async () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  await using server = new RangeServer({
    "a.csv": encode("id\n1\n"),
    "empty.ndjson": encode(""),
    "empty.csv": encode(""),
    "empty.arrow": encode(""),
    "empty.parquet": encode(""),
  });
  assertEquals((await toTable(read(server.url("a.csv")))).numRows, 1);
  assertEquals((await toTable(read(server.url("empty.ndjson")))).numRows, 0);
  const error = (name: string) => assertRejects(() => toTable(read(server.url(name))), FileError);
  for (const name of ["empty.csv", "empty.arrow", "empty.parquet"]) {
    assert((await error(name)).message.includes("is empty"), name);
  }
});

for (const name of names) {
  Deno.test(`${name} that is replaced on its server while it is read is an error`, async () => {
    await using server = serve();
    const source = openSource(server.url(name), { http: fast });
    await source.schema();
    server.replace(name, { bytes: files[name]!.map((byte) => byte), etag: '"other"' });
    const error = await assertRejects(() => readAll(source), FileError);
    const problem = "was replaced by another file while it was read";
    assertEquals(error.message, `${server.url(name)}: ${problem}`);
  });
}

for (const name of names.filter((name) => !name.endsWith(".parquet"))) {
  Deno.test(`${name} that is replaced on a server without ranges is an error`, async () => {
    await using server = new RangeServer(files, { ranges: false });
    const source = openSource(server.url(name));
    await readAll(source);
    server.replace(name, { bytes: files[name]!.map((byte) => byte), etag: '"other"' });
    const error = await assertRejects(() => readAll(source), FileError);
    const problem = "was replaced by another file while it was read";
    assertEquals(error.message, `${server.url(name)}: ${problem}`);
  });
}

for (const name of names) {
  Deno.test(`a server that fails in the middle of ${name} is one error`, async () => {
    await using server = serve((_, index) =>
      index > 0 ? { kind: "status", status: 500 } : undefined
    );
    using _ = withoutWaits();
    const stream = read(server.url(name), { http: { tries: 3 } });
    const error = await assertRejects(() => toTable(stream), FileError);
    const says = "the server says 500 Internal Server Error (3 tries)";
    assertEquals(error.message, `${server.url(name)}: ${says}`);
  });

  Deno.test(`cancelling ${name} ends its requests`, async () => {
    let stalls = false;
    await using server = serve(() => stalls ? { kind: "stall", bytes: 10 } : undefined);
    const stopper = new AbortController();
    const source = openSource(server.url(name));
    await source.schema();
    stalls = true;
    const reading = (async () => {
      for await (const _ of sourceBatches(source, { signal: stopper.signal }));
    })();
    setTimeout(() => stopper.abort(), 20);
    // The server ends when its connections have: at once.
    await reading;
  });
}

Deno.test("a stream that is cancelled after its first rows ends its requests", async () => {
  await using server = serve();
  const reader = read(server.url("a.csv")).getReader();
  assert(!(await reader.read()).done);
  await reader.cancel();
  const requests = server.log.length;
  assertEquals((await toTable(read(server.url("a.csv")).pipeThrough(head(3)))).numRows, 3);
  assert(server.log.length <= requests + 4);
});

Deno.test("URLs are not written", () => {
  const problem = "https://h/a.csv: is a URL, but only files here can be written";
  const url = "https://h/a.csv?key=secret";
  for (const open of [write, writeCsv, writeIpc]) {
    const error = assertThrows(() => open(url), FileError);
    assertEquals([error.message, error.file], [problem, url]);
  }
});

Deno.test("without the permission to connect the error names it", () =>
  inFolder(async (folder) => {
    const library = new URL("../../../../../mod.ts", import.meta.url).href;
    await Deno.writeTextFile(
      `${folder}/program.ts`,
      `import { read, toTable } from "${library}";
      try {
        await toTable(read("http://me:word@127.0.0.1:8999/a.csv?key=1"));
      } catch (error) {
        console.log(error.name, error.message);
      }`,
    );
    const config = new URL("../../../../../deno.json", import.meta.url).pathname;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "--no-check", "--no-prompt", `--config=${config}`, "program.ts"],
      cwd: folder,
    }).output();
    assertEquals(
      new TextDecoder().decode(stdout),
      "FileError http://127.0.0.1:8999/a.csv: needs the permission to connect; " +
        "run with --allow-net=127.0.0.1:8999\n",
    );
  }));
