import { add, SUMMED } from "../../../../support/kernels/sums.ts";
import { assertEquals } from "@std/assert";
import type { ColumnType } from "../../../../../gpu/column/column.ts";
import { partitionIntoKernels } from "../../../../../gpu/kernel/partition/partition.ts";
import type { CompareOp, Tree } from "../../../../../gpu/kernel/tree/tree.ts";
import { evaluateAround } from "../../../../support/kernels/evaluate_around.ts";
import { evaluateTree } from "../../../../support/models/evaluate_tree.ts";
import { columnOf, type Value, valuesOf } from "../../../../support/values/host_columns.ts";
import {
  BOOL,
  cast,
  choose,
  column,
  compare,
  fillNull,
  literal,
} from "../../../../support/kernels/trees.ts";
import { testKernels } from "../../../../support/kernels/test_kernels.ts";

const INTS: ColumnType[] = ([8, 16, 32, 64] as const).flatMap((bits) =>
  [true, false].map((signed) => ({ kind: "int" as const, bits, signed }))
);
const FLOATS: ColumnType[] = ([16, 32, 64] as const).map((bits) => ({ kind: "float", bits }));

function edgesOf(type: ColumnType): Value[] {
  if (type.kind === "float") {
    const small = type.bits === 16 ? 2 ** -24 : type.bits === 32 ? 2 ** -149 : 2 ** -1074;
    return [0, -0, 1, -1, 1.5, -2.5, small, -small, Infinity, -Infinity, NaN, null, 0.1, 60_000];
  }
  if (type.kind !== "int") return [];
  const low = type.signed ? -(2n ** BigInt(type.bits - 1)) : 0n;
  const high = low + 2n ** BigInt(type.bits) - 1n;
  const wide = [low, low + 1n, high, high - 1n, 0n, 1n, 2n, high / 2n, high / 2n + 1n, 100n];
  if (type.signed) wide.push(-1n, -2n, low / 2n - 1n);
  if (type.bits === 64) wide.push(2n ** 32n - 1n, 2n ** 32n, 2n ** 31n, 2n ** 53n + 1n);
  return [...(type.bits === 64 ? wide : wide.map(Number)), null];
}

/** Every pair of edges, in two columns. */
function pairs(type: ColumnType): [Value[], Value[]] {
  const edges = edgesOf(type);
  const both = edges.flatMap((left) => edges.map((right) => [left, right] as const));
  return [both.map(([left]) => left), both.map(([, right]) => right)];
}

function check(tree: Tree, types: ColumnType[], values: Value[][], what: string): void {
  const numRows = values[0]?.length ?? 0;
  const columns = types.map((type, index) => columnOf(type, values[index] ?? []));
  const rows = Array.from(
    { length: numRows },
    (_, row) => columns.map((item) => valuesOf(item)[row] ?? null),
  );
  const program = partitionIntoKernels(types, [{ label: "result", tree }]);
  const [result] = evaluateAround(program, columns, numRows, testKernels());
  const wanted = rows.map((row) => evaluateTree(tree, row));
  assertEquals(result && valuesOf(result), wanted, what);
}

const name = (type: ColumnType) =>
  type.kind === "int"
    ? `${type.signed ? "" : "u"}int${type.bits}`
    : `float${"bits" in type && type.bits}`;

for (const type of [...INTS, ...FLOATS]) {
  Deno.test(`${name(type)}: every comparison of edges is right`, () => {
    for (const op of ["==", "!=", "<", "<=", ">", ">="] satisfies CompareOp[]) {
      check(compare(op, column(0, type), column(1, type)), [type, type], pairs(type), op);
    }
  });

  Deno.test(`${name(type)}: choices keep every bit of the value`, () => {
    const test = compare("<", column(0, type), column(1, type));
    const chosen = choose(test, column(0, type), fillNull(column(1, type), column(0, type)));
    check(chosen, [type, type], pairs(type), "choose");
  });

  Deno.test(`${name(type)}: constants keep every bit of the value`, () => {
    const values = [edgesOf(type)];
    // As the type has them: 0.1 is another number in 32 bits.
    for (const value of valuesOf(columnOf(type, edgesOf(type)))) {
      if (value === null) continue;
      const constant = literal(value as number, type);
      const isSame = compare("==", column(0, type), constant);
      check(isSame, [type], values, `== ${value}`);
      check(choose(isSame, column(0, type), constant), [type], values, `choose ${value}`);
      check(fillNull(column(0, type), constant), [type], values, `fillNull ${value}`);
    }
  });
}

for (const type of SUMMED) {
  Deno.test(`${name(type)}: sums of edges are right, or null where an integer overflows`, () => {
    const sum = add(column(0, type), column(1, type));
    check(sum, [type, type], pairs(type), "sum");
    check(compare("<", sum, column(0, type)), [type, type], pairs(type), "sum < left");
  });
}

for (const from of INTS) {
  for (const to of INTS) {
    const isWider = from.kind === "int" && to.kind === "int" && from.bits < to.bits &&
      (to.signed || !from.signed);
    const isSaturating = name(to) === "int32" && name(from) !== "int32";
    if (!isWider && !isSaturating) continue;
    Deno.test(`cast from ${name(from)} to ${name(to)} keeps the value or takes the nearest`, () =>
      check(cast(column(0, from), to), [from], [edgesOf(from)], "cast"));
  }
}

Deno.test("cast from float32 to float64 is exact", () => {
  const [, float32, float64] = FLOATS;
  if (float32 === undefined || float64 === undefined) throw new Error("Three formats exist");
  check(cast(column(0, float32), float64), [float32], [edgesOf(float32)], "cast");
});

Deno.test("bool: comparisons of true and false are right", () => {
  const values: [Value[], Value[]] = [
    [true, true, false, false, null, true],
    [true, false, true, false, true, null],
  ];
  for (const op of ["==", "!=", "<", "<=", ">", ">="] satisfies CompareOp[]) {
    check(compare(op, column(0, BOOL), column(1, BOOL)), [BOOL, BOOL], values, op);
  }
});
