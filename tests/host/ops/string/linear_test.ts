import { assert, assertEquals } from "@std/assert";
import { expr } from "../../../../mod.ts";
import { col } from "../../../../ops/expr/expr.ts";
import { parseRegex } from "../../../../ops/regex/parse_regex.ts";
import { searchProgram } from "../../../../ops/regex/regex_program.ts";
import { countedKernels, stepsOf } from "../../../support/kernels/kernel_steps.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

/** A text of about `size` bytes and a needle of a part of them, which many places nearly have. */
const pairs: Readonly<Record<string, (size: number) => { text: string; needle: string }>> = {
  "the needle ends otherwise": (size) => ({
    text: "a".repeat(size),
    needle: `${"a".repeat(size >> 4)}b`,
  }),
  "the needle begins otherwise": (size) => ({
    text: "a".repeat(size),
    needle: `b${"a".repeat(size >> 4)}`,
  }),
  "the needle is other in the middle": (size) => ({
    text: `${"a".repeat(size >> 4)}c`.repeat(16),
    needle: `${"a".repeat(size >> 5)}b${"a".repeat(size >> 5)}`,
  }),
  "two bytes repeat": (size) => ({
    text: "ab".repeat(size >> 1),
    needle: `${"ab".repeat(size >> 5)}b`,
  }),
  "the needle stands everywhere": (size) => ({
    text: "a".repeat(size),
    needle: "a".repeat(size >> 8),
  }),
  "words of Fibonacci": (size) => {
    let [shorter, text] = ["a", "ab"];
    while (text.length < size) [shorter, text] = [text, text + shorter];
    return { text: text.slice(0, size), needle: `${text.slice(1, size >> 4)}aaa` };
  },
};

const searches = [
  "text.find(needle)",
  "text.rfind(needle)",
  "text.contains(needle)",
  "text.count(needle)",
  'text.replace(needle, "x")',
  "text.split(needle)",
  "text.splitPart(needle, 1)",
  "text.splitPart(needle, -1)",
  "text.removePrefix(needle)",
  "text.removeSuffix(needle)",
  "text.startsWith(needle)",
];

const size = 1 << 14;
/** Twice the bytes may take twice the steps, and a little more. */
const maxRatio = 2.4;

/** Checks that work grows with its bytes, and takes no more than so many steps for each of them. */
function check(what: string, steps: (size: number) => number, maxSteps = 40): void {
  const [once, twice] = [steps(size), steps(2 * size)];
  assert(once > 0, `${what}: no step was counted`);
  assert(twice <= maxRatio * once + 5000, `${what}: ${once} steps, then ${twice}`);
  assert(twice <= maxSteps * 2 * size, `${what}: ${twice} steps for ${2 * size} bytes`);
}

for (const [kind, pair] of Object.entries(pairs)) {
  Deno.test(`searches take linear time: ${kind}`, () => {
    for (const search of someOf(searches, 3)) {
      check(`${search}, a column`, (size) => {
        const { text, needle } = pair(size);
        const columns = { text: [text], needle: [needle] };
        return stepsOf(() => evaluateExpr(expr(search), columns, { kernels: countedKernels() }));
      });
      check(`${search}, a literal`, (size) => {
        const { text, needle } = pair(size);
        const literal = expr(search.replace("needle", JSON.stringify(needle)));
        return stepsOf(() =>
          evaluateExpr(literal, { text: [text] }, { kernels: countedKernels() })
        );
      });
    }
  });
}

const many = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");

/** Operations, each with a text that makes one that goes back do much. */
const operations: Readonly<Record<string, (size: number) => string>> = {
  'text.like("%aaaa%aaaa%b")': (size) => "a".repeat(size),
  'text.like("%a_a_a_a_b%")': (size) => "a".repeat(size),
  'text.replaceMany(["aaaab", "aaab", "aab", "ab"], "x")': (size) => "a".repeat(size),
  'text.replaceRe("a+b", "x")': (size) => "a".repeat(size),
  'text.replaceRe("(a+)+$", "x")': (size) => `${"a".repeat(size)}b`,
  'text.splitRe("a+b")': (size) => "a".repeat(size),
  'text.countRe("a+b")': (size) => "a".repeat(size),
  'text.findAll("a+b")': (size) => "a".repeat(size),
  [`text.strip("${many}")`]: (size) => "丁".repeat(size >> 2),
  'text.strip("ab")': (size) => "ab".repeat(size >> 1),
  "text.wrap(20)": (size) => "a".repeat(size),
  "text.wrap(30)": (size) => "a ".repeat(size >> 1),
  "text.collapseSpace()": (size) => " ".repeat(size),
  'text.split("aa")': (size) => "a".repeat(size),
  'text.splitPart("a", -3)': (size) => "a".repeat(size),
  "text.title()": (size) => "a ".repeat(size >> 1),
  "text.reverse()": (size) => "e\u0301".repeat(size >> 2),
  "text.slice(-5, -2)": (size) => "é".repeat(size >> 1),
};

for (const [text, sample] of someOf(Object.entries(operations), 8)) {
  Deno.test(`${text.length < 70 ? text : `${text.slice(0, 20)}...`} takes linear time`, () => {
    check(text, (size) => {
      const columns = { text: [sample(size)] };
      return stepsOf(() => evaluateExpr(expr(text), columns, { kernels: countedKernels() }));
    });
  });
}

/** Patterns that read on behind a match; what they read again and again; and how it ends. */
const READING_ON: readonly (readonly [pattern: string, unit: string, end: string])[] = [
  ["(?:ab)*c|a", "ab", "."],
  ["(?:ab)*c|a", "ab", "c"],
  ["(?:ab|ba)*c|a|b", "ab", "."],
  ["<[^>]*>|<", "<", "."],
  ["<[^>]*>x|<", "<", ">y"],
  ["a[^b]*b[^c]*c|a", "a", "b."],
  ["(?:abc)*d|a|b", "abc", "."],
  ["(?:a{16})*b|a", "a", "."],
  ["(?:é{3})*b|é", "é", "."],
  ["(?:ab)*(c)|(a)", "ab", "."],
  ["(?:ab)+$|a", "ab", "."],
];

const program = (pattern: string) =>
  searchProgram(parseRegex(pattern), { anchored: false, start: true, groups: [] });

Deno.test("only patterns that may read on behind a match are known to do so", () => {
  for (const [pattern] of READING_ON) assert(program(pattern).readsOn, pattern);
  for (const pattern of ["a+", "\\w+@\\w+", "a.*?b", "[ab]+c|d", "a(?:bc)?", "a|ab|abc", "x*"]) {
    assertEquals(program(pattern).readsOn, false, pattern);
  }
});

for (const [pattern, unit, end] of someOf(READING_ON, 4)) {
  Deno.test(`/${pattern}/g reads "${unit}${unit}...${end}" in little more than its length`, () => {
    // JavaScript goes back at each match too, so the text that it judges is short.
    for (const size of [300, 3_000]) {
      checkAgainstJavaScript(pattern, unit.repeat(size / unit.length) + end);
    }
    // Where each match read to the end, a byte would take as many as there are bytes.
    check(pattern, (size) => {
      const t = [unit.repeat((size >> 2) / new TextEncoder().encode(unit).length) + end];
      return stepsOf(() => {
        const kernels = countedKernels();
        const [count] = evaluateExpr(col("t").countRe(pattern), { t }, { kernels });
        assert(Number(count) >= 1);
      });
    }, 100);
  });
}

function checkAgainstJavaScript(pattern: string, text: string): void {
  const t = [text, "", text.slice(1)];
  const all = new RegExp(pattern, "g");
  const where = `/${pattern}/ on ${text.length} of ${text.slice(0, 40)}`;
  const matches = t.map((text) => text.match(all) ?? []);
  assertEquals(evaluateExpr(col("t").findAll(pattern), { t }), matches as never, where);
  const replaced = t.map((text) => text.replaceAll(all, "[$&]"));
  assertEquals(evaluateExpr(col("t").replaceRe(pattern, "[$&]"), { t }), replaced, where);
}

Deno.test("random texts of some thousand characters are searched as JavaScript searches them", async () => {
  const patterns = [
    ...READING_ON.map(([pattern]) => pattern),
    "(?:a{20})*b|a",
    "(?:aab|aba|baa)*c|[ab]",
    "(?:(?:ab){5})*c|a|b",
    "a[^b]*b[^c]*c[^d]*d|[ab]",
    "(?:a.)*c|a",
    "^(?:ab)*c|a|b$",
    "(?:ab)*\\b\\.|a",
  ];
  await forSeeds(fewOr(12, 60), (random) => {
    const pattern = random.pick(patterns);
    const unit = random.pick(["a", "ab", "abc", "aab", "<", "é", "abé"]);
    const parts = Array.from({ length: 1 + random.below(12) }, () => {
      const run = unit.repeat(random.below(150));
      return run +
        (random.chance(0.5) ? random.pick(["", "a", "b", "c", "d", ">", ".", "\n"]) : "");
    });
    checkAgainstJavaScript(pattern, parts.join(""));
  });
});
