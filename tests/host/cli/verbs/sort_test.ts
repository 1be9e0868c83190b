/** Sorts, extremes, distinct rows and counts of values on the command line. */

import { assertEquals } from "@std/assert";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

const SALES = `city,-x,amount
Oslo,1,2
Rome,2,
Oslo,3,10
,4,1
`;

Deno.test("sort, top, distinct and values take names, dashes and expressions", () =>
  inFolder(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/sales.csv`, SALES);
    const cases: [words: string[], expected: number[]][] = [
      [["sort", "city,-amount"], [3, 1, 2, 4]],
      [["sort", "-amount", "--nulls", "first"], [2, 3, 1, 4]],
      [["sort", "-city", "amount"], [2, 1, 3, 4]],
      [["sort", "-x"], [1, 2, 3, 4]],
      [["sort", "city,--x"], [3, 1, 2, 4]],
      [["sort", "-city.length()"], [1, 2, 3, 4]],
      [["sort", "amount * -1"], [3, 1, 4, 2]],
      [["top", "2", "amount"], [3, 1]],
      [["top", "1", "amount", "--by", "city"], [3, 2, 4]],
      [["top", "2", "amount", "--least"], [4, 1]],
      [["distinct", "city"], [1, 2, 4]],
      [["distinct", "city", "--keep", "last"], [2, 3, 4]],
      [["distinct", "city", "--keep", "none"], [2, 4]],
      [["distinct"], [1, 2, 3, 4]],
    ];
    for (const [words, expected] of cases) {
      const args = ["read", "sales.csv", "then", ...words, "then", "select", "-x", "then", "write"];
      const { status, out, err } = await sluice([...args, "-", "--format", "csv"], { cwd });
      const lines = ["-x", ...expected].map((line) => `${line}\n`);
      assertEquals([words, status, out, err], [words, 0, lines.join(""), ""]);
    }
    const { out } = await sluice(
      ["read", "sales.csv", "then", "values", "city", "then", "write", "-", "--format", "csv"],
      { cwd },
    );
    assertEquals(out, "city,count\nOslo,2\nRome,1\n,1\n");
  }));

Deno.test("mistakes in a sort are one line", () =>
  inFolder(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/sales.csv`, SALES);
    const cases: [words: string[], message: string][] = [
      [["sort"], "step 2, sort: "],
      [["sort", "cty"], "step 2, sort: Unknown column cty; did you mean city?"],
      [["sort", "city", "--nulls", "middle"], '--nulls is first or last, not "middle"'],
      [["sort", "city", "--desc"], "write -KEY"],
      [["top", "-3", "city"], "top"],
      [["top", "3"], "step 2, top: "],
      [
        ["top", "3", "-amount"],
        "top has the greatest first: write amount, or --least for the least",
      ],
      [["distinct", "city", "--keep", "any"], '--keep is first, last or none, not "any"'],
      [["values"], "step 2, values: "],
      [["sort", "by", "city"], "There is no column by; keys follow the verb: sort KEY, group KEY"],
      [["sort", "amount", "DESC"], "There is no column DESC; -KEY has greater values first"],
      [["group", "by", "city"], "There is no column by; keys follow the verb"],
    ];
    for (const [words, message] of cases) {
      const { status, out, err } = await sluice(
        ["read", "sales.csv", "then", ...words, "then", "show"],
        { cwd },
      );
      assertEquals(
        [status, out, err.includes(message), err.split("\n").length],
        [2, "", true, 2],
        err,
      );
    }
  }));
