import { assertEquals, assertThrows } from "@std/assert";
import { parseExpr } from "../../../ops/expr/parse.ts";
import { evaluateExpr, type PlainColumns } from "../../support/evaluate_expr.ts";

const COLUMNS: PlainColumns = {
  s: ["a", "b", null],
  x: [3, 777_345_918, 2],
};

/** Only the second row asks for too much, and there it is in a branch that is not taken. */
const NOT_TAKEN: Readonly<Record<string, readonly (string | boolean | null)[]>> = {
  's.fillNull("".pad(x))': ["a", "b", "  "],
  's.fillNull("1".zfill(x))': ["a", "b", "01"],
  's.fillNull("ab".repeat(x).upper())': ["a", "b", "ABAB"],
  'x < 10 ? "ab".repeat(x) : s': ["ababab", "b", "abab"],
  's == "b" ? s : "".pad(x, "right", ".")': ["...", "b", ".."],
  's.isNull() ? "ab".repeat(x) : x < 10 ? s.pad(x) : s': ["  a", "b", "abab"],
  'x < 10 ? "ab".repeat(x).upper().startsWith("AB") : false': [true, false, true],
  'x < 10 ? ("-".repeat(x) + s).length() > 2 : false': [true, false, null],
  'x < 10 ? s : (s.isNull() ? "ab".repeat(2147483647) : s)': ["a", "b", null],
};

Deno.test("text that is too long fails only where its branch is taken", () => {
  for (const fuse of [true, false]) {
    for (const [text, expected] of Object.entries(NOT_TAKEN)) {
      assertEquals(
        evaluateExpr(parseExpr(text), COLUMNS, { fuse }),
        expected,
        `${text}, fuse: ${fuse}`,
      );
    }
    for (
      const text of ['s == "b" ? "".pad(x) : s', '(x > 9 ? null : s).fillNull("ab".repeat(x))']
    ) {
      assertThrows(
        () => evaluateExpr(parseExpr(text), COLUMNS, { fuse }),
        Error,
        "Size of output exceeds",
      );
    }
  }
});
