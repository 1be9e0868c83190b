import { assertEquals } from "@std/assert";
import { col, defineHelper, defineStringOp, type Expr, expr } from "../../../../mod.ts";
import { pad, repeat, zfill } from "../../../../ops/string/pad.ts";
import { canFail } from "../../../../ops/expr/rewrite.ts";
import { builtInOperations } from "../../../../ops/expr/built_in_operations.ts";

const CASES: readonly (readonly [text: string, fails: boolean])[] = [
  ["s", false],
  ["s.upper() + s == s", false],
  ["n + 1", true],
  ["(n + 1).orNull()", false],
  ["s + '!'", false],
  ["s.upper() + s", false],
  ["n * 0.5", false],
  ["n / 2", false],
  ["n / 2 + n", false],
  ["n % 2 == 0", true],
  ["-n", true],
  ["n & 3", false],
  ["n << 3", true],
  ["cast(s, 'int8').orNull()", false],
  ["s.repeat(n).orNull()", true],
  ["s.toInteger()", false],
  ["s.toInteger(false)", false],
  ["s.toInteger(true)", true],
  ["s.toDate(null, true)", true],
  ["s.cast('int8')", true],
  ["s.tryCast('int8')", false],
  ["!(n > 1 && s.cast('bool'))", true],
  ["n > 1 ? s : s.hexToInteger(true).toString()", true],
  ["s.fillNull(s.repeat(n))", true],
  ["s.toInteger().isIn(1, 2)", false],
  ["s.repeat(n)", true],
  ["s.repeat(2)", true],
  ["s.repeat(1)", false],
  ["s.repeat(-1)", false],
  ["s.pad(n)", true],
  ["s.pad(n, 'both')", true],
  ["s.pad(100, 'right', '🙂')", false],
  ["s.pad(134217722)", false],
  ["s.pad(134217723)", true],
  ["s.zfill(n)", true],
  ["s.zfill(2000000000)", true],
  ["s.zfill(3)", false],
  ["s.zfill(3).zfill(n).length()", true],
];

for (const [text, fails] of CASES) {
  Deno.test(`${text} ${fails ? "can" : "cannot"} fail`, () => {
    assertEquals(canFail(expr(text)), fails);
  });
}

Deno.test("an operation of one's own can fail where it repeats, also in a helper", () => {
  const line = defineHelper({
    args: ["sink", "i32"],
    consts: { dash: "-" },
    row(out, count, { dash }) {
      out.repeat(dash, count);
    },
  });
  const underlined = defineStringOp({
    name: "underlined",
    kind: "emit",
    consts: { line },
    row(out, text, { line }) {
      out.copy(text);
      line(out, text.size);
    },
  });
  const twice = defineStringOp({
    name: "twice",
    kind: "emit",
    row(out, text) {
      out.repeat(text, 2);
    },
  });
  const once = defineStringOp({ name: "once", kind: "view", row: (text) => text });
  const fails = (op: (text: Expr) => Expr) => canFail(op(col("s")));
  assertEquals([fails(underlined), fails(twice), fails(once)], [true, true, false]);
});

Deno.test("of our operations only those that fill and repeat can make a text too long", () => {
  const able = builtInOperations.filter(({ overloads }) =>
    Object.values(overloads).some(({ row }) => /[.]repeat\(/.test(String(row)))
  );
  assertEquals(able, [pad, repeat, zfill]);
  assertEquals(able.map((op) => canFail(op(col("s"), col("n")))), [true, true, true]);
});
