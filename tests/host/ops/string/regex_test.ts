import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  containsRe,
  countRe,
  extract,
  findAll,
  findRe,
  matches,
  redact,
  replaceRe,
  splitRe,
} from "../../../../ops/string/operations.ts";
import { col, type Expr } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { Field, Schema, Utf8 } from "apache-arrow";
import { evaluateOnHost } from "../../../../gpu/host/evaluate.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { evaluateExpr, plainColumn } from "../../../support/expressions/evaluate_expr.ts";
import { valuesOf } from "../../../support/values/host_columns.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";
import { LINE_PATTERNS, LINE_TEXTS, lineCalls } from "../../../support/values/line_end_calls.ts";
import { judgeable, randomRegex, randomSubject } from "../../../support/random/random_regex.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr, someOf } from "../../../support/random/test_size.ts";

const run = (expr: Expr, name: readonly (string | null)[]) => evaluateExpr(expr, { name });
const lengthOf = (text: string) => [...text].length;

const hasGroup = (pattern: string) => /\((?!\?)/.test(pattern);

/** Such patterns are refused. */
function needsTooMuch(pattern: string, flags: string): boolean {
  try {
    replaceRe(col("name"), pattern, hasGroup(pattern) ? "$1" : "$$", flags);
    extract(col("name"), pattern, 1, flags);
    return false;
  } catch (error) {
    return /states|more than/.test((error as Error).message);
  }
}

Deno.test("random patterns over columns give what JavaScript's give", async () => {
  const draws = new Draws(["a group", "no group", "a line end", "ASCII", "not ASCII"]);
  const refused: string[] = [];
  await forSeeds(fewOr(8, 150), (random) => {
    const shape = { depth: 2, ascii: random.chance(0.5) };
    const pattern = randomRegex(random, shape);
    const flags = ["i", "m", "s"].filter(() => random.chance(0.3)).join("");
    const texts = Array.from(
      { length: 12 },
      () => random.chance(0.1) ? null : judgeable(pattern, randomSubject(random, shape)),
    );
    const name = col("name");
    if (needsTooMuch(pattern, flags)) return void refused.push(pattern);
    draws.add(hasGroup(pattern) ? "a group" : "no group");
    draws.add(shape.ascii ? "ASCII" : "not ASCII");
    const first = new RegExp(pattern, flags);
    const all = new RegExp(pattern, flags + "g");
    const check = (expr: Expr, model: (text: string) => unknown) =>
      assertEquals(
        run(expr, texts),
        texts.map((text) => text === null ? null : model(text)) as never,
        `/${pattern}/${flags} on ${JSON.stringify(texts)}`,
      );
    check(containsRe(name, pattern, flags), (text) => first.test(text));
    check(findRe(name, first), (text) => {
      const at = text.search(first);
      return at < 0 ? -1 : lengthOf(text.slice(0, at));
    });
    check(countRe(name, first), (text) => [...text.matchAll(all)].length);
    check(extract(name, first), (text) => {
      const match = first.exec(text);
      return match === null ? null : (match.length > 1 ? match[1] : match[0]) ?? null;
    });
    check(replaceRe(name, first, "<$&$$>"), (text) => text.replace(all, "<$&$$>"));
    if (hasGroup(pattern)) {
      check(replaceRe(name, first, "é$1-"), (text) => text.replace(all, "é$1-"));
    }
    check(redact(name, first, "$&"), (text) => text.replace(all, "$$&"));
    check(extract(name, first, 0), (text) => first.exec(text)?.[0] ?? null);
    const atStart = new RegExp(pattern, flags + "y");
    check(matches(name, first), (text) => {
      atStart.lastIndex = 0;
      return atStart.test(text);
    });
    if (/[\r\n\u2028\u2029]/.test(texts.join("")) && /[\^$.]/.test(pattern)) {
      draws.add("a line end");
    }
  }, draws);
  assert(refused.length < fewOr(10, 15), `${refused.length} patterns need too much: ${refused[0]}`);
});

Deno.test("a pattern without special characters becomes an operation on plain text", () => {
  const name = ["a.b", "axb", null, ""];
  assertEquals(run(col("name").containsRe("a\\.b"), name), [true, false, null, false]);
  assertEquals(run(col("name").matches("(a)"), name), [true, true, null, false]);
  assertEquals(run(col("name").findRe(/b/), name), [2, 2, null, -1]);
  assertEquals(run(col("name").countRe("."), name), [3, 3, null, 0]);
});

Deno.test("a replacement names groups by number and by name", () => {
  const names = ["First Last", "One", null];
  const replaced = (pattern: string | RegExp, replacement: string) =>
    run(col("name").replaceRe(pattern, replacement), names);
  assertEquals(replaced(/(\w+) (\w+)/, "$2 $1"), ["Last First", "One", null]);
  assertEquals(replaced(/(?<a>\w+) (?<b>\w+)/, "$<b>, $<a>."), ["Last, First.", "One", null]);
  assertEquals(replaced("(x)?n", "[$1]"), ["First Last", "O[]e", null]);
  assertEquals(replaced(/(s)/, "$10$$"), ["Firs0$t Las0$t", "One", null]);
  assertEquals(replaced("s", "$ $x"), ["Fir$ $xt La$ $xt", "One", null]);
  assertEquals(replaced(/s/, "$$1"), ["Fir$1t La$1t", "One", null]);
});

Deno.test("a replacement that cannot be is an error", () => {
  const call = (replacement: unknown) => () =>
    replaceRe(col("name"), "(a)(?<n>b)", replacement as string);
  assertThrows(call("$3"), RangeError, "has 2 groups, there is no group 3");
  assertThrows(call("$<m>"), RangeError, "has no group m");
  assertThrows(call("$0"), RangeError, "the whole match is $&, not $0");
  assertThrows(call("$'"), RangeError, "$' is not supported");
  assertThrows(call(col("other")), RangeError, "must be literal text");
});

Deno.test("a group that does not exist, and flags given twice, are errors", () => {
  const name = col("name");
  assertThrows(() => extract(name, "(a)", 2), RangeError, "has 1 group, there is no group 2");
  assertThrows(() => extract(name, "a", "n"), RangeError, "has no group n");
  assertThrows(() => extract(name, "a", 1.5), RangeError, "a whole number or a name");
  assertThrows(() => containsRe(name, /a/i, "i"), RangeError, "given twice");
  assertThrows(() => containsRe(name, 5 as never), RangeError, "the pattern must be text");
  assertThrows(() => containsRe(name, /a/g), RangeError, "cannot have flag g");
});

Deno.test("an integer of any size is no pattern; nor are flags", () => {
  const calls = ["matches", "containsRe", "countRe", "findRe", "findAll", "splitRe", "extract"];
  for (const call of [...calls, "redact"]) {
    for (const pattern of ["3", "3n", "9223372036854775808", "-1"]) {
      assertThrows(
        () => parseExpr(`text.${call}(${pattern})`),
        Error,
        `${call}(): the pattern must be text or /.../`,
      );
    }
    if (call === "redact" || call === "extract") continue;
    assertThrows(
      () => parseExpr(`text.${call}("a", 3n)`),
      Error,
      `${call}(): the flags must be text`,
    );
  }
});

Deno.test("redact() hides where a condition is true or null", () => {
  const columns = {
    name: ["Ann", "Bob", null, "Dan", null],
    shown: [true, false, true, null, false],
  };
  const hide = (expr: Expr) => evaluateExpr(expr, columns);
  assertEquals(hide(col("name").redact(col("shown").not(), "X X")), [
    "Ann",
    "X X",
    null,
    "X X",
    "X X",
  ]);
  assertEquals(hide(col("name").redact(col("name").eq("Bob"))), ["Ann", "X", "X", "Dan", "X"]);
  assertThrows(
    () => col("name").redact(col("shown"), "X", "i"),
    RangeError,
    "flags are for a pattern",
  );
});

Deno.test("redact() names itself where its condition is none", () => {
  const columns = { name: ["Ann"], n: [1] };
  assertThrows(
    () => evaluateExpr(col("name").redact(col("n")), columns),
    TypeError,
    "redact(): its condition must be true or false, n is ",
  );
});

Deno.test("redact() takes its replacement from a column", () => {
  const columns = { name: ["a1", "22", null], other: ["$&", null, "x"] };
  assertEquals(evaluateExpr(col("name").redact(/\d/, col("other")), columns), ["a$&", null, null]);
});

Deno.test("with flag u, words, digits and white space are those of Unicode", () => {
  const names = ["é٣\u00a0ſ"];
  const count = (pattern: string, flags: string) => run(col("name").countRe(pattern, flags), names);
  assertEquals(count("\\w", "u"), [3]);
  assertEquals(count("\\w", ""), [0]);
  assertEquals(count("\\d", "u"), [1]);
  assertEquals(count("\\s", "u"), [1]);
  assertEquals(count("\\b", "u"), [4]);
  assertEquals(count("s", "iu"), [1]);
  assertEquals(count("s", "i"), [0]);
  assertEquals(count("\\p{Lu}", "iu"), [2]);
});

Deno.test("matches after which the search went on to the end of a long text take no longer for that", () => {
  // Read to the end for each of them, this would be 45,000,000,000 characters.
  const name = ["<".repeat(300_000), "<<<a>", `${"<".repeat(50)}>`];
  const count = (pattern: string) => run(col("name").countRe(pattern), name);
  assertEquals(count("<[^>]*>|<"), [300_000, 1, 1]);
  assertEquals(count("<.*>|<"), [300_000, 1, 1]);
  assertEquals(count("<[^>]*>$|<"), [300_000, 1, 1]);
});

Deno.test("random patterns find and split what JavaScript's do", async () => {
  const refused: string[] = [];
  await forSeeds(fewOr(15, 150), (random) => {
    const shape = { depth: 2, ascii: random.chance(0.5) };
    // JavaScript's split() gives what groups took as parts.
    const pattern = randomRegex(random, shape).replaceAll(/\((?!\?)/g, "(?:");
    const flags = ["i", "m", "s"].filter(() => random.chance(0.3)).join("");
    const texts = Array.from(
      { length: 12 },
      () => random.chance(0.1) ? null : judgeable(pattern, randomSubject(random, shape)),
    );
    const check = (make: () => Expr, model: (text: string) => string[]) => {
      let expr: Expr;
      try {
        expr = make();
      } catch (error) {
        if ((error as Error).message.includes("states")) return void refused.push(pattern);
        throw error;
      }
      const expected = texts.map((text) => text === null ? null : model(text));
      assertEquals(
        evaluateExpr(expr, { name: texts }),
        expected as never,
        `/${pattern}/${flags} on ${JSON.stringify(texts)}`,
      );
    };
    const all = new RegExp(pattern, flags + "g");
    check(() => findAll(col("name"), pattern, flags), (text) => text.match(all) ?? []);
    check(
      () => splitRe(col("name"), pattern, flags),
      (text) => text === "" ? [""] : text.split(new RegExp(pattern, flags)),
    );
  });
  assert(
    refused.length < fewOr(12, 30),
    `${refused.length} patterns need too many states: ${refused[0]}`,
  );
});

Deno.test("splitRe() of a plain text is split(), and leaves groups out", () => {
  const name = ["a.b", "", ".", null];
  assertEquals(evaluateExpr(col("name").splitRe("\\."), { name }), [
    ["a", "b"],
    [""],
    ["", ""],
    null,
  ] as never);
  assertEquals(evaluateExpr(col("name").splitRe("([.]|x)"), { name }), [
    ["a", "b"],
    [""],
    ["", ""],
    null,
  ] as never);
});

Deno.test("., ^, $ and the ends of lines are those of JavaScript in every operation", () => {
  const schema = new Schema([new Field("text", new Utf8(), true)]);
  const kernels = testKernels();
  for (const pattern of someOf(LINE_PATTERNS, Math.ceil(LINE_PATTERNS.length / 3))) {
    for (const flags of ["", "m", "ms"]) {
      const texts = LINE_TEXTS;
      const calls = lineCalls(pattern, flags);
      const { program } = compileExprs(calls.map(({ expr }) => bindExpr(expr, schema)));
      const { columns } = evaluateOnHost(program, [plainColumn(texts)], texts.length, kernels);
      for (const [index, { expr, wanted }] of calls.entries()) {
        const given = valuesOf(columns[index]!);
        texts.forEach((text, row) =>
          assertEquals(given[row], wanted(text), `${expr} of ${JSON.stringify(text)}`)
        );
      }
    }
  }
});
