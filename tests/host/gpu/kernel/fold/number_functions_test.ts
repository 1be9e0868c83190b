import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import type { Value } from "../../../../../gpu/column/value_at.ts";
import { defineHelper } from "../../../../../gpu/kernel/fold/define_helper.ts";
import { foldTree } from "../../../../../gpu/kernel/fold/fold_tree.ts";
import { numeric } from "../../../../../gpu/kernel/fold/numeric.ts";
import type { HelperArg } from "../../../../../gpu/kernel/language/row_function.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import {
  functionOf,
  KNOWN,
  type NumberType,
  type NumberValue,
  OPERATORS,
  PARAMETERS,
  randomArguments,
  RandomFunctions,
  randomNumber,
} from "../../../../support/random/random_number_functions.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";

const intrinsics = Object.values(KNOWN).flatMap((all) =>
  all.map(([name, [type]]) => `${name} of ${type}`)
);
const operators = Object.entries(OPERATORS).flatMap(([type, all]) =>
  Object.keys(all).flatMap((name) => [`${type} ${name}`, `${type} ${name}=`])
);

/** Returns what a helper of this source gives when it is called directly. */
function called(text: string, returns: NumberType, values: Record<string, NumberValue>) {
  const names = Object.keys(PARAMETERS);
  const args = Object.values(PARAMETERS) as readonly HelperArg[];
  const row = functionOf(text, names, []);
  const helper = defineHelper(
    { args, returns, consts: { ...numeric }, row } as never,
  ) as unknown as (
    ...args: unknown[]
  ) => NumberValue;
  return helper(...names.map((name) => values[name]));
}

Deno.test("an expression of numbers has the value that plain JavaScript computes", () => {
  const draws = new Draws([...intrinsics, ...operators.filter((name) => !name.endsWith("="))]);
  return forSeeds(fewOr(400, 5000), (random) => {
    const functions = new RandomFunctions(random, (what) => draws.add(what));
    const type = random.pick(["i32", "i64", "f64", "bool"] as const);
    const { text, value } = functions.expression(type, 1 + random.below(4));
    for (let i = 0; i < 5; i++) {
      const values = randomArguments(random);
      assertStrictEquals(called(text, type, values), value(values), `${text} of ${shown(values)}`);
    }
  }, draws);
});

Deno.test("loops with locals of every type have the value that plain JavaScript computes", () => {
  const draws = new Draws(operators);
  return forSeeds(fewOr(400, 5000), (random) => {
    const functions = new RandomFunctions(random, (what) => draws.add(what));
    const type = random.pick(["i32", "i64", "f64"] as const);
    const { text, value } = functions.statements(type);
    for (let i = 0; i < 3; i++) {
      const values = randomArguments(random);
      assertStrictEquals(called(text, type, values), value(values), `${text} of ${shown(values)}`);
    }
  }, draws);
});

for (const [name, takes, value] of Object.values(KNOWN).flat()) {
  Deno.test(`${name}() of ${takes.join(", ")} called directly gives what the language does`, () =>
    forSeeds(200, (random) => {
      const args = takes.map((type) => randomNumber(random, type));
      const call = numeric[name as keyof typeof numeric] as (...args: unknown[]) => NumberValue;
      assertStrictEquals(call(...args), value(...args), `${name}(${args.join(", ")})`);
    }));
}

const COLUMNS = {
  i32: { kind: "int", bits: 32, signed: true },
  i64: { kind: "int", bits: 64, signed: true },
  u64: { kind: "int", bits: 64, signed: false },
  f64: { kind: "float", bits: 64 },
  f32: { kind: "float", bits: 32 },
} as const satisfies Record<string, ColumnType>;

const literal = (type: keyof typeof COLUMNS, value: Value): Tree => ({
  node: "literal",
  type: COLUMNS[type],
  value,
});

/** Returns the literal that a call on literals folds to; undefined if it is left as it is. */
function folded(call: Omit<Tree & { node: "call" }, "node">): Value | undefined {
  const tree = foldTree({ node: "call", ...call });
  if (tree.node !== "literal") return undefined;
  assertEquals(tree.type, call.type);
  return tree.value;
}

Deno.test("a call on literals folds to the value that plain JavaScript computes", () =>
  forSeeds(fewOr(200, 2000), (random) => {
    const type = random.pick(["i32", "i64", "f64"] as const);
    const { text, value } = new RandomFunctions(random).expression(type, 3);
    const values = randomArguments(random);
    const [subject, ...args] = Object.entries(PARAMETERS);
    const fn = parseRowFunction({
      name: "drawn",
      kind: "measure",
      subject: subject![1],
      args: Object.fromEntries(args),
      consts: { ...numeric },
      returns: type,
      row: functionOf(text, [subject![0]], args.map(([name]) => name)),
    });
    const literals = Object.entries(PARAMETERS).map(([name, type]) =>
      literal(type, values[name] as Value)
    );
    const [first, ...others] = literals;
    const result = folded({ fn, text: first!, args: others, type: COLUMNS[type] });
    assertStrictEquals(result, value(values) as Value, `${text} of ${shown(values)}`);
  }));

Deno.test("folding keeps the types of results: unsigned, narrow floats, and nulls of strict calls", () => {
  const measure = { name: "op", kind: "measure" } as const;
  const less = parseRowFunction({
    ...measure,
    subject: "u64",
    returns: "u64",
    row: (value: bigint) => value - 1n,
  });
  const most = literal("u64", 2n ** 64n - 1n);
  assertEquals(folded({ fn: less, text: most, args: [], type: COLUMNS.u64 }), 2n ** 64n - 2n);
  const third = parseRowFunction({
    ...measure,
    subject: "f64",
    args: { by: "f64" },
    returns: "f64",
    row: (value: number, { by }: { by: number }) => value / by,
  });
  const [one, three] = [literal("f32", 1), literal("f32", 3)];
  const narrow = folded({ fn: third, text: one, args: [three], type: COLUMNS.f32 });
  assertEquals(narrow, Math.fround(1 / 3));
  const none = parseRowFunction({ ...measure, subject: "i64", returns: "i64", row: () => null });
  const call = { fn: none, text: literal("i64", 1n), args: [], type: COLUMNS.i64 };
  assertEquals(folded(call), null);
  assertEquals(folded({ ...call, strict: true }), undefined);
  const big = literal("i64", 2n ** 53n + 1n);
  const cast: Tree = { node: "cast", value: big, type: COLUMNS.f64 };
  assertEquals(foldTree(cast), literal("f64", 2 ** 53));
});

Deno.test("an intrinsic called directly refuses what it does not take", () => {
  const { addOverflows, toF64, joined } = numeric;
  const refused: [() => unknown, string][] = [
    [
      () => addOverflows(1 as never, 2n),
      "addOverflows takes i64 and i64, and was given number and",
    ],
    [() => toF64("1" as never), "toF64 takes i32 or i64, and was given string"],
    [() => joined(0.5, 1), "joined takes i32 and i32"],
    [() => (toF64 as unknown as () => void)(), "toF64 takes i32 or i64, and was given nothing"],
  ];
  for (const [call, message] of refused) assertThrows(call, TypeError, message);
});

Deno.test("a helper with i64 and f64 takes bigints and numbers, and keeps 64 bits of them", () => {
  const spec = { args: ["i64", "u64"], returns: "i64" } as const;
  const sum = defineHelper({ ...spec, row: (a, b) => a + b });
  assertEquals(sum(2n ** 63n - 1n, 1n), -(2n ** 63n));
  assertEquals(sum(0n, 2n ** 64n - 1n), -1n);
  const same = defineHelper({ args: ["i64"], returns: "i64", row: (a) => a });
  assertEquals([same(2n ** 64n + 5n), same(2n ** 63n)], [5n, -(2n ** 63n)]);
  const half = defineHelper({ args: ["f64"], returns: "f64", row: (a) => a / 2 });
  assertEquals([half(3), half(0.1)], [1.5, 0.05]);
  const twice = defineHelper({
    args: ["f64"],
    returns: "f64",
    consts: { half, factor: 4, bias: 0.25, big: 10n ** 18n, toF64: numeric.toF64 },
    row: (a, { half, factor, bias, big, toF64 }) => half(a) * factor + bias + toF64(big),
  });
  assertEquals(twice(3), 1e18 + 6.25);
  assertThrows(() => sum(1 as never, 1n), TypeError, "wants i64 here");
  assertThrows(() => half(1n as never), TypeError, "wants f64 here");
});

function shown(values: Record<string, NumberValue>): string {
  return Object.entries(values).map(([name, value]) => `${name} = ${value}`).join(", ");
}
