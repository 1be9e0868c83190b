/** Names of columns on the command line, and what is said of verbs and options of other tools. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { CommandError } from "../../../../base/errors/command_error.ts";
import { namesIn, renamesIn, splitNames } from "../../../../cli/words/name_list.ts";
import { otherVerb } from "../../../../cli/words/other_verbs.ts";
import { verbs } from "../../../../cli/verbs/verbs.ts";
import { createEngine, fromBatches } from "../../../../mod.ts";
import { inFolder, sluice } from "../../../support/processes/sluice.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { batchOf } from "../../../support/values/streams_samples.ts";
import { Int32 } from "apache-arrow";

const engine = createEngine({ device: "cpu" });

/** A stream that has columns of these names. */
const streamOf = (names: readonly string[]) =>
  fromBatches(batchOf(Object.fromEntries(names.map((name) => [name, [new Int32(), [1]]]))), {
    engine,
  });

Deno.test("a list of names is what it was joined of, whatever commas and blanks the names have", async () => {
  const draws = new Draws(["a comma", "a blank", "a blank behind a comma", "one word each"]);
  await forSeeds(300, (random) => {
    const all = ["a", "b", "a,b", " c", "c", "d ", "b,c", "a, b", "e f", ""];
    const known = new Set(all.filter(() => random.chance(0.6)));
    const plain = [...known].filter((name) => !/,/.test(name));
    if (plain.length === 0) return;
    const picked = Array.from({ length: 1 + random.below(4) }, () => random.pick(plain));
    // Names with commas stand alone, where no other reading of them is meant.
    for (const name of known) {
      if (!name.includes(",")) continue;
      draws.add("a comma");
      assertEquals(splitNames(name, known, "select"), [name]);
    }
    const isClear = !picked.some((_, at) =>
      picked.slice(at).some((_, length) =>
        length > 0 && known.has(picked.slice(at, at + length + 1).join(","))
      )
    );
    if (!isClear) return;
    if (picked.some((name) => /^ | $/.test(name))) draws.add("a blank");
    assertEquals(splitNames(picked.join(","), known, "select"), picked);
    draws.add("one word each");
    const padded = picked.map((name) =>
      /^\S+$/.test(name) && !known.has(` ${name}`) ? ` ${name}` : name
    );
    if (
      padded.join() === picked.join() ||
      padded.some((_, at) =>
        padded.slice(at).some((_, length) =>
          known.has(padded.slice(at, at + length + 1).join(",").trim()) && length > 0
        )
      )
    ) return;
    draws.add("a blank behind a comma");
    assertEquals(splitNames(padded.join(","), known, "select"), picked);
  }, draws);
  assertThrows(
    () => splitNames("a,,b", new Set(["a", "b"]), "select"),
    CommandError,
    "select takes names",
  );
});

Deno.test("names with blanks at their ends, commas and equals signs are taken to the letter", async () => {
  const names = [" Amount", "Email ", "a,b", "x=y", "x", "k"];
  const picked = async (...words: string[]) => await namesIn(streamOf(names), words, "select");
  assertEquals(await picked(" Amount", "Email "), [" Amount", "Email "]);
  assertEquals(await picked("k, Amount,a,b,x=y"), ["k", " Amount", "a,b", "x=y"]);
  assertEquals(await picked("Amount"), ["Amount"]);
  const pairs: readonly (readonly [string, [string, string][]])[] = [
    [" Amount=amount", [[" Amount", "amount"]]],
    ["k = key", [["k", "key"]]],
    ["x=y=z", [["x=y", "z"]]],
    ["x=1", [["x", "1"]]],
    ["k=key,x=z", [["k", "key"], ["x", "z"]]],
    ["a,b=ab", [["a,b", "ab"]]],
    ["k=one,two", [["k", "one,two"]]],
    ["missing=m", [["missing", "m"]]],
  ];
  for (const [word, expected] of pairs) {
    assertEquals([...await renamesIn(streamOf(names), [word])], expected, word);
  }
});

Deno.test("lists of names work in every verb that takes names, and errors show blanks", () =>
  inFolder({ "b.csv": 'k, Amount,"a,b"\n1,2,3\n', "c.csv": "k,n ,m\n1,5,6\n" }, async (cwd) => {
    const cases: readonly (readonly [string[], string])[] = [
      [["select", "a,b,k"], '"a,b",k\n3,1\n'],
      [["drop", "k,a,b"], " Amount\n2\n"],
      [["rename", " Amount=amount", "then", "select", "amount"], "amount\n2\n"],
      [["regroup", "--by", "k,a,b", "then", "select", "k"], "k\n1\n"],
      [
        ["join", "c.csv", "--on", "k", "--columns", "m,n ", "then", "select", "n ,m"],
        '"n ",m\n5,6\n'.replaceAll('"', ""),
      ],
      [["head", "-n", "1", "then", "tail", "-1", "then", "select", "k"], "k\n1\n"],
    ];
    for (const [words, expected] of cases) {
      const args = ["read", "b.csv", "then", ...words, "then", "write", "-", "--format", "csv"];
      const { status, out, err } = await sluice(args, { cwd });
      assertEquals([words, status, out, err], [words, 0, expected, ""]);
    }
    const { status, err } = await sluice(
      ["read", "b.csv", "--columns", "Amount", "then", "count"],
      {
        cwd,
      },
    );
    const problem = 'Unknown column Amount; did you mean " Amount"?';
    assertEquals([status, err], [2, `sluice: error: step 1, read: ${problem}\n`]);
  }));

Deno.test("verbs of other tools get one sentence: the verb that does it, or that there is none yet", () => {
  const table: Readonly<Record<string, string>> = {
    where: "it is called filter here",
    mutate: "it is called with here",
    put: "it is called with here",
    withColumns: "it is called with here",
    with_columns: "it is called with here",
    limit: "it is called head here",
    skip: "it is called slice N: here",
    to_csv: "it is called write here",
    "order-by": "it is called sort here",
    orderBy: "it is called sort here",
    orderby: "it is called sort here",
    value_counts: "it is called values here",
    groupby: "it is called group here",
    group_by: "it is called group here",
    summarise: "it is called group here",
    unique: "it is called distinct here",
    "count-distinct": "group 'n = countDistinct(x)' counts distinct values",
    describe: "there is no verb yet that describes columns",
    sample: "there is no verb yet that draws rows at random",
    pivot: "there is no verb yet that turns rows into columns or back",
    explode: "there is no verb yet that turns lists into rows or back",
    "fill-down": "there is no verb yet that fills values downwards",
    sql: "there is no verb yet that runs SQL",
  };
  for (const [verb, sentence] of Object.entries(table)) assertEquals(otherVerb(verb), sentence);
  const asked = "order-by group-by groupby aggregate agg uniq unique describe summary " +
    "sample shuffle sql pivot histogram median percentile explode unnest nest split append concat " +
    "union cat where mutate put cut reorder fill-down fill-null convert cast limit skip tee " +
    "validate stats count-distinct sec2gmt csvsql to_csv";
  for (const verb of asked.split(" ")) {
    assert(otherVerb(verb) !== undefined, verb);
    // It names verbs that exist.
    const [, named] = /^it is called (\w+)/.exec(otherVerb(verb)!) ?? [];
    assert(named === undefined || verbs.some(({ name }) => name === named), verb);
    assert(!verbs.some(({ name }) => name === verb), `${verb} exists`);
  }
  assertEquals(otherVerb("frobnicate"), undefined);
  assertEquals(otherVerb("__proto__"), undefined);
});

Deno.test("options of Polars and pandas say what they are called here", async () => {
  for (const option of ["left-on", "left_on", "rightOn", "using"]) {
    const words = ["read", "a.csv", "then", "join", "b.csv", `--${option}`, "k"];
    const { status, err } = await sluice(words);
    assertEquals(status, 2);
    assertMatch(
      err,
      /^sluice: error: step 2, join: Unknown option --\S+; name the key of each side in --on LEFT=RIGHT\n$/,
    );
  }
});

Deno.test("--types, --on, --asof and --by keep blanks around a name exactly where the column has them", async () => {
  const files = {
    "l.csv": " id ,A,c\n1,2,x\n",
    "r.csv": "id , A ,d\n1,2,y\n",
    "plain.csv": "id,A,e\n1,2,z\n",
    "n.ndjson": '{" id ":1,"A":2}\n',
  };
  await inFolder(files, async (cwd) => {
    const rows = (header: string, row: string): [number, string] => [0, `${header}\n${row}\n`];
    const cases: readonly (readonly [readonly string[], readonly [number, string]])[] = [
      [["l.csv", "--types", " id =string, A = int32"], rows(" id :utf8,A:int32,c:utf8", "1,2,x")],
      [
        ["r.csv", "--types", "id =float64, A =string"],
        rows("id :float64, A :utf8,d:utf8", "1.0,2,y"),
      ],
      [["n.ndjson", "--types", " id =json, A=float64"], rows(" id :utf8,A:float64", "1,2.0")],
      [["l.csv", "--types", "id=string"], [1, ""]],
      [["l.csv", "--types", "A=string, A=int64"], [2, ""]],
      [
        ["l.csv", "then", "join", "r.csv", "--on", " id =id "],
        rows(" id :int64,A:int64,c:utf8, A :int64,d:utf8", "1,2,x,2,y"),
      ],
      [
        ["l.csv", "then", "join", "r.csv", "--on", " id =id , A = A "],
        rows(" id :int64,A:int64,c:utf8,d:utf8", "1,2,x,y"),
      ],
      [
        ["l.csv", "then", "join", "r.csv", "--asof", " id =id ", "--by", "A= A "],
        rows(" id :int64,A:int64,c:utf8,d:utf8", "1,2,x,y"),
      ],
      [
        ["l.csv", "then", "join", "plain.csv", "--on", " id = id , A"],
        rows(" id :int64,A:int64,c:utf8,e:utf8", "1,2,x,z"),
      ],
      [["plain.csv", "then", "join", "plain.csv", "--on", "id, A , id"], [2, ""]],
      [["l.csv", "then", "join", "plain.csv", "--on", "id"], [2, ""]],
    ];
    for (const [words, [status, expected]] of cases) {
      const typed = ["read", ...words, "then"];
      const written = await sluice([...typed, "write", "-", "--format", "csv"], { cwd });
      const { out } = await sluice([...typed, "schema"], { cwd });
      assertEquals([words, written.status], [words, status]);
      if (status !== 0) continue;
      const [header, row] = expected.split("\n");
      const fields = header!.split(",");
      assertEquals(written.out, `${fields.map((field) => field.split(":")[0]).join()}\n${row}\n`);
      for (const field of fields) {
        const [name, type] = field.split(":") as [string, string];
        assert(
          out.split("\n").some((line) =>
            line.startsWith(name) && line.slice(name.length).trim().startsWith(type)
          ),
          out,
        );
      }
    }
  });
});
