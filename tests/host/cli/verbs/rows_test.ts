/** Rows by position on the command line. */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { tableFromArrays, tableFromIPC } from "apache-arrow";
import { CommandError } from "../../../../base/errors/command_error.ts";
import { parseCommandLine } from "../../../../cli/words/command_line.ts";
import { parseSteps } from "../../../../cli/pipeline.ts";
import { parseShare } from "../../../../cli/words/quantities.ts";
import { formatBytes } from "../../../../base/quantities.ts";
import { parseRowList } from "../../../../cli/words/row_list.ts";
import { openSession } from "../../../../cli/session/session.ts";
import { verbs } from "../../../../cli/verbs/verbs.ts";
import * as sluiceLibrary from "../../../../mod.ts";
import { BatchStream } from "../../../../streams/plan/batch_stream.ts";
import { memorySource } from "../../../../streams/source/memory.ts";
import type { Source } from "../../../../streams/plan/source.ts";
import { assertFails, type BadCommand, exactly } from "../../../support/processes/bad_commands.ts";
import { longFile, tableToBytes } from "../../../support/files/long_arrow.ts";
import { forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { pythonTest } from "../../../support/judges/python.ts";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";
import { fewOr } from "../../../support/random/test_size.ts";

const numRows = 12;

/** The positions that a command's step keeps of twelve rows in three batches, read once or from anywhere. */
async function kept(words: readonly string[], { seeks }: { seeks: boolean }): Promise<number[]> {
  const { options, steps } = parseCommandLine(["--device", "cpu", ...words]);
  const session = await openSession(options, { operations: [], operators: [] });
  const batches = [0, 5, 7].map((start, index) => {
    const length = [5, 2, 5][index]!;
    return tableFromArrays({ id: Int32Array.from({ length }, (_, row) => start + row) })
      .batches[0]!;
  });
  const source = seeks ? batches : ReadableStream.from(batches);
  let stream = sluiceLibrary.fromBatches(source, { engine: session.engine });
  for (const { step } of parseSteps(steps, verbs)) {
    if (step.role === "transform") stream = await step.apply(stream, session);
  }
  const table = await sluiceLibrary.toTable(stream);
  await session.engine.close();
  return table.toArray().map(({ id }) => id);
}

/** What Python keeps of the positions, for each text: a slice, or a list of positions and slices. */
async function keptByPython(texts: readonly string[]): Promise<number[][]> {
  const program = `
import json, sys
rows = list(range(${numRows}))
def part(text):
    return eval("rows[" + text + "]") if ":" in text else [eval("rows[" + text + "]")]
print(json.dumps([sum((part(t.strip()) for t in text.split(",")), []) for text in json.loads(sys.argv[1])]))
`;
  const { success, stdout } = await new Deno.Command("python3", {
    args: ["-c", program, JSON.stringify(texts)],
  }).output();
  assertEquals(success, true);
  return JSON.parse(new TextDecoder().decode(stdout));
}

function randomRange(random: SeededRandom): string {
  const bound = () => random.chance(0.3) ? "" : `${random.below(40) - 20}`;
  const step = random.pick(["", ":", ":1", ":2", ":5", ":-1", ":-3", ":+2"]);
  return `${bound()}:${bound()}${step}`;
}

function randomList(random: SeededRandom): string {
  const part = () =>
    random.chance(0.6) ? `${random.below(2 * numRows) - numRows}` : randomRange(random);
  return Array.from({ length: 1 + random.below(4) }, part).join(random.pick([",", ", ", " ,"]));
}

pythonTest(
  "slice and take keep the rows that Python keeps, of any input",
  () =>
    forSeeds(fewOr(1, 3), async (random) => {
      const commands = Array.from({ length: 40 }, () => {
        const verb = random.pick(["slice", "take"]);
        return [verb, verb === "slice" ? randomRange(random) : randomList(random)] as const;
      });
      const expected = await keptByPython(commands.map(([, text]) => text));
      for (const [index, [verb, text]] of commands.entries()) {
        for (const seeks of [true, false]) {
          // A stream cannot be reversed without leave.
          const rows = await kept([verb, text, "--hold"], { seeks });
          assertEquals([verb, text, rows], [verb, text, expected[index]]);
        }
      }
    }),
);

Deno.test("positions and ranges are read as they are written", () => {
  assertEquals(parseRowList("5"), [5]);
  assertEquals(parseRowList("-1, +7 ,1_000:2_000,::-2"), [
    -1,
    7,
    { start: 1000, stop: 2000, step: null },
    { start: null, stop: null, step: -2 },
  ]);
  for (
    const text of ["", "5,,7", "5,", "x", "1.5", "1:2:3:4", "1 2", "1:x", "5;7", "9".repeat(17)]
  ) {
    assertThrows(
      () => parseRowList(text),
      CommandError,
      `take takes positions and ranges separated by commas, such as 5,-1,100:110, not "${text}"`,
    );
  }
});

Deno.test("a share is a number from 0 to 1, or percent", () => {
  const shares = ["0", "1", "0.999", "99.9%", "100%", "0%", "50 %"];
  assertEquals(shares.map((text) => parseShare(text, "--max-waste")), [
    0,
    1,
    0.999,
    99.9 / 100,
    1,
    0,
    0.5,
  ]);
  for (const text of ["x", "2", "101%", "-0.5", "", "%", ".", "1e-3", "0,5"]) {
    assertThrows(
      () => parseShare(text, "--max-waste"),
      CommandError,
      `--max-waste takes a share such as 0.999 or 99.9%, not "${text}"`,
    );
  }
});

const list = "take takes positions and ranges separated by commas, such as 5,-1,100:110, not";
const missing = (row: number) => `There is no row ${row}: the input has 2 rows`;

const mistakes: Readonly<Record<string, readonly [words: string, says: string, status: 1 | 2][]>> =
  {
    "mistakes in the words of take, at and slice": [
      ["take 5,,7", `${list} "5,,7"`, 2],
      ["take", "Too few arguments; usage: take LIST [--hold] [--max-waste SHARE]", 2],
      ["take 1 2", 'Unexpected argument "2"; usage: take LIST [--hold] [--max-waste SHARE]', 2],
      ["take 1,1:2:0", "The step of a slice cannot be 0", 2],
      ["slice ::0", "The step of a slice cannot be 0", 2],
      ["slice 5", 'slice takes whole numbers as START:STOP or START:STOP:STEP, not "5"', 2],
      ["slice ::-1 --max-waste x", '--max-waste takes a share such as 0.999 or 99.9%, not "x"', 2],
      [
        "at 1 --hold",
        "Unknown option --hold; it is an option of slice, take ; put it after that verb",
        2,
      ],
      ["at 1:2", 'at takes a whole number, not "1:2"', 2],
      [
        "head 1 --max-waste 1",
        "Unknown option --max-waste; it is an option of slice, at, take ; put it after that verb",
        2,
      ],
    ],
    "rows that do not exist": [
      ["at 7", missing(7), 1],
      ["at -3", missing(-3), 1],
      ["take 0,2", missing(2), 1],
      ["slice 1: then at 1", "There is no row 1: the input has 1 row", 1],
      ["filter id>5 then take 0", "There is no row 0: the input has no rows", 1],
    ],
  };

for (const [what, commands] of Object.entries(mistakes)) {
  Deno.test(`${what} are told with their step`, async () => {
    for (const [words, says, status] of commands) {
      const step = words.includes(" then ") ? 3 : 2;
      const [verb] = words.split(" then ").at(-1)!.split(" ");
      const command: BadCommand = {
        args: `read people.csv then ${words} then write out.arrow`,
        status,
        line: exactly(`step ${step}, ${verb}: ${says}`),
      };
      await assertFails(command);
    }
  });
}

Deno.test("a row that a file does not have is an error of its step, counted or read", async () => {
  const table = tableFromArrays({ id: Int32Array.of(1, 2) });
  const bytes = tableToBytes(table);
  for (const end of ["count", "write out.csv"]) {
    await assertFails({
      files: { "two.arrow": await bytes },
      args: `read two.arrow then with x=id then take 1,7 then ${end}`,
      status: 1,
      line: exactly(`step 3, take: ${missing(7)}`),
    });
  }
});

Deno.test("take, at and slices backwards go to files that know their rows, and read little", async () => {
  const bytes = await longFile();
  await inFolder({ "long.arrow": bytes }, async (cwd) => {
    const commands: readonly (readonly [words: string, ids: readonly number[], share: number])[] = [
      ["take 5,-1,99_000:99_002", [5, 99_999, 99_000, 99_001], 0.2],
      ["at -2", [99_998], 0.1],
      ["slice :-4:-1", [99_999, 99_998, 99_997], 0.1],
      ["with u=text.upper() then slice ::-1 then head 2", [99_999, 99_998], 0.1],
    ];
    for (const [words, ids, share] of commands) {
      const args = ["--stats", "read", "long.arrow", "then", ...words.split(" ")];
      const { status, bytes: out, err } = await sluice(args, { cwd });
      assertEquals([status, tableFromIPC(out).toArray().map(({ id }) => id)], [0, ids], err);
      const [, read, present] = /^bytes {8}([\d.]+ \w+) of ([\d.]+ \w+) read, /m.exec(err) ?? [];
      assertEquals(present, formatBytes(bytes.length), err);
      assertEquals(bytesOf(read!) < share * bytes.length, true, `${words}: ${read} of ${present}`);
    }
  });
});

Deno.test("a slice that wastes its reading is refused, unless it is allowed", async () => {
  const slices = "slice 5_000_000:5_000_010";
  const refused = "slice 5000000:5000010 would read 5,000,010 rows of people.csv to return 10 of " +
    "them; --max-waste 1 allows it, and an Arrow or Parquet file would not need it";
  await assertFails({
    args: `read people.csv then ${slices} then write out.csv`,
    status: 2,
    line: exactly(`step 2, slice: ${refused}`),
  });
  await assertFails({
    args: `read people.csv then filter id>0 then ${slices} --max-waste 99.9% then count`,
    status: 2,
    line:
      /^step 3, slice: .* would read at least 5,000,010 rows after filter to return 10 of them; /,
  });
  await inFolder({ "people.csv": "id\n1\n2\n" }, async (cwd) => {
    const allowed: readonly (readonly [words: string, count: string])[] = [
      [`${slices} --max-waste 100%`, "0\n"],
      ["at 1 --max-waste 0", "1\n"],
      ["slice ::-1 --hold", "2\n"],
      ["slice ::-1", "2\n"],
      ["take -1,::-1 --hold", "3\n"],
    ];
    for (const [words, count] of allowed) {
      const args = ["read", "people.csv", "then", ...words.split(" "), "then", "count"];
      const { status, out, err } = await sluice(args, { cwd });
      assertEquals([words, status, out, err], [words, 0, count, ""]);
    }
  });
});

/** A size as `--stats` shows it, in bytes. */
function bytesOf(text: string): number {
  const [number, unit] = text.split(" ");
  return Number(number) * 1024 ** ["B", "KiB", "MiB", "GiB"].indexOf(unit!);
}

Deno.test("verbs of others that pick rows are told by our names", () => {
  const told = (verb: string) =>
    (assertThrows(() => parseSteps([{ number: 1, verb, words: [] }], verbs)) as Error).message;
  assertEquals(told("nth"), 'step 1: Unknown verb "nth"; it is called at here');
  assertEquals(told("gather"), 'step 1: Unknown verb "gather"; it is called take here');
  assertEquals(told("offset"), 'step 1: Unknown verb "offset"; it is called slice N: here');
  assertEquals(told("reverse"), 'step 1: Unknown verb "reverse"; it is called slice ::-1 here');
  assertEquals(told("https://h/a.arrow?x=1").includes("to read a file: read FILE"), true);
});

Deno.test("what the engine tells before it counts rows for long is a warning, once", async () => {
  const { options } = parseCommandLine(["--device", "cpu"]);
  const session = await openSession(options, { operations: [], operators: [] });
  const inner = memorySource(tableFromArrays({ id: Int32Array.of(1, 2, 3) }));
  const source: Source = {
    name: "slow.arrow",
    bytesRead: 0,
    schema: () => inner.schema(),
    canSeek: () => inner.canSeek(),
    rows: (request, options) => inner.rows(request, options),
    numRows(options) {
      options?.onProbe?.({ chunks: 120_000, bytes: 23_400_000, elapsedMs: 13_900 });
      return inner.numRows();
    },
  };
  const told = await stderrOf(async () => {
    for (let time = 0; time < 2; time++) {
      const plan = { source, nodes: [], engine: session.engine.plans };
      assertEquals(await new BatchStream(plan).numRows(), 3);
    }
  });
  await session.engine.close();
  assertMatch(told, /^sluice: warning: slow\.arrow: about 120,000 batch headers .*\n$/);
});

/** What is written to stderr meanwhile. */
async function stderrOf(work: () => Promise<void>): Promise<string> {
  const { writeSync } = Deno.stderr;
  let text = "";
  Deno.stderr.writeSync = (bytes) => {
    text += new TextDecoder().decode(bytes);
    return bytes.length;
  };
  try {
    await work();
  } finally {
    Deno.stderr.writeSync = writeSync;
  }
  return text;
}
