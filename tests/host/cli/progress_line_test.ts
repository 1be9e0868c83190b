import { assertEquals } from "@std/assert";
import { Pace, type Sample } from "../../../cli/progress_line.ts";
import { formatDuration } from "../../../cli/quantities.ts";

function paceOf(
  ...samples: readonly (readonly [atMs: number, numRows: number, numBytes: number])[]
) {
  const pace = new Pace();
  for (const [atMs, numRows, numBytes] of samples) pace.add({ atMs, numRows, numBytes } as Sample);
  return pace;
}

const table = { name: "data/flights.parquet", numRows: 4000, numBytes: 100 };

Deno.test("a progress line tells share, time left, rows and speed by rows where they are known", () => {
  const pace = paceOf([0, 0, 0], [1000, 500, 90], [2000, 1000, 95]);
  assertEquals(
    pace.line(table, 2100),
    "25%, 2.1 s, 6.0 s left, 1,000 of 4,000 rows, 500 rows/s, flights.parquet",
  );
});

Deno.test("a progress line tells share and time left by bytes where rows are not known", () => {
  const pace = paceOf([0, 0, 0], [30_000, 900, 40]);
  assertEquals(
    pace.line({ ...table, name: "a.csv", numRows: undefined }, 30_000),
    "40%, 30 s, 45 s left, 900 rows, 30 rows/s, a.csv",
  );
});

Deno.test("a progress line of a pipe tells what came", () => {
  const pipe = { name: "standard input", numRows: undefined, numBytes: undefined };
  const pace = paceOf([0, 0, 0], [1000, 1, 2048]);
  assertEquals(pace.line(pipe, 1000), "1.0 s, 1 row, 1 rows/s, 2.0 KiB, standard input");
  assertEquals(new Pace().line(undefined, 400), "0.4 s");
});

Deno.test("the speed is that of the last seconds, and what stands still has no time left", () => {
  const pace = paceOf([0, 0, 0], [1000, 2000, 0], [6000, 2000, 0], [7000, 2000, 0]);
  assertEquals(
    pace.line(table, 7000),
    "50%, 7.0 s, 2,000 of 4,000 rows, 0 rows/s, flights.parquet",
  );
});

Deno.test("a share is at most 100%, also of nothing and of a file that grew", () => {
  assertEquals(paceOf([0, 9000, 0]).line(table, 0).slice(0, 5), "100%,");
  assertEquals(paceOf([0, 0, 0]).line({ ...table, numRows: 0 }, 0).slice(0, 5), "100%,");
});

Deno.test("a narrow terminal gets the first parts of a progress line, whole", () => {
  const pace = paceOf([0, 0, 0], [2000, 1000, 95]);
  assertEquals(pace.line(table, 2000, 45), "25%, 2.0 s, 6.0 s left, 1,000 of 4,000 rows");
  assertEquals(
    pace.line(table, 2000, 43),
    "25%, 2.0 s, 6.0 s left, 1,000 of 4,000 rows",
  );
  assertEquals(pace.line(table, 2000, 42), "25%, 2.0 s, 6.0 s left");
  assertEquals(pace.line(table, 2000, 2), "25%");
});

Deno.test("the name of a source cannot move the cursor", () => {
  const pace = paceOf([0, 1, 1]);
  const line = pace.line({ ...table, name: "a\x1b[2J\n.csv" }, 0);
  assertEquals(line.match(/\p{Cc}/u), null);
});

Deno.test("durations read as people say them", () => {
  const cases = [[0, "0.0 s"], [9940, "9.9 s"], [9960, "10 s"], [59_600, "1 min 0 s"]] as const;
  for (const [ms, text] of cases) assertEquals(formatDuration(ms), text);
  assertEquals(formatDuration(200_000), "3 min 20 s");
  assertEquals(formatDuration(7_500_000), "2 h 5 min");
});
