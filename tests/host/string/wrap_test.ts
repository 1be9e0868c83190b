import { assertEquals, assertThrows } from "@std/assert";
import { col } from "../../../ops/expr/expr.ts";
import { evaluateExpr } from "../../support/evaluate_expr.ts";

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
