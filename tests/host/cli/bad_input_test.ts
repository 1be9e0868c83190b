import { assertEquals, assertMatch } from "@std/assert";
import { airportsFile, checkoutPath, flightsFile, inFolder, sluice } from "../../support/sluice.ts";

const people = "id,name\n1,Ada\n2,Alan\n";

interface Case {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly status: 1 | 2;
  /** The one line, after `sluice: error: `. */
  readonly line: RegExp;
  /** What the lines below it show, if any. */
  readonly place?: string;
}

/** One line on stderr, nothing on stdout, the status, and no file that was not there before. */
async function assertFails(
  { files = {}, args, env = {}, status, line, place = "" }: Case,
): Promise<void> {
  await inFolder({ "people.csv": people, ...files }, async (cwd) => {
    const before = names(cwd);
    const result = await sluice(args, { cwd, env });
    const [first = "", ...rest] = result.err.trimEnd().split("\n");
    assertMatch(first, /^sluice: error: [^\n]*[^.]$/);
    assertMatch(first.replace("sluice: error: ", ""), line);
    assertEquals(rest.join("\n"), place);
    assertEquals([result.status, result.out], [status, ""]);
    assertEquals(names(cwd), before);
  });
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

function bytesOf(file: string, start: number, stop: number): Uint8Array {
  return Deno.readFileSync(file).slice(start, stop);
}

/** A whole Arrow file or stream of the airports. */
async function arrowBytes(name: string): Promise<Uint8Array> {
  let bytes = new Uint8Array();
  await inFolder({}, async (cwd) => {
    await sluice(["read", airportsFile, "then", "write", name], { cwd });
    bytes = await Deno.readFile(`${cwd}/${name}`);
  });
  return bytes;
}

const out = ["then", "write", "out.arrow"];

Deno.test("a missing file", () =>
  assertFails({
    args: ["read", "none.csv", ...out],
    status: 1,
    line: /^step 1, read: none\.csv: no such file$/,
  }));

Deno.test("a missing file to join", () =>
  assertFails({
    args: ["read", "people.csv", "then", "join", "none.csv", "--on", "id", ...out],
    status: 1,
    line: /^step 2, join: none\.csv: no such file$/,
  }));

Deno.test("an empty standard input to join", () =>
  assertFails({
    args: ["read", "people.csv", "then", "join", "-", "--on", "id", ...out],
    status: 1,
    line: /^step 2, join: standard input: is empty, not Arrow data$/,
  }));

Deno.test("a folder in place of a file", () =>
  assertFails({ args: ["read", "/tmp", "--format", "csv", ...out], status: 1, line: /folder/ }));

Deno.test("a suffix that names no format", () =>
  assertFails({
    files: { "people.txt": people },
    args: ["read", "people.txt", ...out],
    status: 2,
    line: /^step 1, read: .*people\.txt/,
  }));

for (const name of ["a.arrow", "a.arrows"]) {
  Deno.test(`a truncated Arrow ${name === "a.arrow" ? "file" : "stream"}`, async () => {
    const whole = await arrowBytes(name);
    for (const length of [0, 5, 100, whole.length >> 1, whole.length - 1]) {
      await assertFails({
        files: { [name]: whole.slice(0, length) },
        args: ["read", name, ...out],
        status: 1,
        line: new RegExp(`^step 1, read: ${name.replace(".", "\\.")}: `),
      });
    }
  });
}

Deno.test("an empty Arrow stream on stdin", async () => {
  const { status, err } = await sluice(["count"], { stdin: new Uint8Array() });
  assertEquals(status, 1);
  assertMatch(err, /^sluice: error: [^\n]+\n$/);
});

Deno.test("a Parquet file that is not one", async () => {
  for (
    const bytes of [
      new Uint8Array(),
      new TextEncoder().encode(people),
      bytesOf(flightsFile, 0, 1e5),
    ]
  ) {
    await assertFails({
      files: { "a.parquet": bytes },
      args: ["read", "a.parquet", ...out],
      status: 1,
      line: /^step 1, read: a\.parquet: /,
    });
  }
});

Deno.test("a CSV row with too many fields", () =>
  assertFails({
    files: { "a.csv": "x,y\n1,2\n3,4,5\n6,7\n" },
    args: ["read", "a.csv", ...out],
    status: 1,
    line: /^step 1, read: a\.csv: .*\brow 1\b.*\b3\b/,
  }));

Deno.test("text that is not UTF-8", () =>
  assertFails({
    files: { "a.csv": new Uint8Array([...new TextEncoder().encode("x\nab\n"), 0xff, 0xfe, 0x0a]) },
    args: ["read", "a.csv", ...out],
    status: 1,
    line: /^step 1, read: a\.csv: .*UTF-8/,
  }));

Deno.test("a value that is not of the type of its column", async () => {
  const rows = Array.from({ length: 100_000 }, (_, i) => String(i));
  await assertFails({
    files: { "a.csv": ["n", ...rows, "many"].join("\n") },
    args: ["read", "a.csv", ...out],
    status: 1,
    line: /^step 1, read: a\.csv: .*row 100000\b.*n.*many/,
  });
});

Deno.test("NDJSON that is not JSON", () =>
  assertFails({
    files: { "a.ndjson": '{"x":1}\n{"x":\n' },
    args: ["read", "a.ndjson", ...out],
    status: 1,
    line: /^step 1, read: a\.ndjson: line 2\b/,
  }));

Deno.test("an unknown column, with a caret under it", async () => {
  await assertFails({
    args: ["read", "people.csv", "then", "with", "a = id + 1", 'b = nmae + "!"', ...out],
    status: 2,
    line: /^step 2, with: .*nmae.*name/,
    place: `  nmae + "!"\n  ^^^^`,
  });
  await assertFails({
    args: ["read", "people.csv", "then", "head", "1", "then", "filter", 'nam == "x"', ...out],
    status: 2,
    line: /^step 3, filter: .*nam.*name/,
    place: `  nam == "x"\n  ^^^`,
  });
  await assertFails({
    args: ["read", "people.csv", "then", "select", "id", "naem", ...out],
    status: 2,
    line: /^step 2, select: .*naem.*name/,
  });
  await assertFails({
    args: ["read", "people.csv", "then", "join", "people.csv", "--on", "ib", ...out],
    status: 2,
    line: /^step 2, join: .*ib.*id/,
  });
  await assertFails({
    args: ["read", "people.csv", "--columns", "nam", ...out],
    status: 2,
    line: /^step 1, read: .*nam\b/,
  });
});

Deno.test("an unknown operation, with a caret under it", () =>
  assertFails({
    args: ["read", "people.csv", "then", "with", "a = name.uper()", ...out],
    status: 2,
    line: /^step 2, with: .*uper.*upper/,
    place: "  name.uper()\n       ^^^^",
  }));

Deno.test("an expression that cannot be read, with a caret at the place", () =>
  assertFails({
    args: ["read", "people.csv", "then", "filter", "id > ", ...out],
    status: 2,
    line: /^step 2, filter: /,
    place: "  id > \n       ^",
  }));

Deno.test("a wrong type in an expression", async () => {
  await assertFails({
    args: ["read", "people.csv", "then", "with", "a = id.upper()", ...out],
    status: 2,
    line: /^step 2, with: .*int64/,
    place: "  id.upper()\n  ^^",
  });
  await assertFails({
    args: ["read", "people.csv", "then", "filter", "name", ...out],
    status: 2,
    line: /^step 2, filter: .*name is string$/,
  });
});

Deno.test("keys that have no common type", () =>
  assertFails({
    args: ["read", "people.csv", "then", "join", "people.csv", "--on", "id=name", ...out],
    status: 2,
    line: /^step 2, join: Cannot join on .*int64.*(utf8|string)/,
  }));

Deno.test("a row that does not exist", () =>
  assertFails({
    args: ["read", "people.csv", "then", "at", "7", ...out],
    status: 1,
    line: /^step 2, at: There is no row 7$/,
  }));

Deno.test("an output folder that does not exist", () =>
  assertFails({
    args: ["read", "people.csv", "then", "write", "none/out.arrow"],
    status: 1,
    line: /^step 2, write: none\/out\.arrow: /,
  }));

Deno.test("an output whose suffix names no format", () =>
  assertFails({
    args: ["read", "people.csv", "then", "write", "out.xyz"],
    status: 2,
    line: /^step 2, write: .*out\.xyz/,
  }));

Deno.test("mistakes surface before the input is read and before an output is opened", () =>
  assertFails({
    args: ["read", "people.csv", "then", "write", "first.arrow", "then", "haed", "1"],
    status: 2,
    line: /^step 3: Unknown verb "haed"; did you mean head\?$/,
  }));

Deno.test({
  name: "a full disk",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder({}, async (cwd) => {
      // A limit on the size of files stands for the disk: the same call fails at the same place.
      const command =
        `ulimit -f 64; trap '' XFSZ; exec "$0" run -q -A --config="$1" "$2" read "$3" then write out.arrow`;
      const { code, stdout, stderr } = await new Deno.Command("bash", {
        args: [
          "-c",
          command,
          Deno.execPath(),
          checkoutPath("deno.json"),
          checkoutPath("cli.ts"),
          flightsFile,
        ],
        cwd,
        env: { SLUICE_DEVICE: "cpu", NO_COLOR: "1" },
      }).output();
      const err = new TextDecoder().decode(stderr);
      assertMatch(err, /^sluice: error: step 2, write: out\.arrow: [^\n]+\n$/);
      assertEquals([code, stdout.length], [1, 0]);
      assertEquals(names(cwd), []);
    }),
});

Deno.test("a Parquet file with corrupt pages", async () => {
  let bytes = new Uint8Array();
  await inFolder({}, async (cwd) => {
    await sluice(["read", airportsFile, "then", "write", "a.parquet"], { cwd });
    bytes = await Deno.readFile(`${cwd}/a.parquet`);
  });
  bytes.fill(0x58, 4, 2000);
  await assertFails({
    files: { "a.parquet": bytes },
    args: ["read", "a.parquet", ...out],
    status: 1,
    line: /corrupt|a\.parquet: /,
  });
});

Deno.test("a number of threads that is none", () =>
  assertFails({
    args: ["read", "people.csv", "then", "count"],
    env: { SLUICE_THREADS: "0" },
    status: 2,
    line: /^SLUICE_THREADS is a number of threads from 1 on, not "0"$/,
  }));

Deno.test("a column that is given twice", () =>
  assertFails({
    args: ["read", "people.csv", "then", "with", "a = id", "a = name", ...out],
    status: 2,
    line: /^step 2, with: Column "a" is given twice$/,
  }));

Deno.test("a type that does not exist, and one that CSV cannot have", async () => {
  await assertFails({
    args: ["read", "people.csv", "--types", "id=strin", ...out],
    status: 2,
    line: /^step 1, read: Unknown type "strin"; did you mean string\?$/,
  });
  await assertFails({
    args: ["read", "people.csv", "--types", "id=json", ...out],
    status: 1,
    line: /^step 1, read: people\.csv: type json of column id is none of /,
  });
  await assertFails({
    args: ["read", "people.csv", "--types", "id=int64,name=string,id=string", ...out],
    status: 2,
    line: /^step 1, read: --types gives column id two types$/,
  });
});
