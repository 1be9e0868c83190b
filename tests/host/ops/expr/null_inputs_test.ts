import { assertEquals } from "@std/assert";
import { Field, Int64, Schema, Utf8 } from "apache-arrow";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { nullInputs } from "../../../../ops/expr/null_inputs.ts";
import { expr } from "../../../../ops/expr/parse.ts";

const SCHEMA = new Schema([
  new Field("a", new Int64(), true),
  new Field("b", new Int64(), true),
  new Field("s", new Utf8(), true),
]);

function inputsOf(text: string): readonly number[] | undefined {
  return nullInputs(bindExpr(expr(text), SCHEMA).tree);
}

Deno.test("the nulls of arithmetic and of strict calls are those of its columns", () => {
  assertEquals(inputsOf("a * b + a"), [0, 1]);
  assertEquals(inputsOf("a + 1 > 7"), [0]);
  assertEquals(inputsOf('s.cast("int64") * b'), [2, 1]);
  assertEquals(inputsOf("s.upper() + s"), [2]);
  assertEquals(inputsOf('s.strip().cast("timestamp[s]").cast("date32")'), [2]);
});

Deno.test("a value that may be null by itself explains no nulls", () => {
  for (
    const text of [
      "(a * b).orNull()",
      "(a * b).orNull() + 1",
      "s.toInteger()",
      "(a * b).fillNull(0)",
      "(a * b).isNull()",
      "a * b > 5 && b > 1",
      "a > b ? a * b : 0",
      'a.cast("int8").orNull() + a',
    ]
  ) assertEquals(inputsOf(text), undefined, text);
});
