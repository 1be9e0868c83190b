import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { Field, Float64, Int64, Schema, Utf8 } from "apache-arrow";
import { col, defineStringOp, type Expr, lit } from "../../../../../mod.ts";
import type { Program } from "../../../../../gpu/kernel/tree/tree.ts";
import { bindExpr } from "../../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../../ops/expr/compile_exprs.ts";
import { parseExpr } from "../../../../../ops/expr/parse.ts";

const TEXT = new Schema([new Field("name", new Utf8(), true), new Field("city", new Utf8(), true)]);

/** The program of an expression, as a new plan gets it. */
function programOf(expr: Expr, schema: Schema = TEXT, fuse = true): Program {
  const names = schema.fields.map(({ name }) => name);
  return compileExprs([bindExpr(expr, schema)], { fuse, names }).program;
}

function assertSame(left: Program, right: Program, isSame: boolean): void {
  assert(left.kernels.length > 0 && right.kernels.length > 0);
  (isSame ? assertStrictEquals : assertNotStrictEquals)(left.kernels[0], right.kernels[0]);
}

Deno.test("the next plan with the same expression gets the kernels of the last one", () => {
  const text = 'name.strip().upper().slice(1, 8).replace("A", "bc") + "!"';
  const [first, second] = [parseExpr(text), parseExpr(text)].map((expr) => programOf(expr));
  assertEquals(first, second);
  assertSame(first!, second!, true);
  assertStrictEquals(first!.ascii?.kernels[0], second!.ascii?.kernels[0]);
  // What is noted of a program, such as that its text is not ASCII, concerns one plan.
  assertNotStrictEquals(first, second);
});

Deno.test("kernels are not shared where a name, a type, a literal or an option differs", () => {
  const upper = programOf(col("name").upper());
  assertSame(upper, programOf(col("city").upper()), false);
  assertSame(upper, programOf(col("name").lower()), false);
  const chain = col("name").upper().slice(1);
  assertSame(programOf(chain), programOf(chain, TEXT, false), false);
  assertSame(
    programOf(col("name").contains("5")),
    programOf(col("name").contains(lit("6"))),
    false,
  );
  const greater = parseExpr("n > 5");
  const integers = new Schema([new Field("n", new Int64(), true)]);
  const floats = new Schema([new Field("n", new Float64(), true)]);
  assertSame(programOf(greater, integers), programOf(greater, floats), false);
  assertSame(programOf(greater, integers), programOf(greater, integers), true);
});

Deno.test("literals that JSON writes alike are told apart", () => {
  const floats = new Schema([new Field("n", new Float64(), true)]);
  const programs = [0, -0, NaN, Infinity, -Infinity].map((value) =>
    programOf(col("n").fillNull(lit(value)), floats)
  );
  for (const [i, left] of programs.entries()) {
    for (const right of programs.slice(i + 1)) assertSame(left, right, false);
  }
});

Deno.test("an operation of the same name with other code has its own kernels", () => {
  const [a, b, again] = [0x21, 0x3f, 0x21].map((mark) =>
    defineStringOp({
      name: "marked",
      kind: "map",
      consts: { mark },
      row(out, char, { mark }) {
        out.put(char);
        if (char === 0x2e) out.put(mark);
      },
    })
  );
  const marked = (op: typeof a) => programOf(op!(col("name")) as Expr);
  assertSame(marked(a), marked(b), false);
  assertSame(marked(a), marked(again), false);
  assertSame(marked(b), marked(b), true);
});
