import { assertEquals } from "@std/assert";
import { col } from "../../../ops/expr/expr.ts";
import { Utf8 } from "apache-arrow";
import { describeTree } from "../../../gpu/kernel/tree/describe_tree.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";
import { compileProgram } from "../../support/programs.ts";
import { forSeeds } from "../../support/seeded_random.ts";

const FORMS = ["nfc", "nfd", "nfkc", "nfkd"] as const;

Deno.test("the normal forms of every character, alone and beside accents, are JavaScript's", () => {
  const rows: string[] = [];
  for (let first = 0; first < 0x110000; first += 256) {
    if (first >= 0xd800 && first < 0xe000) continue;
    const chars = Array.from({ length: 256 }, (_, i) => String.fromCodePoint(first + i));
    rows.push(chars.join(" "), chars.map((char) => `${char}\u0327\u0301e\u0323\u0307`).join(""));
  }
  for (const form of FORMS) {
    const expected = rows.map((row) => row.normalize(form.toUpperCase()));
    assertEquals(evaluateExpr(col("text")[form](), { text: rows }), expected);
  }
});

Deno.test("rows that grow much, long rows and nulls have their normal forms", async () => {
  await forSeeds(5, (random) => {
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
  });
});

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
