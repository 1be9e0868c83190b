import { assertEquals, assertStringIncludes } from "@std/assert";
import { inFolder, sluice } from "../../support/sluice.ts";

const late = (first: string, last: string) => (first + "\n").repeat(12_000) + last + "\n";

const files = {
  "a.csv": "iata,city\nLAX,Los Angeles\nJFK,New York\n",
  "late.csv": "n\n" + late("1", "x"),
  "late.ndjson": late(`{"n":null,"pad":"${"x".repeat(100)}"}`, '{"n":1}'),
};

/** What a stranger types first, and what the answer has to say. */
const mistakes: readonly (readonly [words: readonly string[], says: string, status?: number])[] = [
  [["a.csv"], 'Unknown verb "a.csv"; read FILE reads a file'],
  [["cat", "a.csv"], 'Unknown verb "cat"; it is called read here'],
  [["read", "a.csv", "show"], "Verbs are joined by then: ... then show"],
  [["read", "a.csv", "|", "show", "3"], "Verbs are joined by then: ... then show 3"],
  [["read", "a.csv", "then", "where", "iata"], 'Unknown verb "where"; it is called filter here'],
  [["read", "a.csv", "then", "limit", "3"], 'Unknown verb "limit"; it is called head here'],
  [["read", "a.csv", "then", "with", "u = city.toUpperCase()"], "it is called upper here"],
  [["read", "a.csv", "then", "with", "u = city.substring(1)"], "it is called slice here"],
  [["read", "a.csv", "then", "with", "u = trim(city)"], "it is called strip here"],
  [
    ["read", "a.csv", "then", "with", "u = (() => 1)()"],
    "Only operations are called, by their names",
  ],
  [["read", "a.csv", "then", "with", "u = city?.upper()"], "Optional chaining is not supported"],
  [["read", "a.csv", "then", "filter", 'city == "a" and iata == "b"'], "&& stands for and"],
  [["read", "a.csv", "then", "filter", "city is null"], "isNull() asks for null"],
  [["read", "a.csv.gz", "then", "show"], "packed by gzip, which is not supported yet"],
  [["read", "late.csv", "then", "count"], "give its type: --types n=string", 1],
  [["read", "late.ndjson", "then", "count"], "give its type: --types n=json", 1],
];

Deno.test("the mistakes of a first hour are told with what to write instead", () =>
  inFolder(files, async (cwd) => {
    for (const [words, says, status = 2] of mistakes) {
      const result = await sluice(words, { cwd });
      assertStringIncludes(result.err, says);
      assertEquals([words, result.status, result.out], [words, status, ""]);
    }
  }));

Deno.test("show cuts a value that is longer than anybody reads, and longer than text can be", () =>
  inFolder(files, async (cwd) => {
    const steps = [
      "then",
      "head",
      "1",
      "then",
      "with",
      "t = city.zfill(536870000)",
      "then",
      "show",
    ];
    const { status, out, err } = await sluice(["read", "a.csv", ...steps], { cwd });
    assertEquals([status, err], [0, ""]);
    const row = out.split("\n")[3]!;
    assertEquals(/^LAX +Los Angeles +0{10000}…$/.test(row), true, row.slice(0, 60));
  }));
