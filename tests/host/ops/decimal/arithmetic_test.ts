import { assertEquals } from "@std/assert";
import * as arrow from "apache-arrow";
import { valueAt } from "../../../../gpu/column/value_at.ts";
import { columnTypeOf, typeName } from "../../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { compileExprs } from "../../../../ops/expr/compile_exprs.ts";
import { parseExpr } from "../../../../ops/expr/parse.ts";
import { refusedRows } from "../../../support/kernels/refused_rows.ts";
import {
  type Decimal,
  FAILS,
  inShape,
  order,
  plus,
  productShape,
  rounded,
  type Rounding,
  type Shape,
  sumShape,
  textOf,
  times,
} from "../../../support/models/decimal_model.ts";
import { shapeOf, typeOf, unscaledOf } from "../../../support/random/random_decimals.ts";
import { Draws, forSeeds, type SeededRandom } from "../../../support/random/seeded_random.ts";
import { fewOr } from "../../../support/random/test_size.ts";
import { columnOf, type Value } from "../../../support/values/host_columns.ts";

/** A column of decimals or integers. */
interface Drawn {
  readonly type: arrow.DataType;
  readonly shape: Shape;
  readonly values: readonly (bigint | null)[];
}

const INTEGERS = [
  [new arrow.Int8(), { precision: 3, scale: 0 }, 7],
  [new arrow.Int32(), { precision: 10, scale: 0 }, 31],
  [new arrow.Uint32(), { precision: 10, scale: 0 }, 32],
  [new arrow.Int64(), { precision: 19, scale: 0 }, 63],
  [new arrow.Uint64(), { precision: 20, scale: 0 }, 64],
] as const;

function column(random: SeededRandom, numRows: number, like?: Shape): Drawn {
  const shape = like ?? shapeOf(random);
  const nulls = random.pick([0, 0.2]);
  const values = Array.from(
    { length: numRows },
    () => random.chance(nulls) ? null : unscaledOf(random, shape),
  );
  return { type: typeOf(random, shape), shape, values };
}

function integers(random: SeededRandom, numRows: number): Drawn {
  const [type, shape, bits] = random.pick(INTEGERS);
  const isSigned = type.isSigned;
  const values = Array.from({ length: numRows }, () => {
    const drawn = unscaledOf(random, shape);
    return isSigned ? BigInt.asIntN(bits + 1, drawn) : BigInt.asUintN(bits, drawn);
  });
  return { type, shape, values };
}

/** The values of an expression over columns, the type, and the rows that a strict call refuses. */
function evaluate(text: string, columns: Readonly<Record<string, Drawn>>) {
  const fields = Object.entries(columns).map(([name, { type }]) =>
    new arrow.Field(name, type, true)
  );
  const given = Object.values(columns).map(({ type, values }) => {
    const physical = columnTypeOf(type);
    const isWide = physical.kind === "fixed" || (physical.kind === "int" && physical.bits === 64);
    const own = values.map((value) => value === null || isWide ? value : Number(value));
    return columnOf(physical, own as Value[]);
  });
  const bound = bindExpr(parseExpr(text), new arrow.Schema(fields));
  const names = Object.keys(columns);
  const compiled = compileExprs([bound], { names });
  const numRows = given[0]!.length;
  const operands = compiled.inputs.map((index) => given[index]!);
  const { columns: [result], refused } = refusedRows(compiled, operands, numRows);
  return {
    type: typeName(bound.type),
    values: Array.from({ length: numRows }, (_, row) => valueAt(result!, row)),
    refused,
    checked: compiled.checked,
  };
}

type Result = Value | typeof FAILS;

/** Checks an expression against what a model makes of the decimals of each row. */
function check(
  text: string,
  columns: Readonly<Record<string, Drawn>>,
  type: string,
  model: (...row: Decimal[]) => Result,
): readonly Result[] {
  const drawn = Object.values(columns);
  const expected = drawn[0]!.values.map((_, row): Result => {
    const given = drawn.map(({ values }) => values[row]!);
    if (given.includes(null!)) return null;
    return model(...given.map((unscaled, k) => ({ unscaled, scale: drawn[k]!.shape.scale })));
  });
  const found = evaluate(text, columns);
  const about = `${text} of ${drawn.map(({ type }) => typeName(type)).join(" and ")}`;
  assertEquals(found.type, type, about);
  for (const [row, value] of expected.entries()) {
    const given = drawn.map(({ values }) => values[row]).join(" and ");
    assertEquals(found.values[row], value === FAILS ? null : value, `${about}: ${given}`);
    assertEquals(found.refused.includes(row), value === FAILS, `${about}, refused: ${given}`);
  }
  const lenient = evaluate(`(${text}).orNull()`, columns);
  assertEquals(lenient.values, found.values, about);
  assertEquals(lenient.checked, undefined, about);
  return expected;
}

const nameOf = ({ precision, scale }: Shape) => `decimal128(${precision}, ${scale})`;

const sums = new Draws(["a sum fails", "a sum of 38 digits", "a product fails", "integers"]);

Deno.test("sums and products of decimals and integers are exact, or refused", () =>
  forSeeds(fewOr(10, 600), (random) => {
    const numRows = random.pick([1, 9, 40]);
    const a = column(random, numRows);
    const isWhole = random.chance(0.3);
    const b = isWhole
      ? integers(random, numRows)
      : column(random, numRows, random.chance(0.3) ? a.shape : undefined);
    const [left, right] = random.chance(0.5) ? [a, b] : [b, a];
    if (isWhole) sums.add("integers");
    const columns = { a: left, b: right };
    const sum = sumShape(left.shape, right.shape);
    const negative = (value: Decimal) => ({ ...value, unscaled: -value.unscaled });
    const found = [
      ...check("a + b", columns, nameOf(sum), (x, y) => inShape(plus(x, y), sum)),
      ...check("a - b", columns, nameOf(sum), (x, y) => inShape(plus(x, negative(y)), sum)),
    ];
    if (found.includes(FAILS)) sums.add("a sum fails");
    if (found.some((value) => typeof value === "bigint" && `${value}`.length >= 38)) {
      sums.add("a sum of 38 digits");
    }
    const product = productShape(left.shape, right.shape);
    if (product.scale > 38) return;
    const products = check(
      "a * b",
      columns,
      nameOf(product),
      (x, y) => inShape(times(x, y), product),
    );
    if (products.includes(FAILS)) sums.add("a product fails");
  }, sums));

const OPERATORS: Readonly<Record<string, (order: bigint) => boolean>> = {
  "==": (order) => order === 0n,
  "!=": (order) => order !== 0n,
  "<": (order) => order < 0n,
  "<=": (order) => order <= 0n,
  ">": (order) => order > 0n,
  ">=": (order) => order >= 0n,
};

const orders = new Draws(["equal", "of other scales"]);

Deno.test("decimals compare exactly across scales, and with integers", () =>
  forSeeds(fewOr(10, 600), (random) => {
    const numRows = random.pick([1, 9, 40]);
    const a = column(random, numRows);
    const b = random.chance(0.3) ? integers(random, numRows) : column(random, numRows);
    // Half of the rows are equal where that is possible.
    const values = b.values.map((value, row) => {
      const other = a.values[row];
      if (value === null || other === null || other === undefined || random.chance(0.5)) {
        return value;
      }
      if (!arrow.DataType.isDecimal(b.type)) return value;
      const same = inShape({ unscaled: other, scale: a.shape.scale }, b.shape);
      if (same === FAILS) return value;
      orders.add("equal");
      if (a.shape.scale !== b.shape.scale) orders.add("of other scales");
      return same;
    });
    for (const [operator, holds] of Object.entries(OPERATORS)) {
      const columns = { a, b: { ...b, values } };
      check(`a ${operator} b`, columns, "bool", (x, y) => holds(order(x, y)));
      check(`b ${operator} a`, columns, "bool", (x, y) => holds(order(y, x)));
    }
  }, orders));

const ROUNDINGS: Readonly<Record<string, Rounding>> = {
  "floor()": "floor",
  "ceil()": "ceil",
  "trunc()": "trunc",
};

Deno.test("decimals are rounded exactly, and keep their digits", () =>
  forSeeds(fewOr(10, 600), (random) => {
    const a = column(random, random.pick([1, 9, 40]));
    const { precision, scale } = a.shape;
    const shapeAt = (places: number, carry: number): Shape => {
      if (places >= scale) return a.shape;
      const behind = Math.max(0, places);
      return {
        precision: Math.min(38, Math.max(1, precision - scale + carry + behind)),
        scale: behind,
      };
    };
    for (const [call, how] of Object.entries(ROUNDINGS)) {
      const shape = shapeAt(0, how === "trunc" ? 0 : 1);
      check(`a.${call}`, { a }, nameOf(shape), (x) => inShape(rounded(x, 0, how), shape));
    }
    const places = random.pick([0, 1, 2, scale - 1, -1, -random.below(18)]);
    const digits = Math.max(-18, Math.min(22, places));
    const shape = shapeAt(digits, 1);
    check(
      `a.round(${digits})`,
      { a },
      nameOf(shape),
      (x) => inShape(rounded(x, digits, "away"), shape),
    );
    check(
      `a.round(${digits}, { ties: "even" })`,
      { a },
      nameOf(shape),
      (x) => inShape(rounded(x, digits, "even"), shape),
    );
    check("-a", { a }, nameOf(a.shape), ({ unscaled }) => -unscaled);
    check(
      "a.abs()",
      { a },
      nameOf(a.shape),
      ({ unscaled }) => unscaled < 0n ? -unscaled : unscaled,
    );
    check("a.sign()", { a }, "int32", ({ unscaled }) => unscaled < 0n ? -1 : unscaled > 0n ? 1 : 0);
  }));

const casts = new Draws(["fits", "does not fit", "a long division"]);

Deno.test("decimals are cast exactly, or refused; a float is the nearest one", () =>
  forSeeds(fewOr(5, 400), (random) => {
    const a = column(random, random.pick([1, 9, 40]));
    const to = shapeOf(random);
    const { precision, scale } = to;
    const cast = (type: string) => `a.cast("${type}")`;
    const found = check(
      cast(`decimal(${precision}, ${scale})`),
      { a },
      nameOf(to),
      (x) => inShape(x, to),
    );
    casts.add(found.includes(FAILS) ? "does not fit" : "fits");
    const [type, , bits] = random.pick(INTEGERS);
    check(cast(typeName(type)), { a }, typeName(type), (x) => {
      const whole = inShape(x, { precision: 38, scale: 0 });
      if (whole === FAILS) return FAILS;
      const least = type.isSigned ? -(2n ** BigInt(bits)) : 0n;
      if (whole < least || whole >= 2n ** BigInt(bits)) return FAILS;
      return bits > 32 ? whole : Number(whole);
    });
    check(cast("string"), { a }, "string", textOf);
    check(
      `${cast("string")}.cast("${nameOf(a.shape)}")`,
      { a },
      nameOf(a.shape),
      (x) => x.unscaled,
    );
    check(
      `a.cast("string", { decimal: "," }).cast("${nameOf(a.shape)}", { decimal: "," })`,
      { a },
      nameOf(a.shape),
      (x) => x.unscaled,
    );
    if (a.shape.scale > 22) casts.add("a long division");
    check(cast("float64"), { a }, "float64", (x) => Number(textOf(x)));
    const whole = integers(random, 9);
    check(
      cast(`decimal(${precision}, ${scale})`),
      { a: whole },
      nameOf(to),
      (x) => inShape(x, to),
    );
  }, casts));
