import { assertEquals } from "@std/assert";
import { parseCommandLine } from "../../../../cli/words/command_line.ts";
import { repeatLines } from "../../../../cli/print/report.ts";
import { VerbError } from "../../../../base/errors/command_error.ts";
import { DifferenceError } from "../../../../base/errors/device_error.ts";
import { StepError } from "../../../../mod.ts";

/** What follows the error of a difference in a step of a command. */
function linesAfter(command: string[], number: number, row?: number): string[] {
  const what = { maker: "the join gives", column: undefined, row, host: "1", device: "2" };
  const error = new StepError(number, "join", new DifferenceError(what), row);
  const step = parseCommandLine(command).steps[number - 1]!;
  return repeatLines(command, new VerbError(step.number, step.verb, "run", error));
}

const cases: readonly [title: string, given: string, number: number, again: string][] = [
  [
    "the row goes in front of its step, and nothing is written",
    "--device check read a.csv then with u=name.upper() then write b.arrow",
    2,
    "--device check read a.csv then slice 7:8 then with 'u=name.upper()' then show",
  ],
  [
    "slices that pick of the rows of the step go, since one row is left, others stay",
    "read a.csv then with u=n+1 then drop n then slice 5: then filter u>3 then head 2",
    2,
    "--device check read a.csv then slice 7:8 then with u=n+1 then drop n " +
    "then filter 'u>3' then head 2 then show",
  ],
  [
    "no slice passes what changes the rows",
    "--memory 1GiB --device=check read a.csv then join b.csv --on k then head 3 then count",
    2,
    "--memory 1GiB --device=check read a.csv then slice 7:8 then join b.csv --on k then head 3 " +
    "then show",
  ],
  [
    "a file in between is written again",
    "read a.csv then write b.arrow then filter n>1 then count",
    3,
    "--device check read a.csv then write b.arrow then slice 7:8 then filter 'n>1' then show",
  ],
  [
    "the first step may read standard input",
    "filter n>1",
    1,
    "--device check slice 7:8 then filter 'n>1' then show",
  ],
];

for (const [title, given, number, again] of cases) {
  Deno.test(`the command that shows a difference again: ${title}`, () => {
    assertEquals(linesAfter(given.split(" "), number, 7), [`  reproduce with: sluice ${again}`]);
  });
}

Deno.test("words are quoted for a shell, and without a row the whole command is shown", () => {
  assertEquals(linesAfter(["read", "it's.csv", "then", "filter", "n > 1"], 2), [
    "  reproduce with: sluice --device check read 'it'\\''s.csv' then filter 'n > 1' then show",
  ]);
});

Deno.test("other errors have no such command", () => {
  const step = parseCommandLine(["read", "a.csv"]).steps[0]!;
  assertEquals(
    repeatLines(["read", "a.csv"], new VerbError(step.number, step.verb, "run", new Error("no"))),
    [],
  );
  assertEquals(repeatLines(["read", "a.csv"], "no error"), []);
});
