/** The summary of `--stats`. */

import { assertEquals, assertMatch } from "@std/assert";
import { formatSummary } from "../../../../cli/print/summary.ts";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

Deno.test("--stats tells what a step held, and what of a file was read", () =>
  inFolder({ "people.csv": "id,name\n1,Ada\n2,Alan\n3,Grace\n" }, async (cwd) => {
    const { err } = await sluice(
      ["--stats", "read", "people.csv", "then", "tail", "1", "then", "write", "out.csv"],
      { cwd },
    );
    assertMatch(err, /^bytes {8}\d+ B of 29 B read, \d+ B out$/m);
    assertMatch(err, /^ {2}step 2 +[\d.]+ ms {2}tail: 1 row, \d+ B held$/m);
  }));

Deno.test("--stats counts requests only where there were some, and bytes present where known", async () => {
  const run = {
    numRowsIn: 10,
    numRowsOut: 10,
    bytesIn: 6_815_744,
    bytesOut: 1229,
    wideText: [],
    batchesOut: 1,
    counters: { failedParts: 0 },
    operators: [{
      name: "slice",
      step: 4,
      elapsedMs: 0.41,
      rowsOut: 10,
      batchesOut: 1,
      bytesHeld: 1126,
      bytesSpilled: 2048,
      wideText: [],
    }],
  };
  const linesFor = async (more: object) => {
    const lines = await summaryOf({ ...run, ...more });
    assertEquals(
      lines[3],
      "  step 4        0.41 ms  slice: 10 rows, 1.1 KiB held, 2.0 KiB spilled",
    );
    return lines[2];
  };
  const bytesPresent = 2 ** 30;
  assertEquals(
    await linesFor({ bytesPresent, numRequests: 0 }),
    "bytes        6.5 MiB of 1.0 GiB read, 1.2 KiB out",
  );
  assertEquals(
    await linesFor({ bytesPresent, numRequests: 3000 }),
    "bytes        6.5 MiB of 1.0 GiB read in 3,000 requests, 1.2 KiB out",
  );
  assertEquals(
    await linesFor({ bytesPresent: undefined, numRequests: 1 }),
    "bytes        6.5 MiB read in 1 request, 1.2 KiB out",
  );
  assertEquals(
    await linesFor({ bytesPresent: undefined, numRequests: 0 }),
    "bytes        6.5 MiB read, 1.2 KiB out",
  );
});

/** The summary of a run, of which only what it shows is given. */
function summaryOf(run: object): Promise<string[]> {
  const work = {
    engine: { describe: () => Promise.resolve({ description: "the host", reason: "a test" }) },
    runs: [run],
    outputs: [],
  };
  return formatSummary(work as unknown as Parameters<typeof formatSummary>[0]);
}

Deno.test("--stats names a source in full, without its folder", async () => {
  const shown: readonly (readonly [name: string, label: string])[] = [
    ["read standard input", "read standard input"],
    ["read /data/of may/a b.csv", "read a b.csv"],
    ["read data/a.arrow and 2 more", "read a.arrow and 2 more"],
    ["read https://h/x/a.parquet", "read a.parquet"],
    ["withColumns", "withColumns"],
  ];
  const operators = shown.map(([name]) => ({
    name,
    step: 1,
    elapsedMs: 1,
    rowsOut: 2,
    batchesOut: 1,
    bytesHeld: 0,
    bytesSpilled: 0,
    wideText: [],
  }));
  const run = { numRowsIn: 2, numRowsOut: 2, bytesIn: 1, bytesOut: 1, numRequests: 0 };
  const lines = await summaryOf({ ...run, wideText: [], counters: { failedParts: 0 }, operators });
  assertEquals(
    lines.slice(3, 3 + shown.length),
    shown.map(([, label]) => `  step 1        1.00 ms  ${label}: 2 rows`),
  );
});
