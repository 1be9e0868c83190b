import { assertEquals, assertThrows } from "@std/assert";
import { defineHelper } from "../../../gpu/kernel/fold/define_helper.ts";
import { checkStringOp } from "../../../ops/string/check_string_op.ts";
import {
  type CallArgs,
  defineStringOp,
  type IntArg,
  overload,
  type StringOp,
  type TextArg,
} from "../../../ops/string/define_string_op.ts";
import { get } from "../../../ops/string/list.ts";
import { replace } from "../../../ops/string/replace.ts";
import type { View } from "../../../gpu/kernel/language/row_function.ts";

const spec = {
  name: "same",
  kind: "view",
  summary: "The text",
  row: (text: View) => text,
} as const;

Deno.test("defineStringOp() refuses a name that cannot be called, and an unknown kind", () => {
  const broken: [Record<string, unknown>, string][] = [
    [{ name: undefined }, "A string operation needs a name"],
    [{ name: "a b" }, 'not "a b"'],
    [{ kind: "zap" }, 'not "zap"'],
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
    subject: "i64",
    returns: "i64",
    examples: [{ input: 1n, result: 4294967296n }],
    row: (low, high) => [high, low],
  });
  [head, rise, halves].forEach(checkStringOp);
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
  assertThrows(() => checkStringOp(goal as StringOp), Error, "the spec has no goal");
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
