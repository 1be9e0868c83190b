import { assertEquals, assertThrows } from "@std/assert";
import { type DataType, Int64, Uint32, Uint64, Utf8 } from "apache-arrow";
import type { ColumnType } from "../../../gpu/column/column.ts";
import { OverflowError } from "../../../gpu/errors.ts";
import type { ExampleValue } from "../../../ops/string/example.ts";
import { evaluateAround } from "../../support/evaluate_around.ts";
import { columnOf, stringColumn, type Value, valuesOf } from "../../support/host_columns.ts";
import { compileProgram } from "../../support/programs.ts";
import { textModel } from "../../support/text_model.ts";
import { testKernels } from "../../support/test_kernels.ts";

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
