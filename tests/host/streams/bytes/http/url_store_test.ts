import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import type { ByteRange } from "../../../../../streams/bytes/byte_store.ts";
import { httpSettings } from "../../../../../streams/bytes/http/http_options.ts";
import { openUrl } from "../../../../../streams/bytes/http/open_url.ts";
import { RemoteFile } from "../../../../../streams/bytes/http/remote_file.ts";
import { UrlFile } from "../../../../../streams/bytes/http/url_file.ts";
import { UrlStore } from "../../../../../streams/bytes/http/url_store.ts";
import { type Fault, RangeServer } from "../../../../support/files/range_server.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { turns, until } from "../../../../support/running/until.ts";

const KiB = 1 << 10;
const MiB = 1 << 20;
// Of a machine that is busy for half a minute no request is made again: the requests are counted.
const settings = httpSettings({ wait: () => Promise.resolve(), stallMs: 600_000 });

/** Bytes of which every eight are different ones. */
function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  const words = new Float64Array(Math.ceil(length / 8));
  for (let i = 0; i < words.length; i++) words[i] = i + 0.1;
  return new Uint8Array(words.buffer, 0, length);
}

/** Opens a file of the server; the end is known, or the beginning. */
async function open(
  server: RangeServer,
  from: "start" | "end" = "end",
  numBytes = 64 * KiB,
): Promise<UrlFile> {
  const file = await openUrl(new RemoteFile(server.url("a.bin"), settings, () => {}), {
    from,
    numBytes,
  });
  if (file instanceof UrlFile) return file;
  throw new Error("has no ranges");
}

/** Reads a range by `read`, into a target of its length, or in steps as a reader of text. */
async function readAll(
  store: UrlStore,
  { start, stop }: ByteRange,
  stepBytes = Infinity,
): Promise<Uint8Array> {
  const target = new Uint8Array(stop - start);
  for (let filled = 0; filled < target.length;) {
    const step = target.subarray(filled, filled + stepBytes);
    const count = await store.read(step, start + filled);
    assert(count > 0, `nothing at ${start + filled}`);
    filled += count;
  }
  return target;
}

/** The ranges that were asked for behind the first, in the order of their starts. */
function rangesOf(server: RangeServer): string[] {
  const start = (range: string) => parseInt(range, 10);
  return server.log.slice(1).map(({ range }) => range!).sort((a, b) => start(a) - start(b));
}

Deno.test("UrlStore gives the bytes of a file in any order, announced or not, through failures", () => {
  const bytes = bytesOf(3 * MiB + 77);
  const draws = new Draws(["read", "readMany", "prepare", "end", "failure"]);
  return forSeeds(12, async (random) => {
    const faults: Fault[] = [
      { kind: "status", status: 503 },
      { kind: "truncate", bytes: random.below(100_000) },
    ];
    const fault = (_: unknown, index: number) => {
      if (index === 0 || index % 4 > 0) return undefined;
      draws.add("failure");
      return random.pick(faults);
    };
    await using server = new RangeServer({ "a.bin": bytes }, { fault });
    const file = await open(server, random.pick(["start", "end"]), random.pick([10, 200_000]));
    const stores = [new UrlStore(file), new UrlStore(file)];
    const range = () => {
      const start = random.below(bytes.length + 1);
      const length = random.pick([0, 1, 500, 100_000, 700_000]);
      return { start, stop: Math.min(bytes.length, start + length) };
    };
    let position = 0;
    for (let step = 0; step < 30; step++) {
      const store = random.pick(stores);
      switch (random.below(4)) {
        case 0: {
          draws.add("prepare");
          store.prepare(Array.from({ length: random.below(5) }, range));
          break;
        }
        case 1: {
          draws.add("readMany");
          const ranges = Array.from({ length: random.below(5) }, range);
          const found = await store.readMany(ranges);
          const expected = ranges.map(({ start, stop }) => bytes.slice(start, stop));
          assert(found.every((bytes, i) => equal(bytes, expected[i]!)), JSON.stringify(ranges));
          assertEquals(new Set(found.map(({ buffer }) => buffer)).size, found.length);
          break;
        }
        default: {
          draws.add("read");
          const { start, stop } = random.chance(0.5) ? range() : {
            start: position,
            stop: Math.min(bytes.length, position + random.pick([10, 9000, 300_000])),
          };
          assert(equal(await readAll(store, { start, stop }), bytes.slice(start, stop)));
          position = stop;
          if (random.chance(0.1)) {
            draws.add("end");
            assertEquals(await store.read(new Uint8Array(9), bytes.length), 0);
          }
        }
      }
    }
    for (const store of stores) store.close();
  }, draws);
});

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

Deno.test("UrlStore reads what is near by what was read without asking again", async () => {
  await using server = new RangeServer({ "a.bin": bytesOf(20 * MiB) });
  const store = new UrlStore(await open(server));
  await readAll(store, { start: 10 * MiB + 5, stop: 10 * MiB + 10 });
  assertEquals(rangesOf(server), [`${10 * MiB}-${10 * MiB + 64 * KiB - 1}`]);
  assert(store.holds(10 * MiB, 10 * MiB + 64 * KiB));
  assert(!store.holds(10 * MiB, 10 * MiB + 64 * KiB + 1));
  assert(store.holds(20 * MiB - 64 * KiB, 20 * MiB));
  await readAll(store, { start: 10 * MiB + 60 * KiB, stop: 10 * MiB + 64 * KiB });
  await readAll(store, { start: 20 * MiB - 9, stop: 20 * MiB });
  assertEquals(server.log.length, 2);
});

Deno.test("UrlStore asks for more and more while it is read forwards", async () => {
  const bytes = bytesOf(30 * MiB);
  await using server = new RangeServer({ "a.bin": bytes });
  const store = new UrlStore(await open(server, "start"));
  const found = await readAll(store, { start: 0, stop: bytes.length }, 10_000);
  assert(equal(found, bytes));
  const sizes = rangesOf(server).map((range) => {
    const [first, last] = range.split("-").map(Number);
    return (last! + 1 - first!) / KiB;
  });
  assertEquals(sizes, [256, 1024, 4096, 8192, 8192, 8192, 704]);
  assertEquals(server.sentBytes, bytes.length);
  store.close();
});

Deno.test("UrlStore asks once for ranges that lie close, and cuts large ones", async () => {
  const bytes = bytesOf(30 * MiB);
  await using server = new RangeServer({ "a.bin": bytes });
  const store = new UrlStore(await open(server));
  const ranges = [
    { start: 12 * MiB, stop: 25 * MiB },
    { start: 5 * MiB, stop: 5 * MiB + 1000 },
    { start: 5 * MiB + 200 * KiB, stop: 5 * MiB + 220 * KiB },
    { start: 6 * MiB, stop: 6 * MiB },
    { start: 29 * MiB, stop: 30 * MiB },
  ];
  const found = await store.readMany(ranges);
  assert(found.every((part, i) => equal(part, bytes.slice(ranges[i]!.start, ranges[i]!.stop))));
  assertEquals(rangesOf(server), [
    `${5 * MiB}-${5 * MiB + 220 * KiB - 1}`,
    `${12 * MiB}-${20 * MiB - 1}`,
    `${20 * MiB}-${25 * MiB - 1}`,
    // The end came with the first answer.
    `${29 * MiB}-${30 * MiB - 64 * KiB - 1}`,
  ]);
});

Deno.test("UrlStore reads across small gaps alone where ranges are small", async () => {
  const bytes = bytesOf(40 * MiB);
  await using server = new RangeServer({ "a.bin": bytes });
  const store = new UrlStore(await open(server));
  const header = (start: number) => ({ start, stop: start + 200 });
  const far = Array.from({ length: 100 }, (_, i) => header(i * 100 * KiB));
  await store.readMany(far);
  assertEquals([server.log.length, server.sentBytes], [1 + 100, 64 * KiB + 100 * 200]);
  const close = Array.from({ length: 1000 }, (_, i) => header(10 * MiB + i * 12 * KiB));
  await store.readMany(close);
  assertEquals(server.log.length, 101 + 3);
});

Deno.test("UrlStore has what was announced under way, and asks for it once", async () => {
  const bytes = bytesOf(30 * MiB);
  await using server = new RangeServer({ "a.bin": bytes });
  const store = new UrlStore(await open(server));
  const [one, two] = [{ start: 9 * MiB, stop: 11 * MiB }, { start: 15 * MiB, stop: 16 * MiB }];
  store.prepare([one, two]);
  store.prepare([two, one]);
  assert(equal(await readAll(store, one), bytes.slice(one.start, one.stop)));
  store.prepare([two]);
  assert(equal((await store.readMany([two]))[0]!, bytes.slice(two.start, two.stop)));
  assertEquals(rangesOf(server), [
    `${9 * MiB}-${11 * MiB - 1}`,
    `${15 * MiB}-${16 * MiB - 1}`,
  ]);
});

Deno.test("UrlStore makes 64 small requests at once, and 16 large ones", async () => {
  const fault = (_: unknown, index: number): Fault | undefined =>
    index > 0 ? { kind: "stall", bytes: 0 } : undefined;
  const bytes = bytesOf(100 * MiB);
  for (const [numBytes, most] of [[200, 64], [100 * KiB, 16]] as const) {
    const ranges = Array.from({ length: 100 }, (_, i) => {
      return { start: i * 700 * KiB, stop: i * 700 * KiB + numBytes };
    });
    for (const announces of [true, false]) {
      await using server = new RangeServer({ "a.bin": bytes }, { fault });
      const store = new UrlStore(await open(server));
      const pending = announces ? store.prepare(ranges) : store.readMany(ranges);
      pending?.catch(() => {});
      await until(() => server.log.length > most, "all are asked for");
      // Who would make more had the time for it.
      await turns(20);
      assertEquals(server.log.length, 1 + most);
      store.close();
      if (pending !== undefined) await assertRejects(() => pending);
    }
  }
});

Deno.test("UrlStore announces no more than 64 MiB, and what is announced no more is ended", async () => {
  const fault = (_: unknown, index: number): Fault | undefined =>
    index > 0 && index < 9 ? { kind: "stall", bytes: 0 } : undefined;
  await using server = new RangeServer({ "a.bin": bytesOf(100 * MiB) }, { fault });
  const store = new UrlStore(await open(server));
  store.prepare([{ start: MiB, stop: 90 * MiB }]);
  await until(() => server.log.length === 9, "it is asked nine times");
  const last = { start: 95 * MiB, stop: 95 * MiB + 10 };
  store.prepare([last]);
  assertEquals((await readAll(store, last)).length, 10);
  assertEquals(server.log.length, 10);
  assertEquals(server.sentBytes, 64 * KiB + 10);
  store.close();
});

Deno.test("UrlStore asks for many announced ranges as they are read, some at a time", async () => {
  const bytes = bytesOf(100 * MiB);
  await using server = new RangeServer({ "a.bin": bytes });
  const file = await open(server);
  for (const [numBytes, gap] of [[200, 200 * KiB], [100 * KiB, 300 * KiB]] as const) {
    const store = new UrlStore(file);
    const ranges = Array.from({ length: 100 }, (_, i) => ({
      start: MiB + i * (numBytes + gap),
      stop: MiB + i * (numBytes + gap) + numBytes,
    }));
    server.log.length = 0;
    store.prepare(ranges);
    for (const range of ranges) {
      assert(equal(await readAll(store, range), bytes.slice(range.start, range.stop)));
    }
    assertEquals([server.log.length, server.sentBytes], [100, 100 * numBytes]);
    store.close();
  }
});

Deno.test("UrlStore reads small neighbours on in larger steps, and no byte twice", async () => {
  const bytes = bytesOf(6 * MiB);
  await using server = new RangeServer({ "a.bin": bytes });
  const store = new UrlStore(await open(server));
  const block = (index: number) => {
    const start = MiB + index * 10_000;
    return { start, stop: Math.min(bytes.length, start + 10_000) };
  };
  for (let index = 0; block(index).start < bytes.length; index++) {
    store.prepare([block(index), block(index + 1), block(index + 2)]);
    const { start, stop } = block(index);
    assert(equal(await readAll(store, { start, stop }), bytes.slice(start, stop)));
  }
  assertEquals(server.sentBytes, 5 * MiB);
  assert(server.log.length < 12, `${server.log.length} requests`);
});

Deno.test("UrlStore reads more at once than it may hold unread", async () => {
  const bytes = bytesOf(100 * MiB);
  await using server = new RangeServer({ "a.bin": bytes });
  const store = new UrlStore(await open(server));
  const range = { start: MiB, stop: 90 * MiB };
  assert(equal(await readAll(store, range), bytes.subarray(range.start, range.stop)));
  store.prepare([{ start: 2 * MiB, stop: 60 * MiB }]);
  assert(equal(await readAll(store, range), bytes.subarray(range.start, range.stop)));
  store.close();
});

Deno.test("UrlStore gives what is being read, whatever is announced meanwhile", async () => {
  const bytes = bytesOf(20 * MiB);
  await using server = new RangeServer({ "a.bin": bytes }, { latencyMs: 5 });
  const store = new UrlStore(await open(server));
  const [one, two] = [{ start: MiB, stop: 2 * MiB }, { start: 5 * MiB, stop: 6 * MiB }];
  store.prepare([one]);
  for (const read of [() => store.readMany([one]), async () => [await readAll(store, one)]]) {
    store.prepare([one]);
    const reading = read();
    store.prepare([two]);
    assert(equal((await reading)[0]!, bytes.subarray(one.start, one.stop)));
  }
  store.close();
});

Deno.test("UrlStore fails with the error of the request that failed, and ends the others", async () => {
  const fault = ({ range }: { readonly range: string | undefined }): Fault | undefined =>
    range === "5242880-5243879"
      ? { kind: "status", status: 404 }
      : range?.startsWith("-")
      ? undefined
      : { kind: "stall", bytes: 10 };
  await using server = new RangeServer({ "a.bin": bytesOf(20 * MiB) }, { fault });
  const store = new UrlStore(await open(server));
  const ranges = Array.from({ length: 5 }, (_, i) => {
    const start = 5 * MiB - i * MiB;
    return { start, stop: start + 1000 };
  });
  await assertRejects(() => store.readMany(ranges), Error, "the server says 404 Not Found");
  store.prepare([{ start: 5 * MiB, stop: 5 * MiB + 1000 }]);
  await assertRejects(
    () => readAll(store, { start: 5 * MiB, stop: 5 * MiB + 1000 }),
    Error,
    "the server says 404 Not Found",
  );
  store.close();
});

Deno.test("UrlStore ends what is under way when it is closed, or when it is told", async () => {
  const fault = (_: unknown, index: number): Fault | undefined =>
    index > 0 ? { kind: "stall", bytes: 10 } : undefined;
  await using server = new RangeServer({ "a.bin": bytesOf(20 * MiB) }, { fault });
  const file = await open(server);
  const range = { start: MiB, stop: 3 * MiB };
  const store = new UrlStore(file);
  const stopper = new AbortController();
  const told = store.readMany([range], stopper.signal);
  stopper.abort(new Error("enough"));
  await assertRejects(() => told, Error, "enough");
  const pending = [readAll(store, range)];
  store.prepare([{ start: 10 * MiB, stop: 12 * MiB }]);
  await until(() => server.log.length >= 3, "it is asked three times");
  store.close();
  for (const read of pending) await assertRejects(() => read);
  await assertRejects(() => store.readMany([range]));
  await assertRejects(() => store.read(new Uint8Array(10), 0));
});

Deno.test("UrlStore rejects what lies behind the end, before it asks", async () => {
  await using server = new RangeServer({ "a.bin": bytesOf(MiB) });
  const store = new UrlStore(await open(server));
  const read = (start: number, stop: number) => store.readMany([{ start, stop }]);
  await assertRejects(() => read(0, MiB + 1), Error, `ends at byte ${MiB}`);
  await assertRejects(() => read(2 * MiB, 2 ** 50), Error, `ends at byte ${2 * MiB}`);
  assertEquals(server.log.length, 1);
});
