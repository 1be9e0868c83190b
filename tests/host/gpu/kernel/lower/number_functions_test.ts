import { assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import { numeric } from "../../../../../gpu/kernel/fold/numeric.ts";
import { parseRowFunction } from "../../../../../gpu/kernel/parse/parse_row_function.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import type { Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";
import {
  functionOf,
  KNOWN,
  type NumberType,
  OPERATORS,
  PARAMETERS,
  randomArguments,
  RandomFunctions,
  type Values,
} from "../../../../support/random/random_number_functions.ts";
import { Draws, forSeeds } from "../../../../support/random/seeded_random.ts";
import { fewOr } from "../../../../support/random/test_size.ts";
import { columnOf, valuesOf } from "../../../../support/values/host_columns.ts";

const TYPES: Readonly<Record<NumberType, ColumnType>> = {
  i32: { kind: "int", bits: 32, signed: true },
  i64: { kind: "int", bits: 64, signed: true },
  f64: { kind: "float", bits: 64 },
  bool: { kind: "bool" },
};

const [subject, ...args] = Object.entries(PARAMETERS);
const inputs = [subject!, ...args].map(([, type]) => TYPES[type]);

/** Returns what a row function computes of rows, as JavaScript and as WebAssembly. */
function computed(text: string, returns: NumberType, rows: readonly Values[]) {
  const fn = parseRowFunction({
    name: "drawn",
    kind: "measure",
    subject: subject![1],
    args: Object.fromEntries(args),
    consts: { ...numeric },
    returns,
    row: functionOf(text, [subject![0]], args.map(([name]) => name)),
  });
  const [first, ...others] = inputs.map((type, index): Tree => ({ node: "column", index, type }));
  const tree: Tree = { node: "call", fn, text: first!, args: others, type: TYPES[returns] };
  const program = partitionIntoKernels(inputs, [{ label: "drawn", tree }]);
  const columns = Object.keys(PARAMETERS).map((name, index) =>
    columnOf(inputs[index]!, rows.map((values) => values[name]!))
  );
  return valuesOf(evaluateAround(program, columns, rows.length, testKernels())[0]!);
}

const kinds = [
  ...Object.values(KNOWN).flatMap((all) => all.map(([name, [type]]) => `${name} of ${type}`)),
  ...Object.entries(OPERATORS).flatMap(([type, all]) =>
    Object.keys(all).map((name) => `${type} ${name}`)
  ),
];

Deno.test("a kernel of numbers computes what plain JavaScript does, on every target of the host", () => {
  const draws = new Draws(kinds);
  return forSeeds(fewOr(60, 1500), (random) => {
    const functions = new RandomFunctions(random, (what) => draws.add(what));
    const isLoop = random.chance(0.4);
    const returns = random.pick(["i32", "i64", "f64"] as const);
    const { text, value } = isLoop
      ? functions.statements(returns)
      : functions.expression(returns, 1 + random.below(4));
    const rows = Array.from({ length: 9 }, () => randomArguments(random));
    assertEquals(computed(text, returns, rows), rows.map((values) => value(values)), text);
  }, draws);
});
