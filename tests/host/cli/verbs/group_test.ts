/** Groups on the command line. */

import { assertEquals } from "@std/assert";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

const SALES = `city,"a, b",amount,paid
Oslo,1,0.1,true
Rome,2,2.5,false
Oslo,3,0.2,
,4,1.5,true
`;

Deno.test("group takes names, expressions and definitions as keys, and aggregates as columns", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/sales.csv`, SALES);
    const cases: [words: string[], expected: string][] = [
      [["city", "n = count()"], "city,n\nOslo,2\nRome,1\n,1\n"],
      [
        ["city,paid", "sum(amount)"],
        "city,paid,sum(amount)\nOslo,true,0.1\nRome,false,2.5\nOslo,,0.2\n,true,1.5\n",
      ],
      [["a, b", "n=count()"], '"a, b",n\n1,1\n2,1\n3,1\n4,1\n'],
      [
        ["odd = col('a, b') % 2 == 1", "x = max(amount) - min(amount)"],
        "odd,x\ntrue,0.1\nfalse,1.0\n",
      ],
      [["amount > 1", "count()"], "amount > 1,count()\nfalse,2\ntrue,2\n"],
      [['all = list(city).join("+")'], "all\nOslo+Rome+Oslo\n"],
      [["late = amount >= 1", "n = count()"], "late,n\nfalse,2\ntrue,2\n"],
    ];
    for (const [words, expected] of cases) {
      const args = [
        "read",
        "sales.csv",
        "then",
        "group",
        ...words,
        "then",
        "write",
        "-",
        "--format",
        "csv",
      ];
      const { status, out, err } = await sluice(args, { cwd: folder });
      assertEquals([words, status, out, err], [words, 0, expected, ""]);
    }
  }));

Deno.test("mistakes in a group are one line with their place", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/sales.csv`, SALES);
    const group = (
      ...words: string[]
    ) => ["read", "sales.csv", "then", "group", ...words, "then", "show"];
    const cases: [words: string[], message: string][] = [
      [group(), "step 2, group: "],
      [group("cty"), "step 2, group: Unknown column cty; did you mean city?"],
      [group("city", "x = amount + count()"), "amount has many values in a group"],
      [group("city", "city = count()"), 'would have the same name, "city"'],
      [group("city", "total = sum(city)"), "sum() takes numbers, city is string"],
      [group("city", "avg(amount)"), "group computes it as mean(x)"],
    ];
    for (const [words, message] of cases) {
      const { status, out, err } = await sluice(words, { cwd: folder });
      assertEquals([status, out, err.includes(message)], [2, "", true], err);
    }
  }));
