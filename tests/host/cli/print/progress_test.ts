import { assert, assertEquals, assertMatch } from "@std/assert";
import { Pace, type Sample } from "../../../../cli/print/progress.ts";
import { formatDuration } from "../../../../cli/print/quantities.ts";
import {
  checkoutPath,
  commandProgram,
  flightsFile,
  inFolder,
  sluice,
} from "../../../support/processes/sluice.ts";
import { someOf } from "../../../support/random/test_size.ts";
import {
  onTerminal,
  Screen,
  sluiceOnTerminal,
  type TerminalOptions,
  type TerminalResult,
} from "../../../support/processes/terminal.ts";

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

const restPlugin = checkoutPath("tests/support/processes/rest.ts");

/** Takes 2.5 seconds and more: 3,000,000 rows in one row group. */
const longSteps = (...steps: readonly string[]) => [
  ...["--plugin", restPlugin, "read", flightsFile, "--columns", "delay"],
  ...["then", "rest", "then", "filter", "delay > 32767", "then", ...steps],
];

/** The screen after each piece of output. */
function screens({ pieces }: TerminalResult, columns = 100): string[] {
  const screen = new Screen(columns);
  return pieces.map(({ text }) => {
    screen.write(text);
    return screen.text;
  });
}

/** A mistake in its last row. */
const badCsv = () => `n,t\n${"1,a\n".repeat(1_500_000)}x,a\n`;

/** Takes more than a second to come to it. */
const badSteps = (...words: readonly string[]) => [
  ...["--plugin", restPlugin, "read", "bad.csv", ...words, "then", "rest", "then"],
];

const ignore = Deno.build.os === "windows";

/** Each takes a second. */
const terminalTests: Deno.TestDefinition[] = [];

/** Runs a body with what a command wrote on a terminal. */
function terminalTest(
  name: string,
  args: readonly string[],
  options: TerminalOptions,
  body: (result: TerminalResult, screens: readonly string[]) => void | Promise<void>,
): void {
  terminalTests.push({
    name,
    ignore,
    fn: () =>
      inFolder(
        { "talk.ts": talk, ...(args.includes("bad.csv") ? { "bad.csv": badCsv() } : {}) },
        async (cwd) => {
          const result = await sluiceOnTerminal(args, { ...options, cwd });
          await body(result, screens(result, options.columns));
        },
      ),
  });
}

/** An operator that prints while it runs. */
const talk = `import { defineOperator } from "${new URL("../../../../mod.ts", import.meta.url)}";
export const talk = defineOperator({
  name: "talk",
  rows: "same",
  schema: (input) => input,
  open: () => {
    let count = 0;
    return {
      transform(batch, controller) {
        if (++count % 10 === 0) console.log("batch " + count);
        controller.enqueue(batch);
      },
    };
  },
});
`;

terminalTest(
  "the progress line moves, tells the share, and is gone before the result is printed",
  longSteps("count"),
  { columns: 120 },
  ({ status, pieces }, seen) => {
    assertEquals([status, seen.at(-1)], [0, "0"]);
    const drawn = pieces.filter(({ text }) => /\d%/.test(text));
    const shares = drawn.map(({ text }) => Number(/(\d+)%/.exec(text)![1]));
    assert(drawn.length >= 5, `${drawn.length} drawings`);
    assertEquals(shares, shares.toSorted((a, b) => a - b));
    assert(new Set(shares).size >= 5, shares.join());
    assertMatch(drawn.at(-2)!.text, /% *, .* s left, [\d,]+ of 3,000,000 rows, [\d,]+ rows\/s, /);
    const gaps = drawn.slice(1).map(({ seconds }, index) => seconds - drawn[index]!.seconds);
    const longest = Math.max(...gaps);
    assert(longest < drawn.at(-1)!.seconds / 2, `it stood still for ${longest} s`);
    // One line at any time.
    assertEquals(seen.filter((screen) => screen.includes("\n")), []);
  },
);

terminalTest(
  "in a narrow terminal the progress line does not wrap",
  longSteps("count"),
  { columns: 24 },
  ({ status }, seen) => {
    assertEquals([status, seen.at(-1)], [0, "0"]);
    assert(seen.some((screen) => /^\d+%, \d/.test(screen)), seen.join("|"));
    assertEquals(seen.filter((screen) => screen.includes("\n")), []);
  },
);

terminalTest(
  "an error stands alone: the progress line before it is gone",
  [...badSteps(), "count"],
  {},
  ({ status }, seen) => {
    assertEquals(status, 1);
    assert(seen.some((screen) => /\d%.*bad\.csv/.test(screen)), seen.join("|"));
    assertMatch(seen.at(-1)!, /^sluice: error: step 1, read: bad\.csv: row 1500000, .*/);
  },
);

terminalTest(
  "Ctrl-C leaves an empty line and nothing else",
  ["read", ...Array<string>(20).fill(flightsFile), "then", "write", "out.arrow"],
  { interruptAfter: "%" },
  ({ status, pieces }, seen) => {
    assertEquals([status, seen.at(-1)], [130, ""]);
    assert(pieces.some(({ text }) => text.includes("%")));
    assert(!pieces.some(({ text }) => text.includes("\x1b[?25l")));
  },
);

terminalTest(
  "rows that go to the terminal come without a progress line among them",
  [...badSteps("--columns", "t"), "slice", "::150000", "then", "write", "-", "--format", "csv"],
  {},
  (_, seen) => assertMatch(seen.at(-1)!, /^t(\na){11}$/),
);

terminalTest(
  "what a plugin prints stands on lines of its own",
  ["--plugin", "./talk.ts", ...longSteps("talk", "then", "count")],
  {},
  ({ status, pieces }, seen) => {
    assertEquals(status, 0);
    assert(pieces.some(({ text }) => text.includes("%")));
    const lines = seen.at(-1)!.split("\n");
    assertEquals(lines.pop(), "0");
    assert(lines.length >= 3);
    for (const line of lines) assertMatch(line, /^batch \d+$/);
  },
);

const withoutLine = [["--quiet", ["--quiet"], {}], ["TERM=dumb", [], { TERM: "dumb" }]] as const;
for (const [what, args, env] of withoutLine) {
  terminalTest(
    `${what} has no progress line`,
    [...args, ...longSteps("count")],
    { env },
    ({ pieces }) => assertEquals(pieces.map(({ text }) => text).join(""), "0\r\n"),
  );
}

for (const test of someOf(terminalTests, 5)) Deno.test(test);

Deno.test({
  name: "a pipe to another program has no progress line, unless it is asked for",
  ignore,
  fn: async () => {
    for (const [options, isShown] of [[[], false], [["--progress"], true]] as const) {
      const words = [...options, ...longSteps("count")];
      const program = [Deno.execPath(), "run", "-q", "-A", ...commandProgram(words), ...words];
      const line = ["bash", "-c", '"$@" | cat', "bash", ...program];
      const { pieces } = await onTerminal(line, { env: { SLUICE_DEVICE: "cpu" } });
      const text = pieces.map(({ text }) => text).join("");
      assertEquals(text.includes("\x1b[K"), isShown);
      assert(text.endsWith("0\r\n"), text);
    }
  },
});

Deno.test("--progress writes plain lines where stderr is no terminal, and without it there are none", async () => {
  const { out, err } = await sluice(["--progress", ...longSteps("count")]);
  assertEquals(out, "0\n");
  // On a busy machine the first line may come before the number of rows.
  assertMatch(err, /^([\d.]+ s, 0 rows[^\r\n]*\n)*(\d+%, [^\r\n]+ of 3,000,000 rows[^\r\n]*\n)+$/);
  assertEquals(err.includes("\x1b"), false);
  assertEquals((await sluice(longSteps("count"))).err, "");
});
