import { assertEquals, assertMatch } from "@std/assert";
import {
  assertFails,
  type BadCommand,
  namesIn,
  people,
} from "../../support/processes/bad_commands.ts";
import { bash } from "../../support/processes/bash.ts";
import { airportsFile, flightsFile, inFolder, sluice } from "../../support/processes/sluice.ts";
import { someOf } from "../../support/random/test_size.ts";

/** A whole file of the airports. */
async function airportsAs(name: string): Promise<Uint8Array> {
  let bytes = new Uint8Array();
  await inFolder({}, async (cwd) => {
    await sluice(["read", airportsFile, "then", "write", name], { cwd });
    bytes = await Deno.readFile(`${cwd}/${name}`);
  });
  return bytes;
}

const reading = "read people.csv then";
const out = "then write out.arrow";
const outs = out.split(" ");

const cases: Readonly<Record<string, readonly BadCommand[]>> = {
  "a missing file": [
    { args: `read none.csv ${out}`, status: 1, line: /^step 1, read: none\.csv: no such file$/ },
  ],
  "a missing file to join": [{
    args: `${reading} join none.csv --on id ${out}`,
    status: 1,
    line: /^step 2, join: none\.csv: no such file$/,
  }],
  "an empty standard input to join": [{
    args: `${reading} join - --on id ${out}`,
    status: 1,
    line: /^step 2, join: standard input: is empty, not Arrow data$/,
  }],
  "a folder in place of a file": [
    { args: `read /tmp --format csv ${out}`, status: 1, line: /folder/ },
  ],
  "a suffix that names no format": [{
    files: { "people.txt": people },
    args: `read people.txt ${out}`,
    status: 2,
    line: /^step 1, read: .*people\.txt/,
  }],
  "a Parquet file that is not one": [
    new Uint8Array(),
    new TextEncoder().encode(people),
    Deno.readFileSync(flightsFile).slice(0, 1e5),
  ].map((bytes) => ({
    files: { "a.parquet": bytes },
    args: `read a.parquet ${out}`,
    status: 1,
    line: /^step 1, read: a\.parquet: /,
  })),
  "a CSV row with too many fields": [{
    files: { "a.csv": "x,y\n1,2\n3,4,5\n6,7\n" },
    args: `read a.csv ${out}`,
    status: 1,
    line: /^step 1, read: a\.csv: .*\brow 1\b.*\b3\b/,
  }],
  "text that is not UTF-8": [{
    files: { "a.csv": new Uint8Array([...new TextEncoder().encode("x\nab\n"), 0xff, 0xfe, 0x0a]) },
    args: `read a.csv ${out}`,
    status: 1,
    line: /^step 1, read: a\.csv: .*UTF-8/,
  }],
  "a value that is not of the type of its column": [{
    files: { "a.csv": ["n", ...Array.from({ length: 100_000 }, (_, i) => i), "many"].join("\n") },
    args: `read a.csv ${out}`,
    status: 1,
    line: /^step 1, read: a\.csv: .*row 100000\b.*n.*many/,
  }],
  "NDJSON that is not JSON": [{
    files: { "a.ndjson": '{"x":1}\n{"x":\n' },
    args: `read a.ndjson ${out}`,
    status: 1,
    line: /^step 1, read: a\.ndjson: line 2\b/,
  }],
  "an unknown column, with a caret under it": [
    {
      args: [...reading.split(" "), "with", "a = id + 1", 'b = nmae + "!"', ...outs],
      status: 2,
      line: /^step 2, with: .*nmae.*name/,
      place: `  nmae + "!"\n  ^^^^`,
    },
    {
      args: [...`${reading} head 1 then filter`.split(" "), 'nam == "x"', ...outs],
      status: 2,
      line: /^step 3, filter: .*nam.*name/,
      place: `  nam == "x"\n  ^^^`,
    },
    { args: `${reading} select id naem ${out}`, status: 2, line: /^step 2, select: .*naem.*name/ },
    {
      args: `${reading} join people.csv --on ib ${out}`,
      status: 2,
      line: /^step 2, join: .*ib.*id/,
    },
    { args: `read people.csv --columns nam ${out}`, status: 2, line: /^step 1, read: .*nam\b/ },
  ],
  "an unknown operation, with a caret under it": [{
    args: [...reading.split(" "), "with", "a = name.uper()", ...outs],
    status: 2,
    line: /^step 2, with: .*uper.*upper/,
    place: "  name.uper()\n       ^^^^",
  }],
  "an expression that cannot be read, with a caret at the place": [{
    args: [...reading.split(" "), "filter", "id > ", ...outs],
    status: 2,
    line: /^step 2, filter: /,
    place: "  id > \n       ^",
  }],
  "a wrong type in an expression": [
    {
      args: [...reading.split(" "), "with", "a = id.upper()", ...outs],
      status: 2,
      line: /^step 2, with: .*int64/,
      place: "  id.upper()\n  ^^",
    },
    {
      args: `${reading} filter name ${out}`,
      status: 2,
      line: /^step 2, filter: .*name is string$/,
    },
  ],
  "keys that have no common type": [{
    args: `${reading} join people.csv --on id=name ${out}`,
    status: 2,
    line: /^step 2, join: Cannot join on .*int64.*(utf8|string)/,
  }],
  "a row that does not exist": [
    {
      args: `${reading} at 7 ${out}`,
      status: 1,
      line: /^step 2, at: There is no row 7: the input has \d+ rows$/,
    },
  ],
  "an output folder that does not exist": [{
    args: `${reading} write none/out.arrow`,
    status: 1,
    line: /^step 2, write: none\/out\.arrow: /,
  }],
  "an output whose suffix names no format": [
    { args: `${reading} write out.xyz`, status: 2, line: /^step 2, write: .*out\.xyz/ },
  ],
  "mistakes surface before the input is read and before an output is opened": [{
    args: `${reading} write first.arrow then haed 1`,
    status: 2,
    line: /^step 3: Unknown verb "haed"; did you mean head\?$/,
  }],
  "a number of threads that is none": [{
    args: `${reading} count`,
    env: { SLUICE_THREADS: "0" },
    status: 2,
    line: /^SLUICE_THREADS is a number of threads from 1 on, not "0"$/,
  }],
  "a column that is given twice": [{
    args: [...reading.split(" "), "with", "a = id", "a = name", ...outs],
    status: 2,
    line: /^step 2, with: Column "a" is defined twice$/,
  }],
  "a type that does not exist, and one that CSV cannot have": [
    {
      args: `read people.csv --types id=strin ${out}`,
      status: 2,
      line: /^step 1, read: Unknown type "strin"; did you mean string\?$/,
    },
    {
      args: `read people.csv --types id=json ${out}`,
      status: 1,
      line: /^step 1, read: people\.csv: type json of column id is none of /,
    },
    {
      args: `read people.csv --types id=int64,name=string,id=string ${out}`,
      status: 2,
      line: /^step 1, read: --types names column id twice$/,
    },
  ],
};

for (const [title, mistakes] of Object.entries(cases)) {
  Deno.test(title, async () => {
    for (const mistake of someOf(mistakes, 2)) await assertFails(mistake);
  });
}

for (const name of ["a.arrow", "a.arrows"]) {
  Deno.test(`a truncated Arrow ${name === "a.arrow" ? "file" : "stream"}`, async () => {
    const whole = await airportsAs(name);
    for (const length of someOf([0, 5, 100, whole.length >> 1, whole.length - 1], 1)) {
      await assertFails({
        files: { [name]: whole.slice(0, length) },
        args: `read ${name} ${out}`,
        status: 1,
        line: new RegExp(`^step 1, read: ${name.replace(".", "\\.")}: `),
      });
    }
  });
}

Deno.test("a Parquet file with corrupt pages", async () => {
  const bytes = (await airportsAs("a.parquet")).fill(0x58, 4, 2000);
  const args = `read a.parquet ${out}`;
  await assertFails({
    files: { "a.parquet": bytes },
    args,
    status: 1,
    line: /corrupt|a\.parquet: /,
  });
});

Deno.test("an empty Arrow stream on stdin", async () => {
  const { status, err } = await sluice(["count"], { stdin: new Uint8Array() });
  assertEquals(status, 1);
  assertMatch(err, /^sluice: error: [^\n]+\n$/);
});

Deno.test({
  name: "a full disk",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      // A limit on the size of files stands for the disk: the same call fails at the same place.
      const line = 'ulimit -f 64; trap "" XFSZ; sluice read "$FLIGHTS" then write out.arrow';
      const { code, out, err } = await bash(line, cwd);
      assertMatch(err, /^sluice: error: step 2, write: out\.arrow: [^\n]+\n$/);
      assertEquals([code, out], [1, ""]);
      assertEquals(namesIn(cwd), []);
    }),
});
