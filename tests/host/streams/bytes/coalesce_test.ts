import { assert, assertEquals } from "@std/assert";
import { coalesce, cutRange, within } from "../../../../streams/bytes/coalesce.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";

const options = { gapBytes: 10, requestBytes: 100 };

/** Ranges as [start, stop) pairs, and the requests for them. */
const cases: readonly [title: string, ranges: number[][], requests: number[][]][] = [
  ["nothing", [], []],
  ["empty ranges", [[5, 5], [7, 7]], []],
  ["neighbours", [[0, 5], [5, 9]], [[0, 9]]],
  ["a gap that is read across", [[0, 5], [15, 20]], [[0, 20]]],
  ["a gap that is not", [[0, 5], [16, 20]], [[0, 5], [16, 20]]],
  ["any order, and one within another", [[50, 60], [0, 40], [10, 20]], [[0, 60]]],
  ["more than one request may have", [[0, 250]], [[0, 100], [100, 200], [200, 250]]],
  ["a request that is full in a gap", [[0, 95], [102, 110]], [[0, 95], [102, 110]]],
  ["a request that is full in a range", [[0, 90], [95, 130]], [[0, 100], [100, 130]]],
  ["an end that goes on in the next request", [[0, 103], [105, 110]], [[0, 100], [100, 110]]],
];

for (const [title, ranges, requests] of cases) {
  Deno.test(`coalesce(): ${title}`, () => {
    const asked = ranges.map(([start, stop]) => ({ start: start!, stop: stop! }));
    const found = coalesce(asked, options).map(({ start, stop }) => [start, stop]);
    assertEquals(found, requests);
  });
}

Deno.test("coalesce() asks for every byte once, and for few that nobody wants", () =>
  forSeeds(300, (random) => {
    const wanted = new Uint8Array(2000);
    const ranges = Array.from({ length: random.below(12) }, () => {
      const start = random.below(1500);
      return { start, stop: start + random.pick([0, 1, 7, 90, 100, 101, 400]) };
    });
    for (const { start, stop } of ranges) wanted.fill(1, start, stop);
    const limits = {
      gapBytes: random.pick([0, 1, 10, 60]),
      requestBytes: random.pick([1, 50, 100]),
    };
    const requests = coalesce(ranges, limits);
    let end = 0;
    for (const { start, stop } of requests) {
      assert(start >= end && stop > start && stop - start <= limits.requestBytes);
      assert(wanted[start] === 1 && wanted[stop - 1] === 1, `${start} to ${stop}`);
      let gap = 0;
      for (let i = start; i < stop; i++) {
        gap = wanted[i] === 1 ? 0 : gap + 1;
        assert(gap <= limits.gapBytes, `a gap of ${gap}`);
      }
      wanted.fill(0, start, stop);
      end = stop;
    }
    assertEquals(wanted.indexOf(1), -1);
  }));

Deno.test("cutRange() and within() give the bytes of a range from what was fetched", () =>
  forSeeds(300, (random) => {
    const bytes = Uint8Array.from({ length: 1000 }, () => random.below(256));
    const ranges = Array.from({ length: 1 + random.below(9) }, () => {
      const start = random.below(1001);
      return { start, stop: start + random.below(1001 - start) };
    });
    const limits = { gapBytes: random.below(50), requestBytes: 1 + random.below(300) };
    const fetched = coalesce(ranges, limits).map(({ start, stop }) => ({
      start,
      bytes: bytes.slice(start, stop),
    }));
    for (const range of ranges) {
      const pieces = within(range, fetched);
      assert(
        pieces.every(({ start, bytes }) =>
          start < range.stop && start + bytes.length > range.start
        ),
      );
      const cut = cutRange(range, pieces);
      assertEquals(cut, bytes.slice(range.start, range.stop));
      assertEquals(cut.buffer.byteLength, cut.length);
    }
  }));
