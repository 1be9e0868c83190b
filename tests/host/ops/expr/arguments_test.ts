import { assertEquals, assertThrows } from "@std/assert";
import { checkStringOp } from "../../../../ops/plugin/check_string_op.ts";
import { defineStringOp } from "../../../../ops/string/define/define_string_op.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { col, concat, printExpr } from "../../../../ops/expr/expr.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { withColumns } from "../../../../ops/rows/with_columns.ts";
import { type DataType, Field, Int64, Schema, Uint32, Uint64, Utf8 } from "apache-arrow";
import type { ColumnType } from "../../../../gpu/column/column.ts";
import { OverflowError } from "../../../../base/errors/value_error.ts";
import type { ExampleValue } from "../../../../ops/syntax/node.ts";
import { evaluateAround } from "../../../support/kernels/evaluate_around.ts";
import {
  columnOf,
  stringColumn,
  type Value,
  valuesOf,
} from "../../../support/values/host_columns.ts";
import { compileProgram } from "../../../support/kernels/programs.ts";
import { textModel } from "../../../support/models/text_model.ts";
import { testKernels } from "../../../support/kernels/test_kernels.ts";

const pick = defineStringOp({
  name: "pick",
  kind: "emit",
  args: { chars: "literal", mode: "literal", times: "i32" },
  defaults: { mode: "keep", times: 1 },
  check: ({ chars }) => Array.isArray(chars) ? undefined : "chars must be a list",
  consts: ({ chars, mode }) => ({
    chars: Int32Array.from(chars as string[], (char) => char.codePointAt(0) ?? 0),
    keep: mode === "keep" ? 1 : 0,
  }),
  examples: [
    { input: "abc", args: [["a", "c"]], result: "ac" },
    { input: "abc", args: [["a", "c"], { times: 2, mode: "drop" }], result: "bb" },
  ],
  row(out, text, { times, chars, keep }) {
    for (let at = 0; at < text.size; at = text.next(at)) {
      let isListed = 0;
      for (let i = 0; i < chars.size; i++) {
        if (chars.at(i) === text.charAt(at)) isListed = 1;
      }
      for (let i = 0; i < times && isListed === keep; i++) out.put(text.charAt(at));
    }
  },
});

const mapped = defineStringOp({
  name: "mapped",
  kind: "map",
  args: { map: "literal" },
  consts: ({ map }) => ({ size: Object.keys(map as object).length }),
  row(out, char, { size }) {
    out.put(char + size);
  },
});

const parse = (text: string) => parseExpr(text, { operations: [pick, mapped] });

Deno.test("lists, options and patterns are arguments, and print as they were written", () => {
  const expected = 'name.pick(["a", "b"], "drop", 3)';
  assertEquals(
    printExpr(col("name").call(pick, ["a", "b"], { times: 3, mode: "drop" })),
    expected,
  );
  assertEquals(printExpr(parse('name.pick(["a", "b"], { times: 3, mode: "drop" })')), expected);
  assertEquals(printExpr(parse(expected)), expected);
  const map = 'name.mapped({a: "b", "-": null, c: [1, [true]]})';
  assertEquals(printExpr(parse(map)), map);
  assertEquals(printExpr(parse("name.mapped(/a+/iu)")), "name.mapped(/a+/iu)");
  assertEquals(printExpr(col("name").call(mapped, /a+/iu)), "name.mapped(/a+/iu)");
});

Deno.test("wrong options and lists are errors that name them", () => {
  const wrong: [string, string][] = [
    ["name.pick(/a/)", "pick(): chars must be a list"],
    ['name.pick(["a"], { tims: 1 })', "has no option tims; did you mean times?"],
    ['name.pick(["a"], { chars: ["b"] })', "chars is given twice"],
    ['name.pick({ times: 1 }, ["a"])', "chars must be a list"],
    ['name.pick(["a"], { times: 1 }, 2)', "options come last"],
    ['name.pick(["a"], { mode: other })', "mode must be a literal"],
    ['name.pick(["a"], { times: "b" })', "times must be a whole number"],
    ['name.pick(["a"], "keep", [1])', "times cannot be a list"],
    ['name.pick(["a"], "keep", /a/)', "times cannot be a pattern"],
    ["name.pick([other])", "The items of a list must be literals"],
    ["name.pick([...other])", "... is not supported"],
    ['name.pick(["a"], { times: 1, "times": 2 })', "The name is given twice"],
    ['["a"]', "Lists are not supported"],
  ];
  for (const [text, message] of wrong) assertThrows(() => parse(text), Error, message);
});

Deno.test("constants are made once from equal literal arguments", () => {
  checkStringOp(pick);
  const schema = new Schema([new Field("name", new Utf8(), true)]);
  const fnOf = (text: string) => {
    const { tree } = bindExpr(parse(text), schema);
    return tree.node === "call" ? tree.fn : undefined;
  };
  const first = fnOf('name.pick(["a", "b"])');
  assertEquals(first === fnOf('name.pick(["a", "b"], "keep")'), false);
  assertEquals(first === fnOf('name.pick(["a", "b"])'), true);
  assertEquals(first === fnOf('name.pick(["a", "c"])'), false);
});

Deno.test("what is no argument is a TypeError, and is not taken for nothing", () => {
  const name = col("name");
  const wrong: [() => unknown, string][] = [
    [() => name.contains(undefined as never), "contains(target) needs target"],
    [() => name.translate(new Map([["a", "b"]]) as never), "An argument cannot be a Map"],
    [() => concat(name, name, { sep: "-" } as never), "concat() has no option sep"],
    [() => withColumns({ r: "name.upper()" as never }), "r must be an expression"],
    [() => withColumns({ r: name.upper as never }), "not a method that was not called"],
  ];
  for (const [make, message] of wrong) assertThrows(make, TypeError, message);
});

const TEXT = "a b,c é-🙂 d";

/** Integers at the edges of 32 and 64 bits, as far as a type has them. */
const EDGES = [0n, 1n, 2n, 3n, 7n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n + 1n];
const TYPES: readonly [DataType, ColumnType, readonly bigint[]][] = [
  [new Uint32(), { kind: "int", bits: 32, signed: false }, EDGES.slice(0, 8)],
  [new Uint64(), { kind: "int", bits: 64, signed: false }, [...EDGES, 2n ** 63n, 2n ** 64n - 1n]],
  [new Int64(), { kind: "int", bits: 64, signed: true }, [
    ...EDGES,
    ...EDGES.map((edge) => -edge),
    2n ** 63n - 1n,
    -(2n ** 63n),
    -(2n ** 32n) + 1n,
  ]],
];

function run(text: string, type: DataType, columnType: ColumnType, values: Value[]): Value[] {
  const { program, inputNames } = compileProgram([text], { text: new Utf8(), n: type });
  const columns = {
    text: stringColumn(values.map(() => TEXT)),
    n: columnOf(columnType, values),
  };
  const inputs = inputNames.map((name) => columns[name as "text" | "n"]);
  const [result] = evaluateAround(program, inputs, values.length, testKernels());
  return result === undefined ? [] : valuesOf(result);
}

/** Positions and counts stop at the ends of the text long before 32 bits. */
const CALLS: readonly [string, (n: number) => ExampleValue][] = [
  ["text.slice(n)", (n) => textModel.slice!(TEXT, n)],
  ["text.slice(null, n)", (n) => textModel.slice!(TEXT, null, n)],
  ["text.slice(n, null, 2)", (n) => textModel.slice!(TEXT, n, null, 2)],
  ["text.slice(n, null, -1)", (n) => textModel.slice!(TEXT, n, null, -1)],
  ['text.splitPart(" ", n)', (n) => TEXT.split(" ").at(n) ?? null],
  ["text.left(n)", (n) => textModel.left!(TEXT, n)],
  ['text.replace(" ", "_", n)', (n) => textModel.replace!(TEXT, " ", "_", n)],
];

for (const [type, columnType, values] of TYPES) {
  Deno.test(`positions and counts may be columns of ${type}, at the extremes too`, () => {
    for (const [text, model] of CALLS) {
      const rows = [...values, null];
      const wanted = rows.map((value) => value === null ? null : model(Number(value)));
      assertEquals(run(text, type, columnType, rows), wanted, text);
    }
  });

  Deno.test(`widths and counts of ${type} that are too large are an error, not a small one`, () => {
    const small = values.filter((value) => value < 10n);
    assertEquals(
      run('text.pad(n, "right", "*")', type, columnType, small),
      small.map((value) => textModel.pad!(TEXT, Number(value), "right", "*")),
    );
    assertEquals(
      run("text.repeat(n)", type, columnType, small),
      small.map((value) => textModel.repeat!(TEXT, Number(value))),
    );
    for (const value of values.filter((value) => value > 10n)) {
      for (const text of ["text.pad(n)", "text.repeat(n)"]) {
        assertThrows(() => run(text, type, columnType, [value]), OverflowError, "Size of output");
      }
    }
  });
}
