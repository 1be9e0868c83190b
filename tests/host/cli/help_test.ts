import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import manifest from "../../../deno.json" with { type: "json" };
import { displayWidth } from "../../../cli/print/terminal.ts";
import { verbs } from "../../../cli/verbs/verbs.ts";
import { describeOperations } from "../../../mod.ts";
import { inFolder, sluice } from "../../support/processes/sluice.ts";
import { someOf } from "../../support/random/test_size.ts";

const late = (first: string, last: string) => (first + "\n").repeat(12_000) + last + "\n";

const files = {
  "semi.csv": "a;b\n1;2\n",
  "list.ndjson": '[\n {"a":1}\n]\n',
  "long.ndjson": '{\n "a": 1\n}\n',
  "a.csv": "iata,city\nLAX,Los Angeles\nJFK,New York\n",
  "blanks.csv": " n,city\n1,Rome\n",
  "late.csv": "n\n" + late("1", "x"),
  "floats.csv": "n\n" + late("1", "1.5"),
  "floats.ndjson": late(`{"n":1,"pad":"${"x".repeat(100)}"}`, '{"n":1.5}'),
  "films.ndjson": '{"title":1776}\n',
  "late.ndjson": late(`{"n":null,"pad":"${"x".repeat(100)}"}`, '{"n":1}'),
};

/** What a stranger types first, and what the answer has to say. */
const mistakes: readonly (readonly [words: readonly string[], says: string, status?: number])[] = [
  [["a.csv"], 'Unknown verb "a.csv"; to read a file: read FILE'],
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
    "Only operations can be called, by their names",
  ],
  [["read", "a.csv", "then", "with", "u = city?.upper()"], "Optional chaining is not supported"],
  [["read", "a.csv", "then", "filter", 'city == "a" and iata == "b"'], "&& stands for and"],
  [["read", "a.csv", "then", "filter", "city is null"], "isNull() asks for null"],
  [["read", "a.csv.gz", "then", "show"], "compressed by gzip, which is not supported yet"],
  [["--format", "csv"], "Unknown option --format; it is an option of read, join, write ; put"],
  [["read", "a.csv", "--memory", "1GB"], "it goes before the first verb: sluice --memory"],
  [["read", "semi.csv", "then", "show"], "--delimiter ';'", 1],
  [
    ["read", "semi.csv", "--sep", ";"],
    "--delimiter CHAR is the character between the fields of CSV",
  ],
  [
    ["read", "a.csv", "then", "write", "b.csv", "--sep=;"],
    "Unknown option --sep; --delimiter CHAR",
  ],
  [["read", "a.csv", "then", "write", "b.arrow", "--delimiter", ";"], "arrow has no delimiter"],
  [["read", "a.csv", "then", "filter", "city =~ /a/"], "containsRe() looks for a pattern"],
  [["read", "blanks.csv", "--types", "n=string"], 'did you mean " n"?', 1],
  [["read", "list.ndjson", "then", "show"], "begins an array, of which jq -c '.[]'", 1],
  [["read", "long.ndjson", "then", "show"], "jq -c . writes each value on one line", 1],
  [["read", "late.csv", "then", "count"], "give its type: --types n=string", 1],
  [["read", "late.ndjson", "then", "count"], "give its type: --types n=json", 1],
  [["read", "floats.csv", "then", "count"], "give its type: --types n=float64", 1],
  [["read", "floats.ndjson", "then", "count"], "give its type: --types n=float64", 1],
  [
    ["read", "films.ndjson", "--types", "title=string", "then", "show"],
    "1776 is not a valid string; give its type: --types title=json",
    1,
  ],
];

Deno.test("the mistakes of a first hour are told with what to write instead", () =>
  inFolder(files, async (cwd) => {
    for (const [words, says, status = 2] of someOf(mistakes, 6)) {
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

Deno.test("help lists every verb, and tells about each", async () => {
  const { status, out, err } = await sluice(["help"]);
  assertEquals([status, err], [0, ""]);
  for (const { name, summary } of verbs) {
    assertMatch(out, new RegExp(`^  ${name} +${summary.replace(/[()]/g, "\\$&")}$`, "m"));
  }
  const all = await sluice([
    "help",
    ...verbs.map(({ name }) => name),
    "rechunk",
    "doctor",
    "ops",
    "help",
  ]);
  assertEquals([all.status, all.err], [0, ""]);
  for (const { name, usage } of verbs) assertStringIncludes(all.out, `${name} ${usage}`.trim());
});

Deno.test("--help, -h and no words at all print the help", async () => {
  const { out } = await sluice(["help"]);
  for (const args of [["--help"], ["-h"], []]) assertEquals((await sluice(args)).out, out);
});

Deno.test("--help behind a verb prints the help on it, whatever stands around", async () => {
  const { out } = await sluice(["help", "head"]);
  for (const args of [["head", "--help"], ["read", "no.csv", "then", "head", "--help", "x"]]) {
    const helped = await sluice(args);
    assertEquals([helped.status, helped.out, helped.err], [0, out, ""]);
  }
  const unknown = await sluice(["haed", "--help"]);
  assertEquals(unknown.err, 'sluice: error: Unknown verb "haed"; did you mean head?\n');
});

Deno.test("lines of help and of ops fit a terminal of 100 columns", async () => {
  const helps = await sluice(["help", ...verbs.map(({ name }) => name), "rechunk"]);
  const operations = describeOperations().map(({ name }) => name);
  const lists = [await sluice(["ops"]), await sluice(["ops", ...operations])];
  for (const { out } of [helps, ...lists]) {
    for (const line of out.split("\n")) assertEquals(displayWidth(line) <= 100, true, line);
  }
});

Deno.test("--version prints the version of the package", async () => {
  assertEquals((await sluice(["--version"])).out, `sluice ${manifest.version}\n`);
});

Deno.test("help on a verb that does not exist names the nearest", async () => {
  const { status, err } = await sluice(["help", "jion"]);
  assertEquals([status, err], [2, 'sluice: error: Unknown verb "jion"; did you mean join?\n']);
});

Deno.test("ops lists every operation in its group, with signature, kind and an example", async () => {
  const { status, out } = await sluice(["ops"]);
  assertEquals(status, 0);
  assertMatch(out, /^split$/m);
  assertMatch(out, /^ {2}splitPart\(delimiter: string, index: integer\) -> string +view$/m);
  assertMatch(out, /^ {6}"2001-03-14"\.splitPart\("-", 1\) is "03"$/m);
  for (const { signature } of describeOperations()) {
    assertStringIncludes(out, `\n  ${signature.slice(0, 60)}`);
  }
});

Deno.test("ops of a name or a sign tells all of it", async () => {
  const { status, out } = await sluice(["ops", "splitPart", "!="]);
  assertEquals(status, 0);
  assertMatch(out, /^ {2}"2001-03-14"\.splitPart\("-", 3\) is null$/m);
  assertMatch(out, /^ {2}Differs from\n {4}DuckDB: /m);
  assertMatch(out, /^ {2}state == "CA" is null where state is null$/m);
  const none = await sluice(["ops", "upperr"]);
  assertEquals([none.status, none.out], [2, ""]);
  assertStringIncludes(none.err, "did you mean upper?");
});

Deno.test("doctor tells what computes, and why", async () => {
  const { status, out } = await sluice(["--device", "cpu", "--threshold", "1KiB", "doctor"]);
  assertEquals(status, 0);
  assertMatch(out, /host/);
  assertMatch(out, /\noffsets of text +64-bit where a column has 1,024 bytes of text or more in a/);
});
