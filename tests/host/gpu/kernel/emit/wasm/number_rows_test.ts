import { assert, assertEquals } from "@std/assert";
import type { HostColumn } from "../../../../../../gpu/column/column.ts";
import type { Scalar, ScalarType, Stmt } from "../../../../../../gpu/kernel/ir/ir.ts";
import { bitRowsOf } from "../../../../../../gpu/kernel/emit/host/bit_rows.ts";
import { flatten } from "../../../../../../gpu/kernel/emit/host/flatten.ts";
import { halve } from "../../../../../../gpu/kernel/halve/halve.ts";
import { someStatement } from "../../../../../../gpu/kernel/ir/visit.ts";
import { binary, convert, not } from "../../../../../../gpu/kernel/ir/scalar.ts";
import {
  RandomBranches,
  RandomCode,
  resultInRow,
  type Row,
} from "../../../../../support/kernels/random_code.ts";
import {
  rowKernel,
  rowOf,
  runAsJavaScript,
  runAsWasm,
  TYPE_OF_SCALAR,
} from "../../../../../support/kernels/wasm_rows.ts";
import { type Answer, bitsOf, draw } from "../../../../../support/models/scalar_model.ts";
import { Draws, forSeeds } from "../../../../../support/random/seeded_random.ts";
import { columnOf, valuesOf } from "../../../../../support/values/host_columns.ts";

/** The types of the columns. */
const TYPES: readonly ScalarType[] = [0, 1].flatMap(() => ["i32", "i64", "f64", "bool"] as const);

for (
  const { what, rounds, sizes, depth } of [
    { what: "any operators", rounds: 40, sizes: [0, 7, 8, 9, 300, 4095, 4096, 8200], depth: 3 },
    { what: "many branches", rounds: 400, sizes: [1, 8, 31, 64], depth: 1 },
  ]
) {
  Deno.test(`code of ${what} has the value of each row, whatever lies below nulls`, () =>
    judge(rounds, sizes, depth));
}

function judge(rounds: number, sizes: readonly number[], depth: number): Promise<void> {
  const draws = new Draws([
    ...["null by column", "null by value", "computed", "branches", "no branches", "bits"],
  ]);
  return forSeeds(rounds, (random) => {
    const code = new RandomCode(TYPES.map(rowOf), random);
    const type = random.pick(TYPES);
    const size = random.pick(sizes);
    const rate = random.pick([0, 0.3]);
    const nullable = TYPES.map(() => random.chance(rate));
    const rows = Array.from(
      { length: size },
      (): Row =>
        TYPES.map((of, column) => nullable[column] && random.chance(0.2) ? null : draw(of, random)),
    );
    const columns = TYPES.map((of, column) =>
      columnOf(TYPE_OF_SCALAR[of], rows.map((row) => row[column]!), { random })
    );
    const tested = columns.flatMap(({ validity }, column) => validity === null ? [] : [column]);
    const nulls = tested.map((column) => nullUnless(isValid(column)));
    // So it runs as WebAssembly.
    const worth = binary("+", rowOf("i64", 1), rowOf("i64", 1));
    const body: Stmt[] = [...nulls, { do: "let", name: "worth", type: "i64", value: worth }];
    const locals = random.below(4);
    for (let i = 0; i < locals; i++) {
      const value = code.scalar(random.pick(TYPES), depth);
      body.push({ do: "let", name: `x${i}`, type: value.type, value });
      code.locals.push({ op: "local", type: value.type, name: `x${i}` });
      if (random.chance(0.4)) body.push(nullUnless(code.scalar("bool", 2)));
    }
    const hasBranches = random.chance(0.6);
    const branches = new RandomBranches(code, type, depth, random);
    body.push(...hasBranches ? branches.statements(3, []) : [], branches.end());
    const kernel = rowKernel(body, columns.map((column) => column.type), TYPE_OF_SCALAR[type]);
    const wanted = rows.map((row) => resultInRow(body, row));
    const bits = (value: Answer | null) => typeof value === "number" ? bitsOf(value) : value;
    for (const run of [runAsWasm, runAsJavaScript]) {
      const result = run(kernel, columns, size);
      assertEquals((valuesOf(result) as Answer[]).map(bits), wanted.map(bits), run.name);
      assertEquals(result.nullCount, wanted.filter((value) => value === null).length);
      assertClear(result);
    }
    const isByColumn = (row: Row) => tested.some((column) => row[column] === null);
    if (rows.some(isByColumn)) draws.add("null by column");
    if (rows.some((row, i) => wanted[i] === null && !isByColumn(row))) draws.add("null by value");
    if (wanted.some((value) => value !== null)) draws.add("computed");
    if (someStatement(body.slice(nulls.length), (stmt) => stmt.do === "if")) {
      draws.add(flatten(kernel) === null ? "branches" : "no branches");
    }
    if (bitRowsOf(halve(kernel, { hasFloats: true })) !== null) draws.add("bits");
  }, draws);
}

Deno.test("what follows a break counts only in the rows that get there", () => {
  const [test, x] = [rowOf("bool", 0), { op: "local", type: "i64", name: "x" } as const];
  const kernel = rowKernel(
    [
      { do: "let", name: "x", type: "i64", value: rowOf("i64", 1) },
      {
        do: "block",
        label: "b",
        body: [
          { do: "if", test, then: [{ do: "break", label: "b" }], else: [] },
          { do: "set", name: "x", value: binary("+", x, x) },
        ],
      },
      { do: "result", words: [x] },
    ],
    [TYPE_OF_SCALAR.bool, TYPE_OF_SCALAR.i64],
    TYPE_OF_SCALAR.i64,
  );
  const columns = [
    columnOf(TYPE_OF_SCALAR.bool, [true, false]),
    columnOf(TYPE_OF_SCALAR.i64, [5n, 5n]),
  ];
  assert(flatten(kernel) !== null);
  assertEquals(valuesOf(runAsWasm(kernel, columns, 2)), [5n, 10n]);
});

Deno.test("the bits of a float that bits made are those of the one NaN", () => {
  const float = convert("bits", "f64", rowOf("i64", 0));
  const kernel = rowKernel(
    [{ do: "result", words: [convert("bits", "i64", float)] }],
    [TYPE_OF_SCALAR.i64],
    TYPE_OF_SCALAR.i64,
  );
  const columns = [columnOf(TYPE_OF_SCALAR.i64, [-1n, 1n])];
  for (const run of [runAsWasm, runAsJavaScript]) {
    assertEquals(valuesOf(run(kernel, columns, 2)), [0x7ff8n << 48n, 1n], run.name);
  }
});

function isValid(column: number): Scalar {
  return { op: "valid", type: "bool", column };
}

function nullUnless(test: Scalar): Stmt {
  return { do: "if", test: not(test), then: [{ do: "null" }], else: [] };
}

/** Asserts that nothing is below nulls, so that equal rows are equal bytes. */
function assertClear({ type, validity, data, length }: HostColumn): void {
  const width = type.kind === "bool" ? 0 : data.length / length;
  for (let row = 0; row < length; row++) {
    if (validity === null || ((validity[row >> 3]! >> (row & 7)) & 1) === 1) continue;
    const below = width === 0
      ? [(data[row >> 3]! >> (row & 7)) & 1]
      : [...data.subarray(row * width, (row + 1) * width)];
    assertEquals(below.filter((byte) => byte !== 0), [], `row ${row}`);
  }
}
