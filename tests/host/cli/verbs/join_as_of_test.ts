import { assertEquals, assertStringIncludes } from "@std/assert";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

const files = {
  "trades.csv": "time,symbol,price\n3,AAPL,1\n5,Zoë,2\n6,AAPL,3\n20,AAPL,4\n",
  "quotes.csv": "at,symbol,bid\n1,AAPL,10\n5,AAPL,20\n5,Zoë,30\n7,AAPL,40\n",
  "days.csv": "day,n\n2024-02-28,1\n2024-03-03,2\n",
  "rates.csv": "day,rate\n2024-02-27,5\n2024-02-29,6\n",
};

/** The output of a join as CSV, and its errors. */
async function joined(cwd: string, from: string, words: readonly string[]) {
  const end = ["then", "write", "-", "--format", "csv"];
  return await sluice(["read", from, "then", "join", ...words, ...end], { cwd });
}

Deno.test("join --asof takes expressions, also for FILE", () =>
  inFolder(files, async (cwd) => {
    const day = 'cast(day, "timestamp[s]")';
    const { out, err } = await joined(cwd, "days.csv", ["rates.csv", "--asof", day]);
    assertEquals(err, "");
    assertEquals(out.trim().split("\n"), [
      "day,n,day_right,rate",
      "2024-02-28,1,2024-02-27,5",
      "2024-03-03,2,2024-02-29,6",
    ]);
  }));

Deno.test("join --asof: directions, groups, tolerance, and both kinds", () =>
  inFolder(files, async (cwd) => {
    const rows = async (...words: string[]) => {
      const { out, err } = await joined(cwd, "trades.csv", [
        "quotes.csv",
        "--asof",
        "time=at",
        ...words,
      ]);
      assertEquals(err, "");
      return out.trim().split("\n");
    };
    assertEquals(await rows("--by", "symbol"), [
      "time,symbol,price,bid",
      "3,AAPL,1,10",
      "5,Zoë,2,30",
      "6,AAPL,3,20",
      "20,AAPL,4,40",
    ]);
    const bids = (lines: string[]) => lines.slice(1).map((line) => line.split(",").at(-1));
    assertEquals(bids(await rows("--columns", "bid", "--direction", "forward")), [
      "20",
      "20",
      "40",
      "",
    ]);
    assertEquals(bids(await rows("--by", "symbol", "--direction", "nearest", "--tolerance", "1")), [
      "",
      "30",
      "20",
      "",
    ]);
    assertEquals(
      (await rows("--by", "symbol=symbol", "--tolerance=2", "--how", "inner")).length,
      4,
    );
    assertEquals(
      (await rows("--by", "symbol", "--keep-keys"))[0],
      "time,symbol,price,at,symbol_right,bid",
    );
    const days = await joined(cwd, "days.csv", ["rates.csv", "--asof", "day", "--tolerance", "2d"]);
    assertEquals([days.out, days.err], ["day,n,rate\n2024-02-28,1,5\n2024-03-03,2,\n", ""]);
  }));

Deno.test("join --asof: mistakes are told before a file is read", () =>
  inFolder(files, async (cwd) => {
    const asOf = ["quotes.csv", "--asof", "time=at"];
    const cases: [string[], string][] = [
      [["quotes.csv", "--by", "symbol"], "step 2, join: --by needs --asof"],
      [["quotes.csv", "--on", "symbol", "--tolerance", "1"], "--tolerance needs --asof"],
      [[...asOf, "--on", "symbol"], "--on cannot be combined with --asof"],
      [[...asOf, "--nulls-equal"], "--nulls-equal cannot be combined with --asof"],
      [["quotes.csv", "--asof", "time,at"], "--asof takes one time; put other keys into --by"],
      [["quotes.csv", "--asof", "time="], '--asof takes TIME or TIME=RIGHTTIME, not "time="'],
      [[...asOf, "--by", "a=b=c"], '--by takes KEY or KEY=RIGHTKEY, not "a=b=c"'],
      [[...asOf, "--how", "full"], '--how of an as-of join must be one of left, inner, not "full"'],
      [[...asOf, "--direction", "up"], 'must be one of backward, forward, nearest, not "up"'],
      [[...asOf, "--tolerance", "soon"], 'such as "2s", not "soon"'],
    ];
    for (const [words, message] of cases) {
      const { status, err } = await joined(cwd, "trades.csv", words);
      assertStringIncludes(err, message);
      assertEquals([status, err.trim().split("\n").length], [2, 1], err);
    }
  }));

Deno.test("join --asof: an unsorted row is named, and a tolerance that does not fit", () =>
  inFolder(files, async (cwd) => {
    await Deno.writeTextFile(`${cwd}/unsorted.csv`, "time\n5\n3\n");
    const named = await joined(cwd, "trades.csv", ["unsorted.csv", "--asof", "time"]);
    assertEquals(named.status, 1);
    assertStringIncludes(
      named.err,
      "The build side is not sorted by time: 3 comes after 5 (row 1 of the build side)",
    );
    const far = await joined(cwd, "days.csv", ["rates.csv", "--asof", "day", "--tolerance", "3h"]);
    assertEquals(far.status, 2);
    assertStringIncludes(
      far.err,
      "A tolerance of 3h is not a whole number of days, the unit of day",
    );
  }));
