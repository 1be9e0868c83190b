import { assertEquals, assertThrows } from "@std/assert";
import { CommandError } from "../../../../base/errors/command_error.ts";
import { type OptionNames, parseOptions } from "../../../../cli/words/options.ts";
import { parseWhere, whereOptions } from "../../../../cli/verbs/join_where.ts";
import { ExprError, parseExpr, printExpr } from "../../../../mod.ts";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";

const names: OptionNames = {
  values: [...whereOptions.values, "how", "suffix", "format", "asof"],
  lists: ["on", "columns"],
  flags: ["keep-keys"],
};

function parsed(...words: string[]) {
  return parseWhere(parseOptions(words, names))(parseExpr);
}

Deno.test("--where is read as an expression", () => {
  const { where, how } = parsed("b.csv", "--where", "start<=right.t&&right['first name']!=name");
  assertEquals(printExpr(where), 'start <= right.t && right["first name"] != name');
  assertEquals(how, "inner");
  const words = ["--how=left", "--suffix=_b", "--columns=t", "--format=csv"];
  assertEquals(parsed("b.csv", "--where=a<right.b", ...words).how, "left");
  assertThrows(() => parsed("b.csv", "--where", "a <"), ExprError, "ends too early");
});

Deno.test("mistakes beside --where are told", () => {
  const cases: [string[], string][] = [
    [["--how", "full"], "--where needs --how inner or left, not full"],
    [["--on", "id"], "--where cannot be combined with --on"],
    [["--keep-keys"], "--where cannot be combined with --keep-keys"],
    [["--asof", "t"], "--where cannot be combined with --asof"],
    [["--where", "a > 1"], 'Option --where occurs twice, with "a < right.b" and "a > 1"'],
  ];
  for (const [words, message] of cases) {
    assertThrows(() => parsed("b.csv", "--where", "a < right.b", ...words), CommandError, message);
  }
  assertThrows(() => parsed("b.csv", "--where="), CommandError, "Option --where needs a value");
});

Deno.test("options for reading FILE go with --where", () =>
  inFolder({ "a.csv": "n\n1\n2\n", "b.txt": "m;m\n1;2\n2;3\n" }, async (cwd) => {
    const reading = ["--format", "csv", "--delimiter", ";", "--duplicates", "number"];
    const where = ["--where", "n == right.m_2", "--types", "m_2=int64", "--invalid", "replace"];
    const joined = ["join", "b.txt", ...where, ...reading];
    const write = ["write", "-", "--format", "csv"];
    const { out, err } = await sluice(["read", "a.csv", "then", ...joined, "then", ...write], {
      cwd,
    });
    assertEquals([out, err], ["n,m,m_2\n2,1,2\n", ""]);
  }));

const files = {
  "shifts.csv": "who,start,stop\nAda,0,6\nZoë,5,9\nÖmer,7,7\n",
  "events.csv": "t,first name,start\n5,tea,a\n1,call,b\n8,mail,c\n",
};

Deno.test("join --where: rows, columns, kinds, errors with their place, and the warning", () =>
  inFolder(files, async (cwd) => {
    const run = (where: string, ...words: string[]) => {
      const end = ["then", "write", "-", "--format", "csv"];
      const joined = ["join", "events.csv", "--where", where, ...words];
      return sluice(["read", "shifts.csv", "then", ...joined, ...end], { cwd });
    };
    const during = "start <= right.t && right.t < stop";
    const { out, err } = await run(`${during} && right["first name"] != "tea"`, "--how", "left");
    assertEquals([out, err], [
      "who,start,stop,t,first name,start_right\nAda,0,6,1,call,b\nZoë,5,9,8,mail,c\nÖmer,7,7,,,\n",
      "",
    ]);
    const some = await run(during, "--columns", "start", "--suffix", "_of_event");
    assertEquals(some.out.split("\n")[0], "who,start,stop,start_of_event");

    const mistaken = await run("start <= right.when");
    assertEquals([mistaken.status, mistaken.out], [2, ""]);
    assertEquals(
      mistaken.err,
      "sluice: error: step 2, join: Unknown column when of the build side; there are t, first name, " +
        "start\n  start <= right.when\n           ^^^^^^^^^^\n",
    );
    assertEquals((await run(during, "--how", "anti")).status, 2);

    // The warning comes once, and the rows all the same.
    const loop = await run("start + right.t == 10");
    assertEquals([loop.out, loop.status], [
      "who,start,stop,t,first name,start_right\nZoë,5,9,5,tea,a\n",
      0,
    ]);
    assertEquals(
      loop.err,
      "sluice: warning: join: nothing in the condition to search by: each row is compared with all " +
        "rows of the build side\n",
    );
  }));
