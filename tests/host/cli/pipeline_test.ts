import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { tableFromIPC } from "apache-arrow";
import { airportsFile, flightsFile, inFolder, sluice } from "../../support/processes/sluice.ts";
import { someOf } from "../../support/random/test_size.ts";

const people = "id,name,city\n1,Ada,London\n2,Alan,\n3,Grace,New York\n4,Łukasz,Łódź\n";
const cities = "city,country\nLondon,GB\nNew York,US\nNew York,USA\n";

/** Runs a pipeline over people.csv that ends in CSV, and gives the lines. */
async function lines(...steps: string[]): Promise<string[]> {
  let text = "";
  await inFolder({ "people.csv": people, "cities.csv": cities }, async (cwd) => {
    const args = ["read", "people.csv", "then", ...steps, "then", "write", "out.csv"];
    const { status, err } = await sluice(args, { cwd });
    assertEquals([status, err], [0, ""]);
    text = await Deno.readTextFile(`${cwd}/out.csv`);
  });
  return text.trimEnd().split("\n");
}

Deno.test("with adds and replaces columns", async () => {
  assertEquals(
    await lines("with", "name = name.upper()", 'place = city.fillNull("?") + "!"'),
    [
      "id,name,city,place",
      "1,ADA,London,London!",
      "2,ALAN,,?!",
      "3,GRACE,New York,New York!",
      "4,ŁUKASZ,Łódź,Łódź!",
    ],
  );
});

Deno.test("select, drop and rename change the columns", async () => {
  assertEquals((await lines("select", "name", "id"))[1], "Ada,1");
  assertEquals((await lines("drop", "city", "id"))[1], "Ada");
  assertEquals((await lines("rename", "name=who", "id=nr"))[0], "nr,who,city");
});

Deno.test("filter keeps the rows where the expression is true", async () => {
  assertEquals(await lines("filter", 'city != "London"'), [
    "id,name,city",
    "3,Grace,New York",
    "4,Łukasz,Łódź",
  ]);
});

Deno.test("join adds the columns of the build side", async () => {
  assertEquals(
    await lines("join", "cities.csv", "--on", "city"),
    ["id,name,city,country", "1,Ada,London,GB", "3,Grace,New York,US", "3,Grace,New York,USA"],
  );
  assertEquals(
    await lines(
      "rename",
      "city=town",
      "then",
      "join",
      "cities.csv",
      "--on",
      "town=city",
      "--how",
      "left",
    ),
    [
      "id,name,town,country",
      "1,Ada,London,GB",
      "2,Alan,,",
      "3,Grace,New York,US",
      "3,Grace,New York,USA",
      "4,Łukasz,Łódź,",
    ],
  );
});

Deno.test("join gives taken names a suffix, and takes only the columns asked for", async () => {
  const header = async (...more: string[]) =>
    (await lines("join", "people.csv", "--on", "id", ...more))[0];
  assertEquals(await header(), "id,name,city,name_right,city_right");
  assertEquals(await header("--suffix", "_2"), "id,name,city,name_2,city_2");
  assertEquals(await header("--columns", "city"), "id,name,city,city_right");
});

Deno.test("slice, head, tail and at keep rows by position", async () => {
  const ids = async (...steps: string[]) =>
    (await lines(...steps, "then", "select", "id")).slice(1).join();
  const cases: readonly (readonly [steps: string[], ids: string])[] = [
    [["slice", "-3:"], "2,3,4"],
    [["slice", "1:3"], "2,3"],
    [["slice", "::2"], "1,3"],
    [["slice", ":-3"], "1"],
    [["head", "2"], "1,2"],
    [["tail", "1"], "4"],
    [["at", "0"], "1"],
    [["at", "-1"], "4"],
    [["at", "-2"], "3"],
  ];
  for (const [steps, kept] of someOf(cases, 4)) assertEquals(await ids(...steps), kept);
});

Deno.test("regroup cuts batches of a number of rows", () =>
  inFolder({}, async (cwd) => {
    const args = [
      "read",
      airportsFile,
      "then",
      "regroup",
      "--rows",
      "1000",
      "then",
      "write",
      "a.arrow",
    ];
    const { status, err } = await sluice(args, { cwd });
    assertEquals([status, err], [0, ""]);
    const table = tableFromIPC(await Deno.readFile(`${cwd}/a.arrow`));
    assertEquals(table.batches.map(({ numRows }) => numRows), [1000, 1000, 1000, 376]);
  }));

Deno.test("verbs after write continue from the written file", () =>
  inFolder({ "people.csv": people }, async (cwd) => {
    const args = [
      "read",
      "people.csv",
      "then",
      "write",
      "p.parquet",
      "then",
      "head",
      "2",
      "then",
      "count",
    ];
    assertEquals(await sluice(args, { cwd }), {
      status: 0,
      bytes: new TextEncoder().encode("2\n"),
      out: "2\n",
      err: "",
    });
  }));

Deno.test("every format that can be written reads back as the same rows", async () => {
  const formats = ["arrow", "arrows", "feather", "parquet", "csv", "tsv", "ndjson", "jsonl"];
  for (const format of someOf(formats, 3)) {
    await inFolder({ "people.csv": people }, async (cwd) => {
      for (const [from, to] of [["people.csv", `p.${format}`], [`p.${format}`, "back.csv"]]) {
        const { status, err } = await sluice(["read", from!, "then", "write", to!], { cwd });
        assertEquals([status, err], [0, ""], format);
      }
      assertEquals(await Deno.readTextFile(`${cwd}/back.csv`), people, format);
    });
  }
});

Deno.test("--offsets says what becomes of text that was computed with 64-bit offsets", () =>
  inFolder({ "people.csv": people }, async (cwd) => {
    const steps = ["read", "people.csv", "then", "with", 'who = name + "!"', "then", "write"];
    for (
      const [offsets, type] of [[[], "Utf8"], [["--offsets", "large"], "LargeUtf8"]] as const
    ) {
      const words = ["--threshold", "8", ...steps, "out.arrow", ...offsets];
      const { status, err } = await sluice(words, { cwd });
      assertEquals([status, err], [0, ""]);
      const table = tableFromIPC(await Deno.readFile(`${cwd}/out.arrow`));
      assertEquals(String(table.schema.fields[3]!.type), type);
      assertEquals(table.toArray().map(({ who }) => who), ["Ada!", "Alan!", "Grace!", "Łukasz!"]);
    }
    const { status, err } = await sluice([...steps, "out.csv", "--offsets", "large"], { cwd });
    assertEquals([status, err], [2, "sluice: error: step 3, write: out.csv: csv has no offsets\n"]);
  }));

Deno.test("without a sink, an Arrow stream goes to stdout", async () => {
  const { status, bytes } = await sluice(["read", airportsFile, "then", "head", "3"]);
  assertEquals(status, 0);
  const table = tableFromIPC(bytes);
  assertEquals(table.toArray().map(({ iata }) => iata), ["00M", "00R", "00V"]);
});

Deno.test("without a first read, and with read -, an Arrow stream comes from stdin", async () => {
  const { bytes } = await sluice(["read", airportsFile, "then", "tail", "7"]);
  assertEquals((await sluice(["count"], { stdin: bytes })).out, "7\n");
  assertEquals(
    (await sluice(["read", "-", "then", "head", "2", "then", "count"], { stdin: bytes })).out,
    "2\n",
  );
});

Deno.test("several files are read one after the other", async () => {
  const { out } = await sluice(["read", airportsFile, airportsFile, "then", "count"]);
  assertEquals(out, "6752\n");
});

Deno.test("show prints rows, types and how many rows there are", async () => {
  const { out } = await sluice([
    "--threshold",
    "2147483647",
    "read",
    flightsFile,
    "--columns",
    "delay,origin",
    "then",
    "show",
    "2",
  ]);
  assertEquals(
    out,
    `delay  origin
int64  utf8
─────  ──────
   33  LAS
   19  ATL
2 of 3,000,000 rows
`,
  );
});

Deno.test("count of a Parquet file comes from its metadata", async () => {
  assertEquals((await sluice(["read", flightsFile, "then", "count"])).out, "3000000\n");
});

Deno.test("schema prints names and types", async () => {
  const { out } = await sluice(["read", airportsFile, "then", "schema"]);
  assertMatch(out, /^iata +utf8\n/);
  assertMatch(out, /\nlatitude +float64\n/);
});

Deno.test("explain shows the plan without running it", async () => {
  const { status, out } = await sluice(
    [
      "read",
      flightsFile,
      "then",
      "with",
      'route = origin + " > " + destination',
      "then",
      "explain",
    ],
  );
  assertEquals(status, 0);
  assertStringIncludes(out, "route");
});

Deno.test("explain --code shows the code of the kernels below the plan, --ascii for ASCII", async () => {
  const words = ["read", airportsFile, "then", "with", "u = name.upper()", "then", "explain"];
  const { out: plan } = await sluice(words);
  const { status, out } = await sluice([...words, "--code"]);
  assertEquals([status, out.startsWith(plan.trimEnd())], [0, true]);
  for (const title of ["row function upper, map", "IR", "host: WebAssembly", "device: WGSL"]) {
    assertStringIncludes(out, `\n  ${title}`);
  }
  assertStringIncludes((await sluice([...words, "--code", "--ascii"])).out, "byteMap name");
  const mistake = await sluice([...words, "--ascii"]);
  assertEquals([mistake.status, mistake.out], [2, ""]);
});

Deno.test("--stats prints a summary on stderr", async () => {
  const { out, err } = await sluice([
    "--stats",
    "read",
    airportsFile,
    "then",
    "filter",
    'state == "TX"',
    "then",
    "count",
  ]);
  assertEquals(out, "209\n");
  assertStringIncludes(err, "3,376 rows");
  assertStringIncludes(err, "filter");
  assertStringIncludes(err, "peak memory");
});

Deno.test("write --delimiter separates the fields of CSV, on stdout too, and read takes it", () =>
  inFolder({ "in.csv": 'a,b\n1,"x;y"\n2,z\n' }, async (cwd) => {
    const semicolons = 'a;b\n1;"x;y"\n2;z\n';
    const words = "read in.csv then write out.csv --delimiter ; then write out.tsv --delimiter |";
    assertEquals((await sluice(words.split(" "), { cwd })).err, "");
    assertEquals(Deno.readTextFileSync(`${cwd}/out.csv`), semicolons);
    assertEquals(Deno.readTextFileSync(`${cwd}/out.tsv`), "a|b\n1|x;y\n2|z\n");
    const again = "read out.csv --delimiter ; then write - --format csv --delimiter tab";
    assertEquals((await sluice(again.split(" "), { cwd })).out, "a\tb\n1\tx;y\n2\tz\n");
  }));
