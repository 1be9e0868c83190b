import { assert, assertEquals, assertThrows } from "@std/assert";
import { OverflowError } from "../../../../base/errors/value_error.ts";
import { col, type Expr, lit, printExpr } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { evaluateExpr } from "../../../support/expressions/evaluate_expr.ts";
import { countedKernels, stepsOf } from "../../../support/kernels/kernel_steps.ts";

const text = col("text");

Deno.test("pad() fills on the left unless it is told another side", () => {
  const calls: [Expr, string][] = [
    [text.pad(5), "   ab"],
    [text.pad(5, "right"), "ab   "],
    [text.pad(5, { side: "right", fill: "." }), "ab..."],
    [text.pad(5, { fill: "🙂" }), "🙂🙂🙂ab"],
    [parseExpr('text.pad(5, { side: "both", fill: "-" })'), "--ab-"],
    [parseExpr('text.pad(6, "both", "-")'), "--ab--"],
    [text.pad(-0x80000000), "ab"],
  ];
  for (const [call, expected] of calls) {
    assertEquals(evaluateExpr(call, { text: ["ab", null] }), [expected, null], printExpr(call));
  }
});

Deno.test("pad() refuses another side, and a filling that is not one character", () => {
  for (const fill of ["", "ab", "e\u0301"]) {
    assertThrows(() => text.pad(5, { fill }), RangeError, "pad(): the fill must be one character");
  }
  assertThrows(() => text.pad(5, "centre" as "both"), RangeError, "pad(): the side must be left");
  assertThrows(() => parseExpr("text.pad(5, { fill: other })"), Error, "fill must be a literal");
  assertThrows(() => text.pad(2 ** 31), RangeError, "width must fit in 32 bits");
});

Deno.test("a width or a count of a thousand million is an error before memory is asked for", () => {
  const billion = 1_000_000_000;
  const calls = [
    text.repeat(billion),
    text.repeat(col("n")),
    text.repeat(col("n")).upper(),
    text.pad(billion),
    text.pad(col("n"), "both"),
    text.zfill(col("n")),
    text.zfill(0x7fffffff),
    lit("é").repeat(col("n")),
  ];
  for (const call of calls) {
    const columns = { text: ["a", "b"], n: [1, billion] };
    const attempt = () => evaluateExpr(call, columns, { kernels: countedKernels() });
    const error = assertThrows(attempt, OverflowError, "Size of output exceeds 536870888 bytes");
    assert(error.dataBytes >= billion - 1, printExpr(call));
    const steps = stepsOf(() => assertThrows(attempt, OverflowError));
    assert(steps < 1000, `${printExpr(call)} took ${steps} steps`);
  }
  assertEquals(evaluateExpr(text.repeat(billion), { text: ["", null] }), ["", null]);
});

Deno.test("the error of a width says no more of the bytes than is known, and names calls of literals", () => {
  const billion = 1_000_000_000;
  const messageOf = (call: Expr) =>
    assertThrows(() => evaluateExpr(call, { text: ["ab"] }), OverflowError).message;
  const limit = "Size of output exceeds 536870888 bytes of a row: ";
  // The two bytes of the text come behind the filling that is refused.
  assertEquals(
    messageOf(text.pad(billion)),
    `${limit}text.pad(1000000000) makes at least 999999998 bytes`,
  );
  assertEquals(
    messageOf(text.pad(billion, "right")),
    `${limit}text.pad(1000000000, "right") makes at least 1000000000 bytes`,
  );
  assertEquals(
    messageOf(lit("b").repeat(billion)),
    `${limit}"b".repeat(1000000000) makes at least 1000000000 bytes`,
  );
  assertEquals(
    messageOf(lit("b".repeat(5_000)).repeat(billion)),
    `${limit}"${"b".repeat(79)}…${
      "b".repeat(19)
    }".repeat(1000000000) makes at least 5000000000000 bytes`,
  );
  assertEquals(
    messageOf(lit("🙂".repeat(5_000)).repeat(billion)),
    `${limit}"${"🙂".repeat(39)}…${
      "🙂".repeat(9)
    }".repeat(1000000000) makes at least 20000000000000 bytes`,
  );
});

const TEXT = "the quick brown fox jumped over the lazy brown dog";

Deno.test("wrap() gives the lines of Python's textwrap where words are apart by one blank", () => {
  // textwrap.fill(TEXT, 12, break_long_words=False, break_on_hyphens=False), and with 5 and 80
  const lines = [
    [12, "the quick\nbrown fox\njumped over\nthe lazy\nbrown dog"],
    [5, "the\nquick\nbrown\nfox\njumped\nover\nthe\nlazy\nbrown\ndog"],
    [80, TEXT],
  ] as const;
  for (const [width, expected] of lines) {
    assertEquals(evaluateExpr(col("text").wrap(width), { text: [TEXT] }), [expected]);
  }
});

Deno.test("wrap() breaks at blanks only, and starts anew after a line break", () => {
  const cases = [
    ["ab\tcd-ef gh", 3, "ab\tcd-ef\ngh"],
    ["aaa\nb c d", 3, "aaa\nb c\nd"],
    ["  a", 2, " \na"],
    ["a   b", 3, "a  \nb"],
    ["abc ", 3, "abc\n"],
    ["é 🙂🙂 中", 3, "é\n🙂🙂\n中"],
    ["", 1, ""],
  ] as const;
  for (const [text, width, expected] of cases) {
    assertEquals(evaluateExpr(col("text").wrap(width), { text: [text] }), [expected]);
  }
});

Deno.test("wrap() to a width from a column that is not positive breaks at every blank", () => {
  const columns = { text: ["a bc  d", "a bc  d"], width: [0, -5] };
  const broken = "a\nbc\n\nd";
  assertEquals(evaluateExpr(col("text").wrap(col("width")), columns), [broken, broken]);
});

Deno.test("wrap() refuses a width below 1", () => {
  assertThrows(() => col("text").wrap(0), RangeError, "wrap(): the width must be at least 1");
});
