import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { defineHelper } from "../../../../../gpu/kernel/fold/define_helper.ts";
import { numeric } from "../../../../../gpu/kernel/fold/numeric.ts";
import * as stringOps from "../../../../../ops/string/operations.ts";
import { checkStringOp } from "../../../../../ops/plugin/check_string_op.ts";
import {
  type CallArgs,
  defineOp,
  defineStringOp,
  type IntArg,
  isStringOp,
  overload,
  type StringOp,
  type TextArg,
} from "../../../../../ops/string/define/define_string_op.ts";
import { col, type Expr, printExpr } from "../../../../../ops/expr/expr.ts";
import { get } from "../../../../../ops/string/list.ts";
import { replace } from "../../../../../ops/string/replace.ts";
import type { i32, Sink, View } from "../../../../../gpu/kernel/language/row_function.ts";
import { someOf } from "../../../../support/random/test_size.ts";
import { KernelError } from "../../../../../base/errors/expr_error.ts";

const spec = {
  name: "same",
  kind: "view",
  summary: "The text",
  row: (text: View) => text,
} as const;

Deno.test("defineStringOp() refuses a name that cannot be called, and an unknown kind", () => {
  const broken: [Record<string, unknown>, string][] = [
    [{ name: undefined }, "An operation needs a name"],
    [{ name: "a b" }, 'not "a b"'],
    [{ kind: "zap" }, 'not "zap"'],
    [{ kind: undefined }, 'not "undefined"'],
  ];
  for (const [change, message] of broken) {
    const made = { ...spec, ...change } as unknown as typeof spec;
    assertThrows(() => defineStringOp(made), TypeError, message);
  }
});

const above = defineHelper({
  args: ["i32", "i32"],
  returns: "bool",
  row: (value, limit) => value > limit,
});

Deno.test("the parameters of a row function have the types that the spec says", () => {
  const head: StringOp<[target: TextArg, count: IntArg]> = defineStringOp({
    name: "head",
    kind: "view",
    args: { target: "string", count: "i32" },
    consts: (args) => ({ above, most: Number(args.count), table: Int32Array.of(1) }),
    examples: [{ input: "a-b", args: ["-", 9], result: "a" }],
    row(text, { target, count, above, most, table }) {
      if (above(most, count + table.at(0))) return null;
      return text.sub(0, text.find(target, 0));
    },
  });
  const rise = defineStringOp({
    name: "rise",
    kind: "map",
    looks: true,
    state: { count: 0 },
    examples: [{ input: "abc", result: "acc" }],
    row(out, char, { text, at, state }) {
      state.count++;
      out.put(state.count === 2 ? text.charAt(text.next(at)) : char);
    },
  });
  const halves = defineStringOp({
    name: "halves",
    kind: "measure",
    subject: "words",
    returns: "words",
    examples: [{ input: 1n, result: 4294967296n }],
    row: (low, high) => [high, low],
  });
  [head, rise, halves].forEach(checkStringOp);
});

Deno.test("the parameters of a row function of numbers have the types that the spec says", () => {
  const { addOverflows, toF64, toI64 } = numeric;
  const plus = defineOp({
    name: "plusOrNull",
    subject: "i64",
    args: { other: "i64" },
    returns: "i64",
    consts: { addOverflows, one: 1n, base: 0.5, count: 3, toF64, toI64 },
    row(value, { other, addOverflows, one, base, count, toF64, toI64 }) {
      const all: bigint = value + other * one;
      const float: number = toF64(all) * base + count;
      return addOverflows(value, other) || float < 0 ? null : all + toI64(count - 3);
    },
  });
  const bmi = defineOp({
    name: "bmi",
    subject: "f64",
    args: { height: "f64", isMetric: "bool" },
    returns: "f64",
    row: (kg, { height, isMetric }) => isMetric ? kg / (height * height) : kg,
  });
  const either = defineOp({
    name: "either",
    subject: "bool",
    returns: "bool",
    row: (value) => !value,
  });
  const last = defineOp({
    name: "lastDigit",
    subject: "u64",
    returns: "u64",
    consts: () => ({ modU: numeric.modU }),
    row: (value, { modU }) => modU(value, 10n),
  });
  assertEquals([plus, bmi, either, last].map(({ kind }) => kind), Array(4).fill("measure"));
  const made = overload({ subject: "i64", returns: "i64", row: (value) => -value });
  assertEquals(made.kind, "measure");
  assertStrictEquals(defineStringOp, defineOp);
  for (const op of [plus, bmi, either, last]) op.rowFunction("row");
});

Deno.test("what does not fit the types in the spec is no TypeScript", () => {
  const find = { name: "find", kind: "measure", args: { target: "string" } } as const;
  // @ts-expect-error: the target is text
  const _wrong: StringOp<[target: boolean]> = defineStringOp({ ...find, row: (text) => text.size });
  // @ts-expect-error: it has no such argument
  const goal = defineStringOp({ ...find, row: (text, { goal }) => text.find(goal, 0) });
  // @ts-expect-error: a measure returns a number
  defineStringOp({ ...find, row: (text) => text });
  // @ts-expect-error: a view has no sink
  overload({ kind: "view", row: (out) => out.put(1) });
  // @ts-expect-error: the helper takes two numbers
  overload({ kind: "measure", consts: { above }, row: (text, c) => c.above(text.size) ? 1 : 0 });
  const long = { name: "long", subject: "i64", returns: "i64" } as const;
  // @ts-expect-error: an i64 is a bigint, which does not mix with numbers
  defineOp({ ...long, row: (value) => value + 1 });
  // @ts-expect-error: a measure of i64 returns a bigint
  defineOp({ ...long, row: () => 1 });
  const { addOverflows } = numeric;
  // @ts-expect-error: the intrinsic takes two bigints
  defineOp({ ...long, consts: { addOverflows }, row: (a, c) => c.addOverflows(a, 1) ? 0n : 1n });
  assertThrows(() => checkStringOp(goal as StringOp), Error, "the spec has no goal");
});

Deno.test("a call of an operation has the type of what it is called on", () => {
  const same = defineStringOp(spec);
  const again: Expr = same(col("name")).upper().eq("A").and(true);
  const unknown = (): Expr => (same as StringOp)(col("name"), 1).fillNull("").upper();
  assertEquals(printExpr(again), 'name.same().upper() == "A" && true');
  assertThrows(unknown, TypeError, "takes no arguments");
  // @ts-expect-error: a text is no expression
  assertThrows(() => same("name"), TypeError, 'such as col("name")');
});

Deno.test("when() says which calls are computed of text that is still being written", () => {
  const isWritten = (op: StringOp, key: string, args?: CallArgs) =>
    op.rowFunction(key, args).written !== null;
  assertEquals(isWritten(replace, "row", { target: "-", replacement: "+" }), true);
  assertEquals(isWritten(replace, "row", { target: "--", replacement: "+" }), false);
  assertEquals(isWritten(replace, "row", { target: "-", replacement: "+", limit: 1 }), false);
  assertEquals(isWritten(get, "character", { index: -1 }), false);
  assertEquals(isWritten(get, "character", { index: 1 }), true);
  assertEquals(isWritten(get, "character"), true);
});

for (const op of someOf(Object.values(stringOps), 30)) {
  Deno.test(`every row function of ${op.spec.name}() compiles for both targets`, () => {
    checkStringOp(op);
  });
}

Deno.test("checkStringOp() refuses what the language of row functions does not have", () => {
  const outer = 3;
  const captures = defineStringOp({
    name: "captures",
    kind: "measure",
    row(text: View): i32 {
      return text.size + outer;
    },
  });
  assertThrows(() => checkStringOp(captures), KernelError, "outer");
});

Deno.test("checkStringOp() refuses an example that does not hold", () => {
  const wrong = defineStringOp({
    name: "twice",
    kind: "map",
    examples: [{ input: "ab", result: "aabb" }, { input: "ab", result: "abab" }],
    row(out: Sink, char: i32) {
      out.put(char);
      out.put(char);
    },
  });
  assertThrows(
    () => checkStringOp(wrong),
    Error,
    '"ab".twice() returns "aabb", but its example states "abab"',
  );
});

Deno.test("an operation without a row function is refused at once", () => {
  assertThrows(
    () => defineStringOp({ name: "none", args: {}, optional: [], overloads: {}, choose: () => "" }),
    TypeError,
    "none() has no row function",
  );
});

Deno.test("an operation is called on an expression and on nothing else", () => {
  // deno-lint-ignore no-explicit-any -- what a caller without types could write
  assertThrows(() => stringOps.upper("name" as any), TypeError, "takes an expression first");
});

Deno.test("isStringOp() tells operations from other exports of a plugin", () => {
  assertEquals(isStringOp(stringOps.upper), true);
  for (const other of [null, undefined, "upper", {}, () => 1, { spec: {} }]) {
    assertEquals(isStringOp(other), false);
  }
});
