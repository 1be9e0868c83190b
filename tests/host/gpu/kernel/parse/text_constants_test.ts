import { assertEquals, assertThrows } from "@std/assert";
import type { i32, Sink, View } from "../../../../../gpu/kernel/language/row_function.ts";
import { col, defineStringOp, lit } from "../../../../../mod.ts";
import { evaluateExpr } from "../../../../support/expressions/evaluate_expr.ts";

const quoted = defineStringOp({
  name: "quoted",
  kind: "emit",
  consts: { open: "«é", close: "»", none: "" },
  row(out: Sink, text: View, { open, close, none }: Record<"open" | "close" | "none", View>) {
    const end = none.size === 0 ? close : close.sub(0, 0);
    out.copy(open.sub(0, 2));
    out.copy(text);
    if (text.find(close, 0) < 0) out.copy(end);
  },
});

const placeOf = defineStringOp({
  name: "placeOf",
  kind: "measure",
  consts: { long: "a text of more bytes than are compared in place" },
  row(text: View, given: { long: View }): i32 {
    return given.long.find(text, 0);
  },
});

Deno.test("a text among the constants is a view, in columns and folded", () => {
  const texts = ["", "é", "a»", null];
  const wanted = ["«»", "«é»", "«a»", null];
  assertEquals(evaluateExpr(quoted(col("text")), { text: texts }), wanted);
  assertEquals(evaluateExpr(quoted(lit("é")), { text: [""] }), ["«é»"]);
  assertEquals(evaluateExpr(placeOf(col("text")), { text: ["text", "bytes", "x y", ""] }), [
    2,
    15,
    -1,
    0,
  ]);
  assertEquals(evaluateExpr(placeOf(lit("bytes")), { text: [""] }), [15]);
});

Deno.test("a text among the constants is nothing that is called or assigned", () => {
  const called = defineStringOp({
    name: "called",
    kind: "measure",
    consts: { word: "a" },
    row: (text: View, { word }: { word: View }) => (word as unknown as (view: View) => i32)(text),
  });
  assertThrows(
    () => evaluateExpr(called(col("text")), { text: ["a"] }),
    Error,
    "word is a text; it cannot be called",
  );
});
