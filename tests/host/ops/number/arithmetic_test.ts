import { assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { valueAt } from "../../../../gpu/column/value_at.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { col, type Expr, printExpr } from "../../../../ops/expr/expr.ts";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { refusedRows } from "../../../support/kernels/refused_rows.ts";
import {
  ARITHMETIC,
  arithmeticOf,
  computedType,
  FAILS,
  resultTypeOf,
} from "../../../support/models/arithmetic_model.ts";
import { compareValues } from "../../../support/models/number_model.ts";
import {
  type Drawn,
  operandOf,
  type Table,
  tableOf,
  TYPES,
  valueOf,
} from "../../../support/random/random_operands.ts";
import { Draws, forSeeds } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import { columnOf, type Value } from "../../../support/values/host_columns.ts";

/** The values of an expression, as JavaScript and WebAssembly at several places compute it. */
function evaluate(expr: Expr, { schema, columns }: Table, fuse: boolean) {
  const numRows = columns[0]!.length;
  const names = schema.fields.map(({ name }) => name);
  const bound = bindExpr(expr, schema);
  const compiled = compileExprs([bound], { fuse, names });
  const operands = compiled.inputs.map((index) => columns[index]!);
  const { columns: [result], refused } = refusedRows(compiled, operands, numRows);
  return {
    type: bound.type,
    checked: compiled.checked,
    values: Array.from({ length: numRows }, (_, row) => valueAt(result!, row)),
    refused,
  };
}

/** The operation of a name, as a call of the method. */
function call(name: string, [left, right]: readonly Expr[]): Expr {
  const method = (left as unknown as Record<string, (...args: Expr[]) => Expr>)[name]!;
  return right === undefined ? method.call(left) : method.call(left, right);
}

const ALL = [
  ...["Int64", "Uint64", "Float32", "Float64"],
  ...["refused", "a row fails", "a row of uint64 fails", "a literal"],
];

/** What never happens to an operation, or too seldom. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  div: ["Int64", "Uint64", "refused", "a row fails", "a row of uint64 fails"],
  neg: ["refused", "a literal"],
  pow: ["refused"],
  bitNot: ["Float32", "Float64", "a row fails", "a row of uint64 fails", "a literal"],
  ...Object.fromEntries(
    ["bitAnd", "bitOr", "bitXor"].map((name) => [
      name,
      ["Float32", "Float64", "a row fails", "a row of uint64 fails"],
    ]),
  ),
  shiftLeft: ["Float32", "Float64"],
  shiftRight: ["Float32", "Float64"],
};

/** The rows of an operation by the model, and those that fail. */
function expectedOf(name: string, type: arrow.DataType, operands: readonly Drawn[]) {
  const fails: number[] = [];
  const values = operands[0]!.values.map((_, row) => {
    const given = operands.map(({ values }) => values[row]!);
    if (given.includes(null!)) return null;
    const value = arithmeticOf(name, type, given);
    if (value !== FAILS) return value;
    fails.push(row);
    return null;
  });
  return { values, fails };
}

/** Whether a whole number is divided by a literal 0. */
function isByZero(name: string, type: arrow.DataType, { literal }: Drawn): boolean {
  return arrow.DataType.isInt(type) && ["rem", "mod", "floorDiv"].includes(name) &&
    literal !== undefined && Number(literal) === 0;
}

/** Whether a whole quotient of more digits than a float divides exactly is one of the nearest, as in Python. */
function isNear(found: Value, expected: Value): boolean {
  if (typeof found !== "number" || typeof expected !== "number") return false;
  return Math.abs(expected) > 2 ** 51 && Math.abs(found / expected - 1) < 2 ** -50;
}

for (const name of ARITHMETIC) {
  const draws = new Draws(ALL.filter((kind) => !NEVER[name]?.includes(kind)));
  Deno.test(`${name} of numbers of any types agrees with the model`, () =>
    forSeeds(fewOr(25, 400), (random) => {
      const numRows = random.pick([1, 7, 33, 100]);
      const isUnary = name === "neg" || name === "bitNot";
      const left = operandOf(random, "a", numRows, !isUnary);
      const isAlike = left.literal === undefined && random.chance(0.3);
      const right = operandOf(
        random,
        "b",
        numRows,
        !isAlike && left.literal === undefined,
        isAlike ? left.type : undefined,
      );
      const operands = isUnary ? [left] : [left, right];
      const expr = call(name, operands.map(({ expr }) => expr));
      const table = tableOf(operands);
      const type = computedType(name, operands);
      if (type === undefined || isByZero(name, type, right)) {
        draws.add("refused");
        assertThrows(() => bindExpr(expr, table.schema), ExprError);
        return;
      }
      draws.add(String(type));
      const { values, fails } = expectedOf(name, type, operands);
      if (operands.some(({ literal }) => literal !== undefined)) draws.add("a literal");
      if (fails.length > 0) draws.add("a row fails");
      if (fails.length > 0 && String(type) === "Uint64") draws.add("a row of uint64 fails");
      const asExpected = (value: Value, row: number) =>
        name === "floorDiv" && isNear(value, values[row]!) ? values[row]! : value;
      for (const fuse of [true, false]) {
        const found = evaluate(expr, table, fuse);
        const what = `${printExpr(expr)} of ${operands.map(({ type }) => type)}, fuse: ${fuse}`;
        assertEquals(String(found.type), String(resultTypeOf(name, type)), what);
        assertEquals(found.values.map(asExpected), values, what);
        assertEquals(found.refused, fails, what);
        const lenient = evaluate(expr.orNull(), table, fuse);
        assertEquals([lenient.values.map(asExpected), lenient.checked], [values, undefined], what);
      }
    }, draws));
}

const COMPARE = { eq: "==", ne: "!=", lt: "<", le: "<=", gt: ">", ge: ">=" } as const;

Deno.test("columns of numbers of any two types compare exactly", () =>
  forSeeds(fewOr(60, 600), (random) => {
    const types = TYPES.filter((type) => !(arrow.DataType.isFloat(type) && type.precision === 0));
    const numRows = 60;
    const drawn = ["a", "b"].map((name): Drawn => {
      const type = random.pick(types);
      const values = Array.from(
        { length: numRows },
        () => random.chance(0.1) ? null : valueOf(random, type),
      );
      return { expr: col(name), type, values };
    });
    const table = tableOf(drawn);
    const [left, right] = drawn as [Drawn, Drawn];
    for (const name of Object.keys(COMPARE) as (keyof typeof COMPARE)[]) {
      const { values } = evaluate(left.expr[name](right.expr), table, random.chance(0.5));
      const expected = left.values.map((a, row) => {
        const b = right.values[row]!;
        if (a === null || b === null) return null;
        const order = compareValues(a, b);
        const holds = {
          eq: order === 0,
          ne: order !== 0,
          lt: order < 0,
          le: order <= 0,
          gt: order > 0,
          ge: order >= 0,
        };
        return holds[name];
      });
      assertEquals(values, expected, `${left.type} ${COMPARE[name]} ${right.type}`);
    }
  }));

Deno.test("a branch that is not taken fails nothing", () => {
  const values = { a: [7, 8, 9, null], b: [0, 2, 0, 0] };
  const schema = new arrow.Schema(
    ["a", "b"].map((name) => new arrow.Field(name, new arrow.Int64(), true)),
  );
  const columns = Object.values(values).map((rows) =>
    columnOf({ kind: "int", bits: 64, signed: true }, rows)
  );
  const table = { schema, columns };
  const rest = col("a").rem(col("b"));
  const isZero = col("b").eq(0);
  assertEquals(evaluate(isZero.ifElse(null, rest), table, true).refused, []);
  assertEquals(evaluate(isZero.not().and(rest.eq(0)), table, true).refused, []);
  assertEquals(evaluate(isZero.or(rest.eq(0)), table, true).refused, []);
  assertEquals(evaluate(col("b").fillNull(rest), table, true).refused, []);
  assertEquals(evaluate(isZero.ifElse(rest, 1), table, true).refused, [0, 2]);
  assertEquals(evaluate(isZero.and(rest.eq(0)), table, false).refused, [0, 2]);
  assertEquals(evaluate(rest.eq(0).and(isZero.not()), table, false).refused, [0, 2]);
  assertEquals(evaluate(col("a").orNull().fillNull(rest), table, true).refused, []);
});
