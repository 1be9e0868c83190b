import { assert, assertEquals, assertMatch } from "@std/assert";
import { checkoutPath, flightsFile, inFolder, sluice } from "../../support/sluice.ts";
import {
  Screen,
  sluiceOnTerminal,
  type TerminalOptions,
  type TerminalResult,
} from "../../support/terminal.ts";

const restPlugin = checkoutPath("tests/support/rest.ts");

/** Takes 2.5 seconds and more: 6,000,000 rows, some of them in one row group of 3,000,000. */
const longSteps = (...steps: readonly string[]) => [
  ...["--plugin", restPlugin, "read", flightsFile, flightsFile, "then", "rest"],
  ...["then", "with", "route = origin.lower() + destination"],
  ...["then", "filter", 'route.contains("@")', "then", ...steps],
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
const badCsv = () => `n,t\n${"1,a\n".repeat(10_000_000)}x,a\n`;

const ignore = Deno.build.os === "windows";

/** Runs a body with what a command wrote on a terminal. */
function terminalTest(
  name: string,
  args: readonly string[],
  options: TerminalOptions,
  body: (result: TerminalResult, screens: readonly string[]) => void | Promise<void>,
): void {
  Deno.test({
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
const talk = `import { defineOperator } from "${new URL("../../../mod.ts", import.meta.url)}";
export const talk = defineOperator({
  name: "talk",
  rows: "same",
  schema: (input) => input,
  open: () => {
    let count = 0;
    return {
      transform(batch, controller) {
        if (++count % 20 === 0) console.log("batch " + count);
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
    assertMatch(drawn.at(-2)!.text, /% *, .* s left, [\d,]+ of 6,000,000 rows, [\d,]+ rows\/s, /);
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
  ["read", "bad.csv", "then", "count"],
  {},
  ({ status }, seen) => {
    assertEquals(status, 1);
    assert(seen.some((screen) => /\d%.*bad\.csv/.test(screen)), seen.join("|"));
    assertMatch(seen.at(-1)!, /^sluice: error: step 1, read: bad\.csv: row 10000000, .*/);
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
  [
    "read",
    "bad.csv",
    "--columns",
    "t",
    "then",
    "slice",
    "::1000000",
    "then",
    "write",
    "-",
    "--format",
    "csv",
  ],
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

for (
  const [what, args, env] of [
    ["--quiet", ["--quiet"], {}],
    ["TERM=dumb", [], { TERM: "dumb" }],
  ] as const
) {
  terminalTest(
    `${what} has no progress line`,
    [...args, ...longSteps("count")],
    { env },
    ({ pieces }) => assertEquals(pieces.map(({ text }) => text).join(""), "0\r\n"),
  );
}

Deno.test("--progress writes plain lines where stderr is no terminal, and without it there are none", async () => {
  const { out, err } = await sluice(["--progress", ...longSteps("count")]);
  assertEquals(out, "0\n");
  assertMatch(err, /^(\d+%, [^\r\n]+ of 6,000,000 rows[^\r\n]*\n)+$/);
  assertEquals(err.includes("\x1b"), false);
  assertEquals((await sluice(longSteps("count"))).err, "");
});
