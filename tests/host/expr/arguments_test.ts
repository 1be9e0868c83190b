import { assertEquals, assertThrows } from "@std/assert";

import { checkStringOp } from "../../../ops/string/check_string_op.ts";
import { defineStringOp } from "../../../ops/string/define_string_op.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import { col, concat } from "../../../ops/expr/expr.ts";
import { parseExpr } from "../../../ops/expr/parse.ts";
import { printExpr } from "../../../ops/expr/print.ts";
import { withColumns } from "../../../ops/rows/with_columns.ts";
import { Field, Schema, Utf8 } from "apache-arrow";

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
  row(out, char, c) {
    out.put(char + c.size);
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
    ['name.pick(["a"], { chars: ["b"] })', "chars comes twice"],
    ['name.pick({ times: 1 }, ["a"])', "chars must be a list"],
    ['name.pick(["a"], { times: 1 }, 2)', "options come last"],
    ['name.pick(["a"], { mode: other })', "mode must be a literal"],
    ['name.pick(["a"], { times: "b" })', "times must be a whole number"],
    ['name.pick(["a"], "keep", [1])', "times cannot be a list"],
    ['name.pick(["a"], "keep", /a/)', "times cannot be a pattern"],
    ["name.pick([other])", "What stands in a list must be a literal"],
    ["name.pick([...other])", "... is not supported"],
    ['name.pick(["a"], { times: 1, "times": 2 })', "The name comes twice"],
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
