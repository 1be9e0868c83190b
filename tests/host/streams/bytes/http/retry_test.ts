import { assert, assertEquals } from "@std/assert";
import { describeFailure, type Failure } from "../../../../../base/errors/request_error.ts";
import { mayPass, retryAfterMs, retryDelay } from "../../../../../streams/bytes/http/retry.ts";

const network: Failure = { kind: "network", reason: "Connection refused" };

Deno.test("retryDelay() doubles the longest wait up to five seconds, and gives up after the last try", () => {
  const longest = (attempt: number) => retryDelay(attempt, network, 100, 1);
  assertEquals(
    [0, 1, 2, 3, 4, 5, 6, 50].map(longest),
    [100, 200, 400, 800, 1600, 3200, 5000, 5000],
  );
  assertEquals([0, 0.25].map((random) => retryDelay(2, network, 5, random)), [0, 100]);
  assertEquals([3, 4, 5].map((attempt) => retryDelay(attempt, network, 5, 0)), [
    0,
    undefined,
    undefined,
  ]);
  assertEquals(retryDelay(0, network, 1, 0), undefined);
});

Deno.test("retryDelay() waits as long as the server asks, up to a minute", () => {
  const busy = (retryAfterMs: number): Failure => ({ kind: "status", status: "503", retryAfterMs });
  assertEquals(retryDelay(0, busy(7000), 5, 1), 7000);
  assertEquals(retryDelay(0, busy(20), 5, 0.5), 50);
  assertEquals(retryDelay(0, busy(60_000), 5, 0), 60_000);
  assertEquals(retryDelay(0, busy(60_001), 5, 0), undefined);
});

Deno.test("retryAfterMs() reads seconds and dates", () => {
  const now = Date.UTC(2015, 9, 21, 7, 28, 0);
  const cases: [string | null, number | undefined][] = [
    [null, undefined],
    ["0", 0],
    ["120", 120_000],
    ["Wed, 21 Oct 2015 07:28:30 GMT", 30_000],
    ["Wed, 21 Oct 2015 07:00:00 GMT", 0],
    ["soon", undefined],
  ];
  for (const [header, ms] of cases) assertEquals(retryAfterMs(header, now), ms);
});

Deno.test("only what may be another answer later is tried again", () => {
  const may = [408, 425, 429, 500, 502, 503, 504, 599];
  const final = [400, 401, 403, 404, 405, 406, 410, 416, 418, 451];
  assert(may.every(mayPass));
  assert(!final.some(mayPass));
});

Deno.test("failures are told in one clause", () => {
  const cases: [Failure, number, string][] = [
    [
      { kind: "status", status: "503 Service Unavailable" },
      5,
      "the server says 503 Service Unavailable (5 tries)",
    ],
    [{ kind: "status", status: "429" }, 1, "the server says 429"],
    [network, 5, "no connection (5 tries): Connection refused"],
    [network, 1, "no connection: Connection refused"],
    [{ kind: "stall", stallMs: 30_000 }, 5, "nothing arrived for 30 s (5 tries)"],
    [
      { kind: "short", numBytes: 512, wantedBytes: 65_536 },
      5,
      "only 512 of 65,536 bytes arrived (5 tries)",
    ],
  ];
  for (const [failure, times, text] of cases) assertEquals(describeFailure(failure, times), text);
});
