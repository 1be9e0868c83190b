/** Answers that are not what was asked for: used where they can be, else named. */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { FileError } from "../../../../../base/errors/file_error.ts";
import { BodyStore } from "../../../../../streams/bytes/http/body_store.ts";
import { type HttpSettings, httpSettings } from "../../../../../streams/bytes/http/http_options.ts";
import { type FirstRange, openUrl } from "../../../../../streams/bytes/http/open_url.ts";
import { leastBytesPerSecond, Pace } from "../../../../../streams/bytes/http/pace.ts";
import { RemoteFile } from "../../../../../streams/bytes/http/remote_file.ts";
import { UrlFile } from "../../../../../streams/bytes/http/url_file.ts";
import { UrlStore } from "../../../../../streams/bytes/http/url_store.ts";
import { type Fault, RangeServer } from "../../../../support/files/range_server.ts";

const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >> 8)) % 256);
const end: FirstRange = { from: "end", numBytes: 1000 };
const start: FirstRange = { from: "start", numBytes: 1000 };
const range = { start: 500, stop: 2500 };

function settings(more: Partial<HttpSettings> = {}): HttpSettings {
  return httpSettings({ random: () => 0, wait: () => Promise.resolve(), ...more });
}

/** Opens a file by ranges. */
async function openRanges(url: string, first = end, more: Partial<HttpSettings> = {}) {
  const file = await openUrl(new RemoteFile(url, settings(more), () => {}), first);
  if (file instanceof UrlFile) return file;
  file.close();
  throw new Error("has no ranges");
}

/** The problem of which opening a file is told. */
async function problemOf(server: RangeServer, more: Partial<HttpSettings> = {}): Promise<string> {
  const url = server.url("a.bin");
  const error = await assertRejects(() => openRanges(url, end, more), FileError);
  assert(error.message.startsWith(`${url}: `), error.message);
  return error.message.slice(url.length + 2);
}

Deno.test("all bytes that come in place of a range are used, and kept", async () => {
  const options = { ranges: true };
  await using server = new RangeServer({ "a.bin": bytes }, options);
  const file = await openRanges(server.url("a.bin"));
  options.ranges = false;
  assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
  assertEquals((await file.request({ start: 0, stop: 200_000 })).bytes, bytes);
  const { length } = server.log;
  const store = new UrlStore(file);
  assert(store.holds(0, bytes.length));
  const [found] = await store.readMany([{ start: 100_000, stop: 150_000 }]);
  assertEquals(found, bytes.slice(100_000, 150_000));
  assertEquals(server.log.length, length);
});

Deno.test("requests that all bytes answer at once read one body", async () => {
  const options = { ranges: true, latencyMs: 0 };
  const large = new Uint8Array(20 << 20).map((_, i) => i % 251);
  await using server = new RangeServer({ "a.bin": large }, options);
  const file = await openRanges(server.url("a.bin"));
  options.ranges = false;
  const ranges = Array.from({ length: 8 }, (_, i) => ({ start: i << 20, stop: (i << 20) + 9 }));
  const stopper = new AbortController();
  // The first is aborted while it reads, and the others go on.
  const [first, ...others] = ranges.map((range, index) =>
    file.request(range, index === 0 ? stopper.signal : undefined)
  );
  first!.catch(() => {});
  setTimeout(() => stopper.abort(new Error("enough")), 5);
  for (const [index, other] of others.entries()) {
    const { start, stop } = ranges[index + 1]!;
    assertEquals((await other).bytes, large.slice(start, stop));
  }
  await first!.catch(() => {});
  assert(server.sentBytes < 8 * large.length, `${server.sentBytes} bytes were sent`);
});

Deno.test("all bytes of more than 64 MiB are refused where a range is asked for", async () => {
  const large = new Uint8Array(70 << 20);
  const options = { ranges: true };
  await using server = new RangeServer({ "a.bin": large }, options);
  const file = await openRanges(server.url("a.bin"));
  options.ranges = false;
  const error = await assertRejects(() => file.request(range), FileError);
  assertEquals(
    error.message,
    `${server.url("a.bin")}: the server sends all 73,400,320 bytes where a range is asked for; ` +
      "download it first",
  );
  const first = { ...end, needsRanges: "Parquet" };
  const open = () => openRanges(server.url("a.bin"), first);
  const problem = "the server serves no ranges, which Parquet needs; download it first";
  const refused = await assertRejects(open, FileError);
  assertEquals(refused.message, `${server.url("a.bin")}: ${problem}`);
  assert(server.sentBytes < 100 << 20, `${server.sentBytes} bytes were sent`);
});

Deno.test("all bytes of a file that lost its tag, or has another, are of another file", async () => {
  for (const headers of [{ etag: "" }, { etag: '"other"' }, { etag: 'W/"other"' }]) {
    let isFirst = true;
    const fault = (): Fault | undefined =>
      isFirst ? undefined : { kind: "answer", status: 200, headers, body: bytes };
    await using server = new RangeServer({ "a.bin": bytes }, { fault });
    const file = await openRanges(server.url("a.bin"));
    isFirst = false;
    const error = await assertRejects(() => file.request(range), FileError);
    assertMatch(error.message, /was replaced by another file while it was read$/);
  }
});

Deno.test("what cannot be read forwards is kept where a server sends all of it", async () => {
  for (const isChunked of [false, true]) {
    const fault = (): Fault => ({
      kind: "answer",
      status: 200,
      body: bytes,
      headers: isChunked ? { "content-length": "", connection: "close" } : {},
    });
    // Without a length, the end of the connection is that of the body.
    const closes = (): Fault => isChunked ? { kind: "longer", bytes: 0 } : fault();
    await using server = new RangeServer({ "a.bin": bytes }, { ranges: false, fault: closes });
    const file = await openRanges(server.url("a.bin"), { ...end, needsRanges: "Parquet" });
    assertEquals(file.kept(0), bytes);
    assertEquals([file.size, server.log.length], [bytes.length, 1]);
  }
});

/** First answers to a range from the end that is not understood, and the ranges that are asked for then. */
const misunderstood: Record<string, readonly [Fault, string]> = {
  "416 with the size": [
    { kind: "status", status: 416, headers: { "content-range": "bytes */200000" } },
    "199000-199999",
  ],
  "416 without it": [{ kind: "status", status: 416 }, "0-999"],
  "bytes from the start": [
    {
      kind: "answer",
      status: 206,
      headers: { "content-range": "bytes 0-1000/200000" },
      body: bytes.slice(0, 1001),
    },
    "199000-199999",
  ],
  "fewer bytes": [
    {
      kind: "answer",
      status: 206,
      headers: { "content-range": "bytes 199500-199999/200000" },
      body: bytes.slice(199_500),
    },
    "199000-199999",
  ],
  "a body of all bytes": [
    {
      kind: "answer",
      status: 206,
      headers: { "content-range": "bytes 199000-199999/200000" },
      body: bytes,
    },
    "199000-199999",
  ],
};
for (const [what, [fault, second]] of Object.entries(misunderstood)) {
  Deno.test(`a range from the end is asked for from the start, after ${what}`, async () => {
    const wrong = ({ range }: { range: string | undefined }) =>
      range?.startsWith("-") ? fault : undefined;
    await using server = new RangeServer({ "a.bin": bytes }, { fault: wrong });
    const file = await openRanges(server.url("a.bin"));
    assertEquals(server.log.map(({ range }) => range), ["-1000", second]);
    assertEquals(file.size, bytes.length);
    assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
    const { length } = bytes;
    assertEquals((await file.request({ start: length - 9, stop: length })).bytes, bytes.slice(-9));
  });
}

Deno.test("a first range that is longer than the file is asked for within it", async () => {
  const small = bytes.slice(0, 300);
  const fault = ({ range }: { range: string | undefined }): Fault | undefined => {
    const isLonger = range?.startsWith("-") || Number(range?.split("-")[1]) >= 300;
    const headers = { "content-range": "bytes */300" };
    return isLonger ? { kind: "status", status: 416, headers } : undefined;
  };
  for (const first of [start, end]) {
    await using server = new RangeServer({ "a.bin": small }, { fault });
    const file = await openRanges(server.url("a.bin"), first);
    assertEquals(file.kept(0), small);
    assertEquals(server.log[1]?.range, "0-299");
  }
});

/** A server that tells the size in none of its answers, and sends at most so many bytes of a range. */
function terseServer(
  { most = Infinity, counts = true, told = "*" }: {
    readonly most?: number;
    /** Whether it counts from the end where it is asked to. */
    readonly counts?: boolean;
    readonly told?: string;
  } = {},
): RangeServer {
  const { length } = bytes;
  const fault = ({ range = "" }: { readonly range: string | undefined }): Fault => {
    const [first = "", last = ""] = range.split("-");
    const fromEnd = first === "" && counts;
    const start = fromEnd ? length - Number(last) : Number(first);
    const stop = Math.min(fromEnd ? length : Number(last) + 1, length, start + most);
    if (start >= length) return { kind: "status", status: 416, headers: { "content-range": "" } };
    const headers = { "content-range": `bytes ${start}-${stop - 1}/${told}` };
    return { kind: "answer", status: 206, headers, body: bytes.slice(start, stop) };
  };
  return new RangeServer({ "a.bin": bytes }, { fault });
}

Deno.test("a size that no answer tells is found by the last byte of the file", async () => {
  for (const first of [start, end]) {
    await using server = terseServer();
    const file = await openRanges(server.url("a.bin"), first);
    assertEquals(file.size, bytes.length);
    assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
    assertEquals(
      server.log.slice(1).map(({ range }) => range),
      ["-1", "200000-200000", "500-2499"],
    );
  }
});

Deno.test("a size that nothing tells is named", async () => {
  await using server = terseServer({ counts: false });
  assertEquals(await problemOf(server), "the answer does not say how many bytes the file has");
});

Deno.test("a size that only later answers do not tell is that of the first", async () => {
  let index = 0;
  const fault = (): Fault | undefined =>
    index++ === 0
      ? undefined
      : { kind: "headers", headers: { "content-range": "bytes 500-2499/*" } };
  await using server = new RangeServer({ "a.bin": bytes }, { fault });
  const file = await openRanges(server.url("a.bin"));
  assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
});

Deno.test("the rest of a range is asked for where a server sends a part of it", async () => {
  for (const first of [start, end]) {
    for (const told of ["200000", "*"]) {
      await using server = terseServer({ most: 700, told });
      const file = await openRanges(server.url("a.bin"), first);
      const before = server.log.length;
      assertEquals((await file.request(range)).bytes, bytes.slice(500, 2500));
      assertEquals(
        server.log.slice(before).map(({ range }) => range),
        ["500-2499", "1200-2499", "1900-2499"],
      );
      const [all] = await new UrlStore(file).readMany([{ start: 190_000, stop: 200_000 }]);
      assertEquals(all, bytes.slice(190_000));
    }
  }
});

Deno.test("parts that are too short to end are named, and not asked for without end", async () => {
  await using server = terseServer({ most: 1, told: "200000" });
  const file = await openRanges(server.url("a.bin"), start);
  const error = await assertRejects(() => file.request({ start: 500, stop: 100_500 }), FileError);
  assertMatch(
    error.message,
    /: the server sends parts so short that only 22 of 100,000 bytes arrived$/,
  );
});

/** Redirects that lead nowhere, and what is said of them. */
const redirects: Record<string, readonly [(path: string) => string, RegExp]> = {
  "to itself": [
    (path) => path,
    /^the server redirects in a circle, to http:\/\/127\.0\.0\.1:\d+\/a\.bin again$/,
  ],
  "in a circle of two": [
    (path) => path === "/a.bin" ? "/b.bin?key=1" : "/a.bin",
    /^the server redirects in a circle, to http:\/\/127\.0\.0\.1:\d+\/a\.bin again$/,
  ],
  "without an end": [
    (path) => `${path}x`,
    /^the server redirects more than 20 times$/,
  ],
  "to a file": [
    () => "file:///etc/passwd",
    /^the server redirects to a URL of file:, and only those of http: and https: are followed$/,
  ],
  "to data": [
    () => "data:text/csv,a",
    /^the server redirects to a URL of data:, and only those of http: and https: are followed$/,
  ],
  "to no URL": [() => "http://a b:c/", /^the server redirects to what is not a valid URL$/],
  "to nowhere": [() => "", /^the server says 302 Found$/],
};
for (const [what, [next, problem]] of Object.entries(redirects)) {
  Deno.test(`a redirect ${what} is named, and not tried again`, async () => {
    await using server = new RangeServer({}, {
      fault: ({ path }) => ({ kind: "status", status: 302, headers: { location: next(path) } }),
    });
    assertMatch(await problemOf(server), problem);
    assert(server.log.length <= 21, `${server.log.length} requests`);
    const hops = what === "without an end" ? 21 : what === "in a circle of two" ? 2 : 1;
    assertEquals(server.log.length, hops);
  });
}

Deno.test("redirects with a relative place are followed, and asked for once", async () => {
  await using server = new RangeServer({ "b/c.bin": bytes }, {
    fault: ({ path }) =>
      path === "/a.bin"
        ? { kind: "status", status: 307, headers: { location: "b/c.bin?x#y" } }
        : undefined,
  });
  const file = await openRanges(server.url("a.bin"));
  await file.request(range);
  assertEquals(server.log.map(({ path, query }) => path + query), [
    "/a.bin",
    "/b/c.bin?x",
    "/b/c.bin?x",
  ]);
});

Deno.test("Pace finds fewer bytes than 1 KiB a second, counted while they are waited for", () => {
  const least = leastBytesPerSecond * 10;
  const cases: [parts: [numBytes: number, waitedMs: number][], found: (number | undefined)[]][] = [
    [[[1, 1000], [1, 8999], [1, 1]], [undefined, undefined, 3]],
    [[[least - 1, 9999], [1, 1]], [undefined, undefined]],
    [[[least - 1, 10_000]], [least - 1]],
    // Counted anew in each window.
    [[[2 * least, 10_000], [5, 9999], [6, 1]], [undefined, undefined, 11]],
    [[[0, 0], [0, 0]], [undefined, undefined]],
    [[[3 * least, 30_000], [1, 100]], [undefined, undefined]],
  ];
  for (const [parts, found] of cases) {
    const pace = new Pace(10_000);
    assertEquals(parts.map(([numBytes, waitedMs]) => pace.add(numBytes, waitedMs)), found);
  }
});

Deno.test("a server that drips a byte a second is an error, after so many tries", async () => {
  // Each byte is sent once it is waited for, and by the clock it comes a second later.
  let [time, numCalls, numWanted, latest] = [0, 0, 0, 0];
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const now = () => {
    if (numCalls++ % 2 === 1) return time += 1000;
    numWanted++;
    wake();
    return time;
  };
  const fault = (_: unknown, index: number): Fault | undefined => {
    if (index === 0) return undefined;
    [latest, numWanted] = [index, 0];
    const next = async () => {
      while (numWanted === 0 && index === latest) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      // What was given up gets the rest, if it is still there.
      if (index === latest) numWanted--;
    };
    return { kind: "drip", bytes: 1, next };
  };
  await using server = new RangeServer({ "a.bin": bytes }, { fault });
  // What the server still waits for when the test ends.
  using _ = { [Symbol.dispose]: () => ((latest = Infinity), wake()) };
  const file = await openRanges(server.url("a.bin"), end, { now, tries: 2 });
  numCalls = 0;
  const error = await assertRejects(() => file.request(range), FileError);
  const problem = "only 30 bytes arrived in 30 s (2 tries)";
  assertEquals(error.message, `${server.url("a.bin")}: ${problem}`);
  assertEquals(server.log.map(({ range }) => range), ["-1000", "500-2499", "529-2499"]);
});

Deno.test("a body that drips is an error too, and is not asked for again", async () => {
  let time = 0;
  const now = () => time += 500;
  const next = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
  const fault = (): Fault => ({ kind: "drip", bytes: 10, next });
  await using server = new RangeServer({ "a.bin": bytes.slice(0, 20_000) }, {
    ranges: false,
    fault,
  });
  const remote = new RemoteFile(server.url("a.bin"), settings({ now, stallMs: 2000 }), () => {});
  const store = await openUrl(remote, end);
  if (!(store instanceof BodyStore)) throw new Error("has ranges");
  const read = async () => {
    while (await store.read(new Uint8Array(1 << 20)) > 0);
  };
  const error = await assertRejects(read, FileError);
  assertMatch(error.message, /: only \d[\d,]* bytes arrived in 2 s$/);
  assertEquals(server.log.length, 1);
  store.close();
});
