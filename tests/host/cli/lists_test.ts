import { assertEquals, assertStringIncludes } from "@std/assert";
import { inFolder, sluice } from "../../support/processes/sluice.ts";
import { someOf } from "../../support/random/test_size.ts";

const people = 'name,tags\nAda,"a,b"\nAlan,\n"Grace",c\nŁukasz,"é,,é"\n';

Deno.test("lists that are made on the way go through files and are asked again", () =>
  inFolder({ "people.csv": people }, async (cwd) => {
    const run = async (...args: string[]) => {
      const { status, out, err } = await sluice(args, { cwd });
      assertEquals([status, err.replace(/^.*rows.*\n/gm, "")], [0, ""]);
      return out;
    };
    for (const file of someOf(["out.arrow", "out.arrows", "out.parquet", "out.ndjson"], 2)) {
      await run(
        ...["read", "people.csv", "then", "with", 'tags = tags.split(",")', "then"],
        ...["with", "grams = name.ngrams(2)", "hashes = name.minhash(2)", "then", "write", file],
      );
      const asked = ["first = tags.get(0)", "last = tags.get(-1)", "count = tags.length()"];
      await run(
        ...[
          "read",
          file,
          "then",
          "with",
          ...asked,
          'all = tags.join("+")',
          "hashes = hashes.length()",
        ],
        ...["then", "drop", "tags", "grams", "then", "write", `${file}.csv`],
      );
      assertEquals((await Deno.readTextFile(`${cwd}/${file}.csv`)).trimEnd().split("\n"), [
        "name,hashes,first,last,count,all",
        "Ada,2,a,b,2,a+b",
        "Alan,2,,,,",
        "Grace,2,c,c,1,c",
        "Łukasz,2,é,é,3,é++é",
      ], file);
      const shown = await run("read", file, "then", "select", "tags", "grams", "then", "show");
      assertStringIncludes(shown, '["é", "", "é"]');
      assertStringIncludes(shown, '["Ad", "da"]');
    }
  }));

Deno.test("lists that are written to CSV are an error in one line that names the column", () =>
  inFolder({ "people.csv": people }, async (cwd) => {
    const split = 'tags = tags.split(",")';
    const args = ["read", "people.csv", "then", "with", split, "then", "write", "out.csv"];
    const { status, err } = await sluice(args, { cwd });
    assertEquals(status, 1);
    assertEquals(
      err,
      "sluice: error: step 3, write: out.csv: column tags is list<utf8>, which has no form in CSV\n",
    );
  }));

Deno.test("lists in NDJSON are written as lists again where they were read as JSON text", () =>
  inFolder({ "in.ndjson": '{"a":[1,2],"b":[]}\n{"a":[],"b":["x"]}\n' }, async (cwd) => {
    const rows = async (...types: string[]) => {
      const file = `out${types.length}.ndjson`;
      const args = ["read", "in.ndjson", ...types, "then", "write", file];
      const { status, err } = await sluice(args, { cwd });
      assertEquals([status, err.split("\n").length <= 2], [0, true], err);
      return await Deno.readTextFile(`${cwd}/${file}`);
    };
    assertEquals(await rows(), '{"a":[1,2],"b":[]}\n{"a":[],"b":["x"]}\n');
    assertEquals(
      await rows("--types", "a=list<float64>,b=json"),
      '{"a":[1.0,2.0],"b":[]}\n{"a":[],"b":["x"]}\n',
    );
    const wrong = await sluice(["read", "in.ndjson", "--types", "a=list<int>", "then", "count"], {
      cwd,
    });
    assertEquals(wrong.status, 2);
    assertStringIncludes(wrong.err, 'Unknown type "list<int>"');
  }));

Deno.test("schema tells text that holds JSON from other text, and an expression makes plain text", () =>
  inFolder({ "in.ndjson": '{"o":{"x":[1]},"t":"{}"}\n' }, async (cwd) => {
    const columnsOf = async (...steps: string[]) => {
      const { out } = await sluice(["read", "in.ndjson", "then", ...steps, "then", "schema"], {
        cwd,
      });
      return out.split("\n\n")[0]!.split("\n").map((line) => line.trim().split(/ {2,}/).join(" "));
    };
    assertEquals(await columnsOf("rename", "o=p"), ["p utf8 (json)", "t utf8"]);
    assertEquals(await columnsOf("with", "o = o.upper()"), ["o utf8", "t utf8"]);
    const steps = [
      "filter",
      "t == '{}'",
      "then",
      "with",
      "c = o + t",
      "then",
      "write",
      "-",
      "--format",
    ];
    const { out } = await sluice(["read", "in.ndjson", "then", ...steps, "ndjson"], { cwd });
    assertEquals(out, '{"o":{"x":[1]},"t":"{}","c":"{\\"x\\":[1]}{}"}\n');
  }));
