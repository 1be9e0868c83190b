/** Values at paths of JSON text. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { HostKernels } from "../../../../../gpu/host/host_kernels.ts";
import { col } from "../../../../../ops/expr/expr.ts";
import { printJsonPath } from "../../../../../ops/string/json/json_path.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";
import { queryDuckDb } from "../../../../support/judges/peers.ts";
import {
  isParsedValue,
  randomJson,
  randomPath,
  spoiltJson,
  valueAtPath,
} from "../../../../support/random/random_json.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

type Texts = readonly (string | null)[];

/** The values at a path, as both loops of the host compute them. */
function valuesAt(texts: Texts, path: string): unknown[] {
  const read = col("text").at(path);
  const [javaScript, wasm] = [2 ** 31, 1].map((minWasmRows) =>
    evaluateExpr(read, { text: texts }, { kernels: new HostKernels({ minWasmRows }) })
  );
  assertEquals(wasm, javaScript, `${path}, WebAssembly beside JavaScript`);
  return javaScript!;
}

Deno.test("at() finds the values that random JSON text was made of", async () => {
  const draws = new Draws(["a value", "a container", "an escape", "none", "the last item"]);
  await forSeeds(fewOr(25, 600), (random) => {
    const roots = Array.from({ length: 12 }, () => randomJson(random, 4));
    const path = randomPath(random, roots[0]!);
    const wanted = roots.map((root) => valueAtPath(root, path));
    for (const value of wanted) {
      draws.add(value === null ? "none" : /^[{[]/.test(value) ? "a container" : "a value");
    }
    if (path.includes(-1)) draws.add("the last item");
    if (roots.some(({ text }) => text.includes("\\u"))) draws.add("an escape");
    const texts = roots.map(({ text }) => ` ${text}\n`);
    assertEquals(valuesAt(texts, printJsonPath(path)), wanted, printJsonPath(path));
  }, draws);
});

Deno.test("at() gives null where JSON.parse() refuses the text, and else what it finds", async () => {
  const draws = new Draws(["JSON", "no JSON", "a value"]);
  await forSeeds(fewOr(25, 600), (random) => {
    const root = randomJson(random, 3);
    const path = randomPath(random, root);
    const texts = Array.from({ length: 30 }, () => spoiltJson(random, root.text));
    valuesAt(texts, printJsonPath(path)).forEach((value, row) => {
      const text = texts[row]!;
      draws.add(isJson(text) ? "JSON" : "no JSON");
      if (value !== null) draws.add("a value");
      const isRight = isParsedValue(text, path, value as string | null);
      assert(isRight, `${text} at ${printJsonPath(path)} is ${value}`);
    });
  }, draws);
});

const HARD: readonly (readonly [text: string, ...path: (string | number)[]])[] = [
  ['{"a": {"b": 1}, "a": {"c": 2}}', "a", "b"],
  ['{"a": {"b": 1}, "a": 2}', "a", "b"],
  ['{"a": 1, "a": {"b": 3}}', "a", "b"],
  ['[{"a": 1}, {"b": 2}]', -1, "a"],
  ["[[1, 2], [3, [4]], 5]", 1, 1, 0],
  ["[[], [[1]], [2]]", -1, -1],
  ...["ud83d", "ude42", "ud83d\\ude42", "ud83d\\ud83d", "ude42\\ud83d", "ud83d\\n", "uD83Dx", "u00"]
    .map(
      (escape) => [`{"a": "x\\${escape}y"}`, "a"] as const,
    ),
  ...[
    "01",
    "-",
    "1.",
    ".5",
    "1e",
    "1e+",
    "-0.0E-0",
    "+1",
    "0x1",
    "1 2",
    "tru",
    "nulll",
    "NaN",
    "\u00a0",
  ].map(
    (value) => [`{"a": ${value}}`, "a"] as const,
  ),
  ...[
    "{",
    "[}",
    "{]",
    "[1}",
    '{"a": 1]',
    "{,}",
    "[,]",
    "[1,]",
    '{"a": 1,}',
    "[1]]",
    '{"a"}',
    '"',
    '"\\',
    "",
  ].map(
    (text) => [text, "a"] as const,
  ),
  ['\ufeff{"a": 1}', "a"],
  ['{"__proto__": {"a": 1}}', "__proto__", "a"],
  ['{"": {"": 0}}', "", ""],
];

Deno.test("at() and JSON.parse() agree on hard cases", () => {
  for (const [text, ...path] of HARD) {
    const [value] = valuesAt([text], printJsonPath(path));
    const isRight = isParsedValue(text, path, value as string | null);
    assert(isRight, `${text} at ${printJsonPath(path)} is ${value}`);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("at() agrees with DuckDB where both find text or a whole number", async () => {
  const texts = [
    '{"user": {"id": 7, "name": "A\\u00e9\\n\\"x\\""}, "tags": ["a", "b"]}',
    '{"user": {"id": null}, "tags": []}',
    '{"user": [], "tags": [{"id": 1}, {"id": 2}]}',
    '[{"id": "first"}, 12]',
    "{}",
    '"text"',
  ];
  const paths = [["user", "id"], ["user", "name"], ["tags", 0], ["tags", -1], ["tags", -1, "id"], [
    1,
  ], [0, "id"]];
  for (const path of paths) {
    const theirs = path.map((step) =>
      typeof step === "string" ? `."${step}"` : `[${step < 0 ? `#${step}` : step}]`
    );
    const rows = texts.map((text) => `(${quoted(text)})`).join(", ");
    const judged = await queryDuckDb(
      `SELECT j ->> ${quoted(`$${theirs.join("")}`)} AS value FROM (VALUES ${rows}) AS t(j)`,
    );
    // DuckDB writes an object without blanks.
    const ours = valuesAt(texts, printJsonPath(path)).map((value) =>
      typeof value === "string" && value.startsWith("{") ? value.replaceAll(" ", "") : value
    );
    assertEquals(ours, judged.map(({ value }) => value), printJsonPath(path));
  }
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

Deno.test("at() reads 1,024 levels, and takes a deeper text for no JSON", () => {
  const nested = (depth: number) => `{"a": 1, "b": ${"[".repeat(depth)}${"]".repeat(depth)}}`;
  const texts = [nested(1022), nested(1023), nested(1024), nested(5000), `${"{".repeat(99999)}`];
  assertEquals(valuesAt(texts, "a"), ["1", "1", null, null, null]);
});

const PROBLEMS: readonly (readonly [path: string, problem: string])[] = [
  ["", "the path is empty"],
  ["$.user.id", 'a path starts with a key, without $: "user.id"'],
  ["a[-2]", "an index is 0 or more, or -1 for the last item, not -2"],
  ["a..b", 'the path cannot be read from "..b" on'],
  [".a", 'the path cannot be read from ".a" on'],
  ["a[0]b", 'the path cannot be read from "b" on'],
  ["a[*]", 'the path cannot be read from "[*]" on'],
  ["a.", 'the path cannot be read from "." on'],
];

Deno.test("a path that cannot be read is told", () => {
  for (const [path, problem] of PROBLEMS) {
    assertThrows(() => col("text").at(path), Error, problem);
  }
  assertEquals(valuesAt(['{"a.b": {"[0]": 5}}'], '["a.b"]["[0]"]'), ["5"]);
  assertEquals(valuesAt(['{"a": {"b c": 5}}'], "a.b c"), ["5"]);
});
