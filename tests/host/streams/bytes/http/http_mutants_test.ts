/** Answers of a server of which one fact is changed: the same rows, or a refusal by name. */

import { Int32, Utf8 } from "apache-arrow";
import { fromBatches, write } from "../../../../../mod.ts";
import { openSource } from "../../../../../streams/files/read.ts";
import { rowSlice } from "../../../../../streams/rows/row_slice.ts";
import {
  type Fault,
  RangeServer,
  type ServedRequest,
} from "../../../../support/files/range_server.ts";
import { assertSameOrRefused, NUMBER_CHANGES } from "../../../../support/files/same_or_refused.ts";
import { SeededRandom } from "../../../../support/random/seeded_random.ts";
import { batchOf, inFolder, readAll, rowsOf } from "../../../../support/values/streams_samples.ts";

const names = ["a.csv", "a.ndjson", "a.arrow", "a.arrows", "a.parquet"] as const;
const numRows = 700;

/** Text that no codec makes short, so that each file is larger than what is asked for first. */
const texts = (() => {
  const random = new SeededRandom(1);
  return Array.from(
    { length: numRows },
    (_, row) =>
      row % 50 === 7
        ? null
        : Array.from({ length: 200 }, () => random.below(2 ** 31).toString(36)).join(""),
  );
})();
const files: Record<string, Uint8Array<ArrayBuffer>> = {};
await inFolder(async (folder) => {
  for (const name of names) {
    const batches = Array.from({ length: 7 }, (_, batch) => {
      const ids = Array.from({ length: 100 }, (_, row) => 100 * batch + row);
      return batchOf({ id: [new Int32(), ids], text: [new Utf8(), ids.map((id) => texts[id])] });
    });
    await fromBatches(batches).pipeTo(write(`${folder}/${name}`));
    files[name] = await Deno.readFile(`${folder}/${name}`);
  }
});

/** What becomes of an answer. */
const changes = [
  "first byte of Content-Range",
  "last byte of Content-Range",
  "size in Content-Range",
  "unit of Content-Range",
  "no Content-Range",
  "Content-Length",
  "ETag",
  "no ETag",
  "Last-Modified",
  "Content-Encoding",
  "all bytes with status 200",
  "all bytes with status 206",
  "a part with status 200",
  "another part, and so it says",
  "shorter body",
  "longer body",
  "416 with the size",
  "416 without it",
] as const;
type Change = typeof changes[number];

/** The range that a request asks for: [start, stop). */
function rangeOf({ range = "0-" }: ServedRequest, size: number): { start: number; stop: number } {
  const [first, last] = range.split("-");
  if (first === "") return { start: Math.max(0, size - Number(last)), stop: size };
  const stop = last === "" ? size : Math.min(size, Number(last) + 1);
  return { start: Number(first), stop };
}

/** The fault that is a change, as a function of the request; and in words. */
function faultOf(random: SeededRandom, name: string, change: Change) {
  const bytes = files[name]!;
  const seed = random.below(2 ** 31);
  const isNumber = / byte of |size in |Content-Length/.test(change);
  // The number depends on the request, its change does not.
  const numberChange = random.pick(NUMBER_CHANGES);
  const kinds: string[] = isNumber ? [change, numberChange] : [change];
  const fault = (request: ServedRequest): Fault => {
    const random = new SeededRandom(seed);
    const { start, stop } = rangeOf(request, bytes.length);
    const changed = (value: number) => {
      const huge = 2 ** 31 - 1;
      const others = {
        zero: 0,
        "one more": value + 1,
        "one less": value - 1,
        huge,
        negative: -value || -huge,
      };
      return others[numberChange];
    };
    const headers = (first: unknown, last: unknown, size: unknown, unit = "bytes"): Fault => ({
      kind: "headers",
      headers: { "content-range": `${unit} ${first}-${last}/${size}` },
    });
    const size = bytes.length;
    switch (change) {
      case "first byte of Content-Range":
        return headers(changed(start), stop - 1, size);
      case "last byte of Content-Range":
        return headers(start, changed(stop - 1), size);
      case "size in Content-Range":
        return headers(start, stop - 1, random.chance(0.2) ? "*" : changed(size));
      case "unit of Content-Range":
        return headers(start, stop - 1, size, random.pick(["rows", "", "bytes=", "BYTES"]));
      case "no Content-Range":
        return { kind: "headers", headers: { "content-range": "" } };
      case "Content-Length":
        return { kind: "headers", headers: { "content-length": `${changed(stop - start)}` } };
      case "ETag":
        return { kind: "headers", headers: { etag: random.pick(['"x"', 'W/"x"', "x", '""']) } };
      case "no ETag":
        return { kind: "headers", headers: { etag: "" } };
      case "Last-Modified":
        return { kind: "headers", headers: { "last-modified": "Wed, 21 Oct 2015 07:28:01 GMT" } };
      case "Content-Encoding":
        return { kind: "headers", headers: { "content-encoding": random.pick(["gzip", "br"]) } };
      case "all bytes with status 200":
        return { kind: "answer", status: 200, body: bytes, headers: { "content-range": "" } };
      case "all bytes with status 206":
        return { kind: "answer", status: 206, body: bytes };
      case "a part with status 200":
        return { kind: "answer", status: 200 };
      case "another part, and so it says": {
        const from = random.below(size);
        const to = from + 1 + random.below(size - from);
        return {
          kind: "answer",
          status: 206,
          body: bytes.slice(from, to),
          headers: { "content-range": `bytes ${from}-${to - 1}/${size}` },
        };
      }
      case "shorter body":
        return random.chance(0.5)
          ? { kind: "truncate", bytes: random.below(stop - start) }
          : { kind: "answer", status: 206, body: bytes.slice(start, stop - 1) };
      case "longer body":
        return random.chance(0.5)
          ? { kind: "longer", bytes: 1 + random.below(2000) }
          : { kind: "answer", status: 206, body: new Uint8Array(stop - start + 1) };
      case "416 with the size":
        return { kind: "status", status: 416, headers: { "content-range": `bytes */${size}` } };
      case "416 without it":
        return { kind: "status", status: 416 };
    }
  };
  return { fault, kinds };
}

/** Makes every wait before another try the shortest. */
function withoutWaits(): Disposable {
  const { random } = Math;
  Math.random = () => 0;
  return { [Symbol.dispose]: () => void (Math.random = random) };
}

/** A server, and what is read of it. */
interface Input {
  readonly name: string;
  readonly isPart: boolean;
  readonly fault: (request: ServedRequest, index: number) => Fault | undefined;
}

Deno.test("an answer that is wrong in one fact changes no row without a word", async () => {
  await assertSameOrRefused<Input, unknown>({
    draws: 200,
    kinds: [...changes, ...NUMBER_CHANGES, ...names, "first", "later", "all later"],
    mutate(random) {
      const name = random.pick(names);
      const change = random.pick(changes);
      const when = random.pick(["first", "later", "all later"] as const);
      const at = when === "first" ? 0 : 1 + random.below(3);
      const { fault, kinds } = faultOf(random, name, change);
      const isPart = random.chance(0.4);
      const [start, stop] = isPart ? [650, 655] : [0, numRows];
      kinds.push(name, when);
      return {
        input: {
          name,
          isPart,
          fault: (request, index) =>
            index === at || (when === "all later" && index > at) ? fault(request) : undefined,
        },
        right: texts.slice(start, stop).map((text, row) => ({ id: start + row, text })),
        kinds,
        what: `${name}, ${isPart ? "a part" : "all"}: ${change} of ${when} request ${at}`,
      };
    },
    async read({ name, isPart, fault }) {
      await using server = new RangeServer(files, { fault });
      using _ = withoutWaits();
      const source = openSource(server.url(name), { http: { tries: 3, stallMs: 20_000 } });
      const rows: Record<string, unknown>[] = [];
      if (!isPart) rows.push(...rowsOf(await readAll(source)));
      else if (!await source.canSeek()) {
        rows.push(...rowsOf(await readAll(source)).slice(650, 655));
      } else {
        for await (const { batch, runs } of source.rows([rowSlice(650, 655)], {})) {
          const all = rowsOf([batch]);
          for (const { start, count } of runs ?? [{ start: 0, count: all.length }]) {
            rows.push(...all.slice(start, start + count));
          }
        }
      }
      return rows.map(({ id, text }) => ({ id: Number(id), text }));
    },
    refusal: /^http:\/\/127\.0\.0\.1:\d+\/a\.\w+: /,
  });
});
