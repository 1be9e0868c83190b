import { assertEquals } from "@std/assert";
import { Utf8 } from "apache-arrow";
import { kindTablesModule } from "../../../../scripts/generate_kind_tables.ts";
import { partitionIntoKernels } from "../../../../gpu/kernel/partition/partition.ts";
import { lowerKernel } from "../../../../gpu/kernel/lower/lower.ts";
import type { Tree } from "../../../../gpu/kernel/tree/tree.ts";
import { operations } from "../../../../mod.ts";
import { col } from "../../../../ops/expr/expr.ts";
import { describeTree } from "../../../../gpu/kernel/tree/describe_tree.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { CHARACTERS, pythonCharacters, pythonTest } from "../../../support/judges/python.ts";
import { STRING } from "../../../support/kernels/trees.ts";
import { compileProgram } from "../../../support/kernels/programs.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

const KINDS = operations.filter(({ spec }) => spec.group === "kinds");

/** Characters whose properties changed after Unicode 14, which Python 3.11 has. */
const CHANGED: Readonly<Record<string, string>> = {
  // Modifier letters that became Lowercase in Unicode 15.
  isLower: "\u10fc\ua7f2\ua7f3\ua7f4\uab69",
};

pythonTest("each kind has every character that Python has in it, and no other", async () => {
  const python = await pythonCharacters();
  const text = CHARACTERS.filter((char) => python.is("assigned", char));
  for (const op of someOf(KINDS, 1)) {
    const { name } = op.spec;
    const actual = evaluateExpr(op(col("text")), { text });
    const others = text.filter((char, row) => actual[row] !== python.is(name, char));
    assertEquals(others.join(""), CHANGED[name] ?? "", name);
  }
});

Deno.test("the empty text is of no kind", () => {
  for (const op of KINDS) {
    assertEquals(evaluateExpr(op(col("text")), { text: ["", null] }), [false, null]);
  }
});

Deno.test("code for ASCII text looks at no table", () => {
  const cased = operations.filter(({ spec }) => spec.group === "case");
  for (const op of new Set([...KINDS, ...cased])) {
    const text: Tree = { node: "column", index: 0, type: STRING };
    const fn = op.rowFunction("row");
    const type = op.returns === "bool" ? { kind: "bool" } as const : STRING;
    const { kernels } = partitionIntoKernels([STRING], [{
      label: op.spec.name,
      tree: { node: "call", fn, text, args: [], type },
    }]);
    const lowered = lowerKernel(kernels[0]!, [STRING], { ascii: true, nullable: [false] });
    assertEquals(lowered.kernel === "row" ? lowered.tables : [], [], op.spec.name);
  }
});

Deno.test("the tables of kinds are what the script writes", async () => {
  const path = new URL("../../../../ops/string/generated/kind_tables.ts", import.meta.url);
  assertEquals(await Deno.readTextFile(path), kindTablesModule());
});

const FORMS = ["nfc", "nfd", "nfkc", "nfkd"] as const;

Deno.test("the normal forms of every character, alone and beside accents, are JavaScript's", () => {
  const rows: string[] = [];
  for (let first = 0; first < 0x110000; first += 256) {
    if (first >= 0xd800 && first < 0xe000) continue;
    const chars = Array.from({ length: 256 }, (_, i) => String.fromCodePoint(first + i));
    rows.push(chars.join(" "), chars.map((char) => `${char}\u0327\u0301e\u0323\u0307`).join(""));
  }
  for (const form of someOf(FORMS, 1)) {
    const expected = rows.map((row) => row.normalize(form.toUpperCase()));
    assertEquals(evaluateExpr(col("text")[form](), { text: rows }), expected);
  }
});

Deno.test("rows that grow much, long rows and nulls have their normal forms", () =>
  forSeeds(fewOr(2, 5), (random) => {
    const pieces = ["\ufdfa", "é", "e\u0301", "한", "a", "\ufeff", "\u1e9b\u0323", "🙂"];
    const rows = Array.from({ length: 40 }, () => {
      if (random.chance(0.1)) return null;
      return Array.from({ length: random.pick([0, 1, 5, 3_000]) }, () => random.pick(pieces)).join(
        "",
      );
    });
    for (const form of FORMS) {
      assertEquals(
        evaluateExpr(col("text")[form](), { text: rows }),
        rows.map((row) => row === null ? null : row.normalize(form.toUpperCase())),
      );
    }
  }));

Deno.test("normal forms run on the host, and a map of one is a kernel of its own", () => {
  const { program } = compileProgram(['(t.strip().nfc() + "!").upper()'], { t: new Utf8() });
  assertEquals(
    program.kernels.map(({ tree, cut, hostOnly }) => [describeTree(tree, ["t"]), cut, hostOnly]),
    [
      [
        'nfc(strip(t)) + "!"',
        "upper reads text that nfc writes on the host",
        "it writes a normal form of Unicode",
      ],
      ["upper($1)", undefined, undefined],
    ],
  );
  const expr = col("t").strip().nfc().concat("!").upper();
  assertEquals(evaluateExpr(expr, { t: [" e\u0301\u00df ", "ab"] }), ["ÉSS!", "AB!"]);
});
