import { assertEquals } from "@std/assert";
import { Field, Int32, Schema, Utf8 } from "apache-arrow";
import { foldTree } from "../../../../gpu/kernel/fold/fold_tree.ts";
import { describeTree } from "../../../../gpu/kernel/tree/describe_tree.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { explainKernels } from "../../../../ops/expr/explain.ts";
import { type CompiledExprs, compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";

const NAMES = ["id", "first", "last", "city"];
const SCHEMA = new Schema(
  NAMES.map((name) => new Field(name, name === "id" ? new Int32() : new Utf8(), true)),
);

function compile(texts: readonly string[], fuse = true): CompiledExprs {
  const bound = texts.map((text) => bindExpr(parseExpr(text), SCHEMA));
  return compileExprs(bound, { fuse, names: NAMES });
}

const FOLDED: readonly (readonly [text: string, folded: string])[] = [
  ["'a' + 'b'", '"ab"'],
  ["'abc'.upper()", '"ABC"'],
  ["'a b'.splitPart(' ', 1).length() + 1", "2"],
  ["'a b'.splitPart(' ', 7)", "null"],
  ["1 + 2 > 2", "true"],
  ["2147483647 + 1", "2147483648"],
  ["2 ** 62 - 1 + 2 ** 62", "9223372036854775807"],
  ["(2 ** 62 + 2 ** 62).orNull()", "null"],
  ["-7 % 3 * 1.5", "-1.5"],
  ["7 / 2", "3.5"],
  ["-(2 ** 3)", "-8"],
  ["'a' < 'b' && 1.5 >= 1", "true"],
  ["!false", "true"],
  ["null.isNull()", "true"],
  ["id.isNull() || true", "true"],
  ["false && id > 1", "false"],
  ["true && id > 1", "id > 1"],
  ["id > 1 || false", "id > 1"],
  ["true ? first : last", "first"],
  ["null ? first : last", "last"],
  ["first.fillNull(null).upper()", "upper(first.fillNull(null))"],
  ["'x'.fillNull(first)", '"x"'],
  ["null.fillNull(first)", "first"],
  ["first + null", "null"],
  ["first + ''", "first"],
  ["'' + ''", '""'],
  ["first.contains(null)", "null"],
  ["id + (1 + 1)", "id + 2"],
  ["first.upper() == 'a'.upper()", 'upper(first) == "A"'],
];

Deno.test("what does not depend on a row is computed before", async (t) => {
  for (const [text, folded] of FOLDED) {
    await t.step(text, () => {
      const { tree } = bindExpr(parseExpr(text), SCHEMA);
      assertEquals(describeTree(foldTree(tree), NAMES), folded);
    });
  }
});

Deno.test("only the columns that are needed become inputs", () => {
  const { program, inputs, inputNames } = compile(["city + first", "false ? last : city"]);
  assertEquals(inputs, [1, 3]);
  assertEquals(inputNames, ["first", "city"]);
  assertEquals(program.inputs.map(({ kind }) => kind), ["string", "string"]);
  // The second output is the column city as it is.
  assertEquals(program.outputs, [2, 1]);
});

Deno.test("no columns are needed for a literal", () => {
  const { program, inputs } = compile(["'a' + 'b'"]);
  assertEquals([inputs, program.kernels.length], [[], 1]);
});

const REDACT = 'city == "public" ? last.splitPart(" ", 1).slice(0, 1) + first : "X X"';

Deno.test("explainKernels() shows one kernel for an expression that fuses", () => {
  assertEquals(
    explainKernels(compile([REDACT])),
    `kernel 1: ${REDACT}
  reads: city, last, first
  fuses: ==, splitPart, slice, concat, ?:
results: kernel 1`,
  );
});

Deno.test("explainKernels() tells why fusion ended", () => {
  assertEquals(
    explainKernels(compile(['(first + last).contains("x")', "city"])),
    `kernel 1: first + last
  reads: first, last
  fuses: concat
  apart because: contains reads text that "+" writes
kernel 2: (first + last).contains("x")
  reads: kernel 1
  fuses: contains
results: kernel 2, city`,
  );
});

Deno.test("explainKernels() tells what is fused for ASCII text only", () => {
  const lines = explainKernels(compile(['(first + " " + last).lower().title()'])).split("\n");
  assertEquals(lines.filter((line) => !line.startsWith("  ") || line.includes("apart")), [
    'kernel 1: first + " " + last',
    "  apart because: lower looks at the characters beside each one",
    'kernel 2: lower(first + " " + last)',
    "  apart because: title looks at the characters beside each one",
    'kernel 3: (first + " " + last).lower().title()',
    'fused where all text is ASCII: first + " " + last, lower(first + " " + last)',
    "results: kernel 3",
  ]);
});

Deno.test("without fusion every operation is a kernel", () => {
  const { program } = compile([REDACT], false);
  assertEquals(program.kernels.length, 5);
  assertEquals(compile([REDACT]).program.kernels.length, 1);
});
