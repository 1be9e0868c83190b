import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../../../../base/errors/command_error.ts";
import { parseBytes, parseInteger } from "../../../../cli/words/quantities.ts";
import { formatElapsed, formatRows } from "../../../../cli/print/quantities.ts";
import { formatBytes, formatCount } from "../../../../base/quantities.ts";
import { parseCommandLine } from "../../../../cli/words/command_line.ts";
import { parseSteps } from "../../../../cli/pipeline.ts";
import { reportError } from "../../../../cli/print/report.ts";
import { verbs } from "../../../../cli/verbs/verbs.ts";

Deno.test("parseBytes() reads decimal and binary units", () => {
  const table: [string, number][] = [
    ["1", 1],
    ["65_536", 65536],
    ["512B", 512],
    ["64KiB", 65536],
    ["64 KiB", 65536],
    ["4gib", 4 * 2 ** 30],
    ["1.5MB", 1_500_000],
    ["2k", 2000],
  ];
  for (const [text, bytes] of table) assertEquals(parseBytes(text, "--memory"), bytes, text);
});

Deno.test("parseBytes() names the option and the text that is no size", () => {
  for (const text of ["", "0", "-1", "many", "1XB", "1e999", "0.4B", "99999999TiB"]) {
    const error = assertThrows(() => parseBytes(text, "--memory"), CommandError);
    assertEquals(error.message, `--memory takes a size such as 64MiB, not ${JSON.stringify(text)}`);
  }
});

Deno.test("parseInteger() reads whole numbers and keeps to the bound", () => {
  assertEquals(parseInteger("-12", "START"), -12);
  assertEquals(parseInteger("1_000", "head", 0), 1000);
  for (const text of ["", "1.5", "x", "1e3", "9007199254740993"]) {
    assertThrows(() => parseInteger(text, "head"), CommandError, "head takes a whole number");
  }
  assertThrows(() => parseInteger("-1", "head", 0), CommandError, "of at least 0");
  for (const text of ["9007199254740992", "-9007199254740992", "1" + "0".repeat(400)]) {
    assertThrows(
      () => parseInteger(text, "head", 0),
      CommandError,
      "a whole number below 2^53, not",
    );
  }
});

Deno.test("quantities are written with units and separators", () => {
  assertEquals([0, 1023, 1536, 2 ** 30].map(formatBytes), ["0 B", "1023 B", "1.5 KiB", "1.0 GiB"]);
  assertEquals([0, 999, 1000, 3_000_000].map(formatCount), ["0", "999", "1,000", "3,000,000"]);
  assertEquals([0, 1, 2].map(formatRows), ["0 rows", "1 row", "2 rows"]);
  assertEquals(
    [0.421, 42.04, 420.4, 4204].map(formatElapsed),
    ["0.42 ms", "42.0 ms", "420 ms", "4.20 s"],
  );
});

function parse(...words: string[]) {
  return parseSteps(parseCommandLine(words).steps, verbs);
}

function mistake(...words: string[]): string {
  const error = assertThrows(() => parse(...words));
  const { lines, status } = reportError(error);
  assertEquals(status, 2, lines.join("\n"));
  return lines[0]!.replace("sluice: error: ", "");
}

Deno.test("then separates steps, and options before the first verb are global", () => {
  const { options, steps } = parseCommandLine(
    [
      "--device",
      "cpu",
      "--memory=1MiB",
      "--temp",
      "x",
      "read",
      "a",
      "then",
      "slice",
      "-5:",
      "then",
      "show",
    ],
  );
  assertEquals(options.device, "cpu");
  assertEquals(options.memory, 2 ** 20);
  assertEquals(options.temp, "x");
  assertEquals(steps.map(({ verb }) => verb), ["read", "slice", "show"]);
  assertEquals(steps[1], { number: 2, verb: "slice", words: ["-5:"] });
});

Deno.test("each device is taken, and one that does not exist is an error", () => {
  for (const device of ["auto", "gpu", "cpu", "check"] as const) {
    assertEquals(parseCommandLine(["--device", device, "read", "a"]).options.device, device);
  }
  assertThrows(() => parseCommandLine(["--device", "tpu", "read", "a"]), CommandError, '"tpu"');
});

Deno.test("every verb takes what its usage says", () => {
  parse("read", "a.csv", "b.csv", "--columns", "x,y", "--format", "csv");
  parse("with", 'route = origin + "="', "late = delay >= 60");
  parse("select", "a", "then", "drop", "b", "then", "rename", "c=d", "e=f");
  parse("filter", "delay > 60");
  parse("join", "a.csv", "--on", "origin=iata", "--how", "left", "--suffix", "_o");
  parse("regroup", "--rows", "65536", "--bytes", "64MiB");
  parse("regroup", "--by", "a,b", "--by", "c", "--rows", "10", "--bytes", "1MB");
  parse("regroup", "--sizes", "3,1_000,2", "then", "regroup", "--one");
  parse("rechunk", "--to", "time=-1,lat=10", "--max-mem", "1GB", "--min-mem", "1MB");
  parse("rechunk", "--to", "-1,10", "--max-mem", "1GB", "--stages", "2", "--temp", "dir");
  for (const range of [":", "-5:", ":-5", "1:2:3", "::2"]) parse("slice", range);
  parse("head", "0", "then", "tail", "5", "then", "at", "-1");
  parse("write", "a.arrow", "--compression", "zstd", "then", "show", "5");
  parse("write", "a.arrow", "--offsets", "large");
  parse("write", "a.parquet", "--row-group-rows", "1000", "--row-group-bytes", "1MiB");
  for (const verb of ["show", "count", "schema", "explain"]) parse("read", "a", "then", verb);
});

Deno.test("mistakes in the words name the step and say what there should be", () => {
  const table: [words: string[], message: string][] = [
    [["raed", "a"], 'step 1: Unknown verb "raed"; did you mean read?'],
    [["--memory", "4", "read", "a"], '--memory takes at least 1MiB, not "4"'],
    [["--memory", "1023KiB", "read", "a"], '--memory takes at least 1MiB, not "1023KiB"'],
    [["read", "a", "then"], "Step 2 is empty: it needs a verb"],
    [["read", "a", "then", "then", "show"], "Step 2 is empty: it needs a verb"],
    [
      ["read", "a", "then", "doctor", "x"],
      "step 2: doctor is not a step of a pipeline; see sluice help doctor",
    ],
    [["rechnk", "plan"], 'step 1: Unknown verb "rechnk"; did you mean rechunk?'],
    [
      ["read"],
      "step 1, read: Too few arguments; usage: read FILE... " +
      "[--columns A,B] [--format FORMAT] [--types NAME=TYPE,...]",
    ],
    [["head", "1", "2"], 'step 1, head: Unexpected argument "2"; usage: head N'],
    [["head", "-n"], "step 1, head: Too few arguments; usage: head N"],
    [
      ["head", "-n", "-1"],
      'step 1, head: head takes a number of rows, not "-1"; slice :-N leaves out the last N rows',
    ],
    [
      ["tail", "-n", "+2"],
      'step 1, tail: tail takes a number of rows, not "+2"; slice N: leaves out the first N rows',
    ],
    [
      ["tail", "+2"],
      'step 1, tail: tail takes a number of rows, not "+2"; slice N: leaves out the first N rows',
    ],
    [["show", "-n", "x"], 'step 1, show: show takes a whole number of at least 0, not "x"'],
    [["show", "1", "2"], 'step 1, show: Unexpected argument "2"; usage: show [N]'],
    [
      ["slice", "5"],
      'step 1, slice: slice takes whole numbers as START:STOP or START:STOP:STEP, not "5"',
    ],
    [
      ["slice", "a:b"],
      'step 1, slice: slice takes whole numbers as START:STOP or START:STOP:STEP, not "a:b"',
    ],
    [["rename", "a"], 'step 1, rename: Write OLD=NEW, not "a"'],
    [["rename", "a=b", "a=c"], 'step 1, rename: Column "a" is renamed twice'],
    [
      ["regroup"],
      "step 1, regroup: Say how to cut the batches: --rows N, --bytes SIZE, --by NAME, " +
      "--sizes N,N or --one",
    ],
    [
      ["regroup", "--sizes", "3,0"],
      'step 1, regroup: --sizes takes a whole number of at least 1, not "0"',
    ],
    [
      ["regroup", "--sizes", "3,"],
      'step 1, regroup: --sizes takes a whole number of at least 1, not ""',
    ],
    [
      ["regroup", "--one", "--rows", "3"],
      "step 1, regroup: --one decides every batch: leave out --rows",
    ],
    [
      ["regroup", "--by", "a", "--sizes", "3,4"],
      "step 1, regroup: --sizes decides every batch: leave out --by",
    ],
    [
      ["regroup", "--by", "a,,b"],
      'step 1, regroup: --by takes names separated by commas, not "a,,b"',
    ],
    [["join", "b"], "step 1, join: Say which key to join on: --on KEY[=RIGHTKEY]"],
    [["join", "b", "--on", "a="], 'step 1, join: --on takes KEY or KEY=RIGHTKEY, not "a="'],
    [["join", "b", "--how", "cross", "--on", "a"], "step 1, join: --how cross takes no keys"],
    [
      ["join", "b", "--how", "cross", "--nulls-equal"],
      "step 1, join: --how cross takes no keys, and no --nulls-equal",
    ],
    [
      ["join", "b", "--on", "a", "--how", "fulll"],
      "step 1, join: Unknown --how fulll; did you mean full?",
    ],
    [["join", "b", "--on", "a=b=c"], 'step 1, join: --on takes KEY or KEY=RIGHTKEY, not "a=b=c"'],
    [
      ["join", "b", "--on", "a", "--validate", "n:1"],
      'step 1, join: --validate must be one of 1:1, 1:m, m:1, m:m, not "n:1"',
    ],
    [
      ["join", "b", "--on", "a", "--how", "up"],
      "step 1, join: Unknown --how up; there are inner, left, right, full, semi, anti, " +
      "right-semi, right-anti, cross",
    ],
    [
      ["read", "a", "--format", "cvs"],
      'step 1, read: Unknown format "cvs"; did you mean csv? (arrow, parquet, csv, tsv, ndjson, zarr)',
    ],
    [["with", "a == b"], "step 1, with: Write 'NAME = EXPR', not \"a == b\""],
    [["with", "a = "], "step 1, with: Write 'NAME = EXPR', not \"a = \""],
    [["read", "a", "then", "read", "b"], "step 2, read: Only the first step can read"],
    [
      ["read", "a", "then", "show", "then", "head", "1"],
      "step 3, head: Nothing can follow: show has read the rows",
    ],
    [
      ["write", "a", "--compression", "zst"],
      "step 1, write: --compression takes none, zstd, lz4, snappy or gzip, not zst; " +
      "did you mean zstd?",
    ],
    [
      ["write", "a", "--offsets", "larg"],
      "step 1, write: --offsets takes split, large or error, not larg; did you mean large?",
    ],
  ];
  for (const [words, message] of table) assertEquals(mistake(...words), message);
});
