import { assert, assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { BodyStore } from "../../../../../streams/bytes/http/body_store.ts";
import { type HttpSettings, httpSettings } from "../../../../../streams/bytes/http/http_options.ts";
import { type FirstRange, openUrl } from "../../../../../streams/bytes/http/open_url.ts";
import { RemoteFile } from "../../../../../streams/bytes/http/remote_file.ts";
import { UrlFile } from "../../../../../streams/bytes/http/url_file.ts";
import {
  type Fault,
  RangeServer,
  type RangeServerOptions,
} from "../../../../support/files/range_server.ts";
import { until } from "../../../../support/running/until.ts";

const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >> 8)) % 256);
const end: FirstRange = { from: "end", numBytes: 1000 };
const start: FirstRange = { from: "start", numBytes: 1000 };

/** Settings that never wait, and note for how long they would have. */
function settings(more: Partial<HttpSettings> = {}) {
  const waits: number[] = [];
  const wait = (ms: number) => Promise.resolve(void waits.push(ms));
  return { waits, ...httpSettings({ random: () => 0.5, wait, ...more }) };
}

/** Opens what is read by ranges. */
async function openRanges(
  url: string,
  first: FirstRange,
  settings: HttpSettings,
  onRead: (numBytes: number) => void = () => {},
): Promise<UrlFile> {
  const file = await openUrl(new RemoteFile(url, settings, onRead), first);
  if (file instanceof UrlFile) return file;
  throw new Error("has no ranges");
}

/** Opens what is read as one body. */
async function openBody(url: string, settings: HttpSettings): Promise<BodyStore> {
  const store = await openUrl(new RemoteFile(url, settings, () => {}), end);
  if (store instanceof BodyStore) return store;
  throw new Error("has ranges");
}

/** Opens `a.bin` of a server whose first request succeeds, and reads a range of it. */
async function readRange(
  server: RangeServer,
  range: { readonly start: number; readonly stop: number },
  more: Partial<HttpSettings> = {},
): Promise<{ found: Uint8Array; waits: number[]; numRead: number }> {
  let numRead = 0;
  const { waits, ...rest } = settings(more);
  const file = await openRanges(server.url("a.bin"), end, rest, (count) => void (numRead += count));
  numRead = 0;
  return { found: (await file.request(range)).bytes, waits, numRead };
}

/** A server whose requests fail, but the first. */
function serverOf(
  fault: (index: number) => Fault | undefined,
  options: RangeServerOptions = {},
): RangeServer {
  const faultOf = (_: unknown, index: number) => index === 0 ? undefined : fault(index);
  return new RangeServer({ "a.bin": bytes }, { ...options, fault: faultOf });
}

const range = { start: 500, stop: 2500 };

Deno.test("the first request tells the size, and brings the end or the beginning", async () => {
  await using server = new RangeServer({ "a.bin": bytes, "small.bin": bytes.slice(0, 300) });
  let numRead = 0;
  const open = (name: string, first: FirstRange) =>
    openRanges(server.url(name), first, settings(), (count) => void (numRead += count));
  const atEnd = await open("a.bin", end);
  assertEquals([atEnd.size, atEnd.numRequests], [bytes.length, 1]);
  assertEquals(atEnd.kept(bytes.length - 1000), bytes.slice(-1000));
  assertEquals(atEnd.kept(bytes.length - 1001), undefined);
  const atStart = await open("a.bin", start);
  assertEquals(atStart.size, bytes.length);
  assertEquals(atStart.kept(10), bytes.slice(10, 1000));
  for (const first of [start, end]) {
    const whole = await open("small.bin", first);
    assertEquals(whole.kept(0), bytes.slice(0, 300));
  }
  assertEquals(numRead, 2 * 1000 + 2 * 300);
  assertEquals(server.log.map(({ range }) => range), ["-1000", "0-999", "0-999", "-1000"]);
  assertEquals(
    new Set(server.log.map(({ headers }) => headers.get("accept-encoding"))),
    new Set(["identity"]),
  );
});

Deno.test("a range is one request, on the condition that the file is the same", async () => {
  await using server = serverOf(() => undefined);
  const { found, numRead } = await readRange(server, range);
  assertEquals(found, bytes.slice(500, 2500));
  assertEquals(numRead, 2000);
  const [, second] = server.log;
  assertEquals([second?.range, second?.status, second?.sentBytes], ["500-2499", 206, 2000]);
  assert(second?.headers.get("if-range")?.startsWith('"'));
});

Deno.test("requests that follow one another share a connection", async () => {
  await using server = serverOf(() => undefined);
  const file = await openRanges(server.url("a.bin"), end, settings());
  for (let start = 0; start < 10_000; start += 500) {
    await file.request({ start, stop: start + 500 });
  }
  assertEquals([server.log.length, server.numConnections], [21, 1]);
});

/** Faults of every request but the first, and the errors. */
const errors: readonly [title: string, fault: Fault, problem: string, tries: number][] = [
  ["404", { kind: "status", status: 404 }, "the server says 404 Not Found", 1],
  ["403", { kind: "status", status: 403 }, "the server says 403 Forbidden", 1],
  [
    "503",
    { kind: "status", status: 503 },
    "the server says 503 Service Unavailable (5 tries)",
    5,
  ],
  [
    "408",
    { kind: "status", status: 408 },
    "the server says 408 Request Timeout (5 tries)",
    5,
  ],
  ["425", { kind: "status", status: 425 }, "the server says 425 Too Early (5 tries)", 5],
  [
    "429 for two minutes",
    { kind: "status", status: 429, headers: { "retry-after": "120" } },
    "the server says 429 Too Many Requests",
    1,
  ],
  [
    "a short body",
    { kind: "truncate", bytes: 300 },
    "only 300 of 800 bytes arrived (5 tries)",
    5,
  ],
  ["no body", { kind: "truncate", bytes: 0 }, "only 0 of 2,000 bytes arrived (5 tries)", 5],
  ["a stall", { kind: "stall", bytes: 100 }, "nothing arrived for 0.25 s (2 tries)", 2],
  [
    "another range",
    { kind: "headers", headers: { "content-range": "bytes 0-1999/200000" } },
    "the answer has bytes 0 to 1999, but 500 to 2499 were requested",
    1,
  ],
  [
    "a shorter range",
    { kind: "headers", headers: { "content-range": "bytes 500-999/200000" } },
    "the answer states bytes 500 to 999, but its body has 2000 bytes",
    1,
  ],
  [
    "a longer range",
    { kind: "headers", headers: { "content-range": "bytes 500-2500/200000" } },
    "the answer has bytes 500 to 2500, but 500 to 2499 were requested",
    1,
  ],
  [
    "a range without bytes",
    { kind: "headers", headers: { "content-range": "bytes 500-499/200000" } },
    "the answer has bytes 500 to 499, but 500 to 2499 were requested",
    1,
  ],
  [
    "no Content-Range",
    { kind: "headers", headers: { "content-range": "" } },
    "the answer does not say which bytes it has",
    1,
  ],
  [
    "several ranges",
    {
      kind: "headers",
      headers: { "content-range": "", "content-type": "multipart/byteranges; boundary=x" },
    },
    "the answer does not say which bytes it has",
    1,
  ],
  [
    "another size",
    { kind: "headers", headers: { "content-range": "bytes 500-2499/200001" } },
    "was replaced by another file while it was read",
    1,
  ],
  [
    "another ETag",
    { kind: "headers", headers: { etag: '"other"' } },
    "was replaced by another file while it was read",
    1,
  ],
  [
    "compressed bytes",
    { kind: "headers", headers: { "content-encoding": "gzip" } },
    "the answer is compressed by gzip, which ranges cannot be",
    1,
  ],
];

for (const [title, fault, problem, tries] of errors) {
  Deno.test(`a range fails: ${title}`, async () => {
    await using server = serverOf(() => fault);
    const url = server.url("a.bin");
    const read = () =>
      readRange(server, range, { ...(fault.kind === "stall" ? { stallMs: 250, tries: 2 } : {}) });
    const error = await assertRejects(read, FileError);
    assertEquals(error.message, `${url}: ${problem}`);
    assertEquals(error.file, url);
    assertEquals(server.log.length, 1 + tries);
  });
}

/** Faults of some requests after which the range comes. */
const passing: readonly [title: string, fault: Fault, ranges: string[]][] = [
  ["503", { kind: "status", status: 503 }, ["500-2499"]],
  ["reset", { kind: "reset" }, ["500-2499"]],
  ["a short body", { kind: "truncate", bytes: 300 }, ["800-2499"]],
  ["a stall", { kind: "stall", bytes: 700 }, ["1200-2499"]],
];

for (const [title, fault, [rest]] of passing) {
  Deno.test(`a range that failed is asked for again, without what came: ${title}`, async () => {
    await using server = serverOf((index) => index === 1 ? fault : undefined);
    const { found, waits, numRead } = await readRange(server, range, {
      ...(fault.kind === "stall" ? { stallMs: 250 } : {}),
    });
    assertEquals(found, bytes.slice(500, 2500));
    assertEquals(numRead, 2000);
    const ranges = server.log.slice(1).map(({ range }) => range);
    // A connection that is reset before an answer may be tried again by fetch itself.
    assertEquals([ranges[0], ranges.at(-1)], ["500-2499", rest]);
    if (fault.kind !== "reset") assertEquals(waits, [50]);
  });
}

Deno.test("waits grow, and are as long as the server asks", async () => {
  const busy = (index: number): Fault | undefined =>
    index > 4 ? undefined : {
      kind: "status",
      status: 503,
      headers: index === 3 ? { "retry-after": "2" } : {},
    };
  await using server = serverOf(busy);
  const { found, waits } = await readRange(server, range);
  assertEquals(waits, [50, 100, 2000, 400]);
  assertEquals(found.length, 2000);
});

Deno.test("a body that is longer than its range is an error, and is not read to its end", async () => {
  await using server = serverOf(() => ({ kind: "longer", bytes: 50 << 20 }));
  const error = await assertRejects(() => readRange(server, range), FileError);
  const problem = "the answer has more than the 2,000 bytes that it states";
  assertEquals(error.message, `${server.url("a.bin")}: ${problem}`);
  const [, second] = server.log;
  assert(second!.sentBytes < 40 << 20, `${second!.sentBytes} bytes were sent`);
});

Deno.test("a range whose body has another length is an error, whichever of both is right", async () => {
  for (const body of [bytes, bytes.slice(500, 2499), bytes.slice(500, 2501)]) {
    await using server = serverOf(() => ({ kind: "answer", status: 206, body }));
    const error = await assertRejects(() => readRange(server, range), FileError);
    const problem = `the answer states bytes 500 to 2499, but its body has ${body.length} bytes`;
    assertEquals(error.message, `${server.url("a.bin")}: ${problem}`);
  }
});

Deno.test("a file that was replaced is an error, whatever the server makes of the condition", async () => {
  const other = bytes.map((byte) => 255 - byte);
  const cases = [
    { first: {}, then: { bytes: other } },
    { first: { etag: null }, then: { bytes: other.slice(1), etag: null } },
    { first: { etag: 'W/"1"' }, then: { bytes: other.slice(1), etag: 'W/"1"' } },
    {
      first: { etag: null, modified: "Wed, 21 Oct 2015 07:28:00 GMT" },
      then: { bytes: other, etag: null, modified: "Wed, 21 Oct 2015 07:28:01 GMT" },
    },
    { first: {}, then: { bytes: other.slice(0, 400) } },
  ];
  for (const { first, then } of cases) {
    await using server = new RangeServer({ "a.bin": { bytes, ...first } });
    const file = await openRanges(server.url("a.bin"), end, settings());
    server.replace("a.bin", then);
    const error = await assertRejects(() => file.request(range), FileError);
    const problem = "was replaced by another file while it was read";
    assertEquals(error.message, `${server.url("a.bin")}: ${problem}`);
    assertEquals(server.log.length, 2);
  }
});

Deno.test("a refused connection is an error with its reason, and without what may be secret", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  const url = `http://me:word@127.0.0.1:${port}/a.bin?key=secret#part`;
  const { waits, ...rest } = settings({ tries: 3 });
  const error = await assertRejects(() => openRanges(url, end, rest), FileError);
  assertEquals(
    error.message,
    `http://127.0.0.1:${port}/a.bin: no connection (3 tries): Connection refused`,
  );
  assertEquals(error.file, url);
  assertEquals(waits, [50, 100]);
});

Deno.test("a file without bytes is empty", async () => {
  await using server = new RangeServer({ "a.bin": new Uint8Array(0) });
  for (const first of [start, end]) {
    const file = await openRanges(server.url("a.bin"), first, settings());
    assertEquals(file.size, 0);
  }
});

Deno.test("416 for a file with bytes is an error", async () => {
  const fault = (): Fault => ({ kind: "status", status: 416 });
  await using server = new RangeServer({ "a.bin": bytes }, { fault });
  const open = () => openRanges(server.url("a.bin"), end, settings());
  const error = await assertRejects(open, FileError);
  const problem = "the server says 416 Range Not Satisfiable";
  assertEquals(error.message, `${server.url("a.bin")}: ${problem}`);
  // A range from the start may be understood where one from the end is not.
  assertEquals(server.log.map(({ range }) => range), ["-1000", "0-999"]);
});

Deno.test("a server without ranges gives its body, once and forwards", async () => {
  await using server = new RangeServer({ "a.bin": bytes }, { ranges: false });
  const store = await openBody(server.url("a.bin"), settings());
  const found = new Uint8Array(bytes.length + 10);
  let filled = 0;
  for (let count = -1; count !== 0; filled += count) {
    count = await store.read(found.subarray(filled, filled + 777));
  }
  assertEquals([filled, store.version.size, store.numRequests], [bytes.length, bytes.length, 1]);
  assertEquals(found.subarray(0, filled), bytes);
  store.close();
});

Deno.test("a body that breaks off is an error, and is not asked for again", async () => {
  const cases: [Fault, string][] = [
    [{ kind: "truncate", bytes: 70_000 }, "only 70,000 of 200,000 bytes arrived"],
    [{ kind: "stall", bytes: 70_000 }, "nothing arrived for 0.25 s"],
  ];
  for (const [fault, problem] of cases) {
    await using server = new RangeServer({ "a.bin": bytes }, { ranges: false, fault: () => fault });
    const store = await openBody(server.url("a.bin"), settings({ stallMs: 250 }));
    const readAll = async () => {
      while (await store.read(new Uint8Array(1 << 20)) > 0);
    };
    const error = await assertRejects(readAll, FileError);
    assertEquals(error.message, `${server.url("a.bin")}: ${problem}`);
    assertEquals(server.log.length, 1);
    store.close();
  }
});

Deno.test("a weak ETag is no condition", async () => {
  await using server = new RangeServer({ "a.bin": { bytes, etag: 'W/"1"' } });
  const file = await openRanges(server.url("a.bin"), end, settings());
  assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
  assertEquals(server.log.map(({ headers }) => headers.get("if-range")), [undefined, undefined]);
});

Deno.test("a body that is compressed though nobody asked for that is an error", async () => {
  const fault = (): Fault => ({ kind: "headers", headers: { "content-encoding": "br" } });
  await using server = new RangeServer({ "a.bin": bytes }, { ranges: false, fault });
  const error = await assertRejects(() => openBody(server.url("a.bin"), settings()), FileError);
  const problem = "the answer is compressed by br, which was not asked for";
  assertEquals(error.message, `${server.url("a.bin")}: ${problem}`);
});

Deno.test("a server whose ranges are counted from the start alone is read by ranges", async () => {
  await using server = new RangeServer({ "a.bin": bytes }, { ranges: "front" });
  const file = await openRanges(server.url("a.bin"), end, settings());
  assertEquals(file.kept(bytes.length - 1000), bytes.slice(-1000));
  assertEquals(server.log.map(({ range }) => range), ["-1000", "199000-199999"]);
});

Deno.test("redirects are followed, and later requests go where they led", async () => {
  await using target = new RangeServer({ "b.bin": bytes });
  const location = `${target.url("b.bin")}?signature=1`;
  const fault = (): Fault => ({ kind: "status", status: 302, headers: { location } });
  await using server = new RangeServer({}, { fault });
  const headers = new Headers({ authorization: "Bearer secret", "x-team": "red" });
  const file = await openRanges(server.url("a.bin"), end, settings({ headers }));
  assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
  assertEquals([server.log.length, target.log.length], [1, 2]);
  assertEquals(server.log[0]?.headers.get("authorization"), "Bearer secret");
  assertEquals(target.log.map(({ query }) => query), ["?signature=1", "?signature=1"]);
  // Credentials are for the first server alone.
  assertEquals(target.log.map(({ headers }) => headers.get("authorization")), [
    undefined,
    undefined,
  ]);
  assertEquals(target.log[1]?.headers.get("x-team"), "red");
});

Deno.test("a signed link that has expired is asked for again, once", async () => {
  let signature = 1;
  let valid = 1;
  await using target = new RangeServer({ "b.bin": bytes }, {
    fault: ({ query }) =>
      query === `?signature=${valid}` ? undefined : { kind: "status", status: 403 },
  });
  await using server = new RangeServer({}, {
    fault: () => ({
      kind: "status",
      status: 302,
      headers: { location: `${target.url("b.bin")}?signature=${signature}` },
    }),
  });
  const file = await openRanges(server.url("a.bin"), end, settings());
  signature = valid = 2;
  assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
  assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
  const queries = target.log.map(({ query, status }) => `${query} ${status}`);
  assertEquals(queries, [
    "?signature=1 206",
    "?signature=1 403",
    "?signature=2 206",
    "?signature=2 206",
  ]);
  valid = 3;
  const error = await assertRejects(() => file.request(range), FileError);
  assertEquals(error.message, `${server.url("a.bin")}: the server says 403 Forbidden`);
  assertEquals([server.log.length, target.log.length], [3, 6]);
});

Deno.test("a request that is aborted ends on both sides, also while it waits for the next try", async () => {
  const faults: Fault[] = [{ kind: "stall", bytes: 10 }, { kind: "status", status: 503 }];
  for (const fault of faults) {
    await using server = serverOf(() => fault);
    const stopper = new AbortController();
    const { wait } = httpSettings();
    const enough = new Error("enough");
    // A wait that would never end.
    const endless = (_: number, signal: AbortSignal | undefined) => {
      setTimeout(() => stopper.abort(enough), 0);
      return wait(1e8, signal);
    };
    const file = await openRanges(server.url("a.bin"), end, settings({ wait: endless }));
    const pending = file.request(range, stopper.signal);
    pending.catch(() => {});
    await until(() => server.log.length >= 2, "it is asked twice");
    if (fault.kind === "stall") stopper.abort(enough);
    await assertRejects(() => pending, Error, "enough");
    assertEquals(server.log.length, 2);
  }
});
