import { assertEquals } from "@std/assert";
import { HostKernels } from "../../../../gpu/host/host_kernels.ts";
import { col, type Expr } from "../../../../mod.ts";
import { countRe, extract, findAll, findRe } from "../../../../ops/string/regex_find.ts";
import { replaceRe } from "../../../../ops/string/replace_re.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";

/** What a match begins with, and some characters of it. */
const FIRSTS: Readonly<Record<string, string>> = {
  "\\d": "0379",
  "[A-Z]": "AMZ",
  "\\s": " \t",
  "[!-/:-?]": "!/:?",
  "[^ -~]": "é一\u007f",
  "[é-ü]": "éíü",
  "[0-9א-ת]": "5שא",
  "[^a-zA-Z]": "3 -é",
  "(?:#|-x)": "#-x",
  "(?:🙂|\\+)": "🙂+",
  "[KZ]": "KZ\u212a",
  "[ae]": "ae",
  "[eiou]": "eiou",
  "[\0-\x1f]": "\0\x1f",
};
const BEFORE = ["", "", "", "\\b", "^", "(x?)"];
const BEHIND = ["", "+", "{2}", "(?:[a-m]+)", "*?y", "([n-z]?)", "$", "\\b"];

/** Long runs in which no match begins, between what may be one. */
function randomText(random: SeededRandom, firsts: string): string {
  const others = random.pick(["bcd", "bcdxyz ", "bcdéß一", "ae"]);
  const run = (chars: string, most: number) =>
    Array.from({ length: random.below(most) }, () => random.pick([...chars])).join("");
  return Array.from(
    { length: random.below(4) },
    () => run(others, random.pick([3, 20, 70])) + run(firsts, 4),
  ).join("") + run(others, 40);
}

Deno.test("what no match begins with is passed over, whatever that is and what stands between", () => {
  const draws = new Draws([
    ...Object.keys(FIRSTS),
    ...BEFORE,
    ...BEHIND,
    "i",
    "m",
    "single characters",
  ]);
  return forSeeds(fewOr(3, 40), (random) => {
    const first = random.pick(Object.keys(FIRSTS));
    const [before, behind] = [random.pick(BEFORE), random.pick(BEHIND)];
    const flags = ["i", "m"].filter(() => random.chance(0.3)).join("");
    const pattern = `${before}${first}${behind}`;
    const single = pattern === first ? ["single characters"] : [];
    const drawn = [first, before, behind, ...flags, ...single];
    if (!draws.needs(drawn)) return;
    const texts = Array.from(
      { length: 40 },
      () => random.chance(0.1) ? null : randomText(random, FIRSTS[first]!),
    );
    const once = new RegExp(pattern, flags);
    const all = new RegExp(pattern, `${flags}g`);
    const name = col("name");
    const check = (expr: Expr, model: (text: string) => unknown) => {
      const wanted = texts.map((text) => text === null ? null : model(text));
      for (const minWasmRows of [1, Infinity]) {
        const kernels = new HostKernels({ minWasmRows });
        const what = `/${pattern}/${flags} from ${minWasmRows} rows, ${JSON.stringify(texts)}`;
        assertEquals(evaluateExpr(expr, { name: texts }, { kernels }), wanted as never, what);
      }
    };
    check(countRe(name, pattern, flags), (text) => [...text.matchAll(all)].length);
    check(replaceRe(name, pattern, "<$&>", flags), (text) => text.replace(all, "<$&>"));
    const replacement = random.pick(["*", "", "<>", "$$", "一", "<replaced 🙂>"]);
    const replaced = replaceRe(name, pattern, replacement, flags);
    check(replaced, (text) => text.replace(all, replacement));
    check(findAll(name, pattern, flags), (text) => text.match(all) ?? []);
    check(findRe(name, pattern, flags), (text) => {
      const at = text.search(once);
      return at < 0 ? -1 : [...text.slice(0, at)].length;
    });
    check(extract(name, pattern, 0, flags), (text) => once.exec(text)?.[0] ?? null);
    for (const kind of drawn) draws.add(kind);
  }, draws);
});
