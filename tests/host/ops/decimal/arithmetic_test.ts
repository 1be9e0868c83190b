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
  quotient,
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

Deno.test("a sum has 38 digits at most, though an operand has more at its scale", () => {
  const [whole, behind] = [{ precision: 38, scale: 0 }, { precision: 38, scale: 37 }];
  const one = 10n ** 37n;
  const rows = [[15n, -6n * one], [-15n, 6n * one], [19n, -99n * one / 10n], [
    20n,
    -99n * one / 10n,
  ]];
  const more = [[10n, -1n], [10n, 0n], [9n, 99n * one / 100n], [9n, one], [-10n, 1n], [0n, -one]];
  const values = [...rows, ...more];
  const a = { type: new arrow.Decimal(0, 38, 128), shape: whole, values: values.map(([x]) => x!) };
  const b = {
    type: new arrow.Decimal(37, 38, 128),
    shape: behind,
    values: values.map(([, y]) => y!),
  };
  const sum = sumShape(whole, behind);
  const opposite = { ...b, values: b.values.map((value) => -value) };
  const added = (x: Decimal, y: Decimal) => inShape(plus(x, y), sum);
  const found = check("a + b", { a, b }, nameOf(sum), added);
  assertEquals(found.filter((value) => value === FAILS).length, 3);
  check("b + a", { b, a }, nameOf(sum), added);
  check(
    "a - b",
    { a, b: opposite },
    nameOf(sum),
    (x, y) => added(x, { ...y, unscaled: -y.unscaled }),
  );
  // Nor may a sum wrap of numbers that a file has, though they have more digits than they may.
  const most = { ...a, values: [2n ** 127n - 1n, -(2n ** 127n)] };
  check("a + b", { a: most, b: most }, nameOf(sumShape(whole, whole)), () => FAILS);
  check("a * b", { a: most, b: most }, nameOf(productShape(whole, whole)), () => FAILS);
});

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

const divisions = new Draws(["by 0", "exists", "does not exist", "with digits that follow"]);

Deno.test("quotients and remainders of decimals are exact, and rounded once", () =>
  forSeeds(fewOr(10, 600), (random) => {
    const numRows = random.pick([1, 9, 40]);
    const a = column(random, numRows);
    const b = random.chance(0.3) ? integers(random, numRows) : column(random, numRows);
    const [left, right] = random.chance(0.7) ? [a, b] : [b, a];
    const columns = { a: left, b: right };
    const scale = Math.max(left.shape.scale, right.shape.scale);
    const whole = ({ precision, scale }: Shape) => precision - scale;
    const note = (found: readonly Result[]) =>
      found.forEach((value) => divisions.add(value === FAILS ? "does not exist" : "exists"));
    // Operands that have more than 38 digits at one scale are refused.
    const isWide = (x: Decimal) =>
      inShape({ unscaled: x.unscaled * 10n ** BigInt(scale - x.scale), scale: 0 }, {
        precision: 38,
        scale: 0,
      }) === FAILS;
    const divided =
      (shape: Shape, compute: (x: Decimal, y: Decimal) => Decimal) => (x: Decimal, y: Decimal) => {
        if (y.unscaled === 0n) divisions.add("by 0");
        return y.unscaled === 0n || isWide(x) || isWide(y) ? FAILS : inShape(compute(x, y), shape);
      };
    const rest = (how: Rounding) => (x: Decimal, y: Decimal) =>
      plus(x, times({ ...y, unscaled: -y.unscaled }, quotient(x, y, 0, how)));
    const rem = {
      precision: Math.min(38, Math.max(whole(left.shape), whole(right.shape)) + scale),
      scale,
    };
    note(check("a % b", columns, nameOf(rem), divided(rem, rest("trunc"))));
    note(check("a.mod(b)", columns, nameOf(rem), divided(rem, rest("floor"))));
    const digits = Math.max(1, whole(left.shape) + right.shape.scale + 1);
    const floor = { precision: Math.min(38, digits), scale: 0 };
    const down = divided(floor, (x, y) => quotient(x, y, 0, "floor"));
    note(check("a.floorDiv(b)", columns, nameOf(floor), down));
    const least = Math.max(0, left.shape.scale - right.shape.scale);
    const places = random.pick([undefined, least, 38, least + random.below(39 - least)]);
    const own = places ?? Math.max(6, left.shape.scale);
    const shape = {
      precision: Math.min(38, Math.max(1, whole(left.shape) + right.shape.scale + own)),
      scale: own,
    };
    if (own + right.shape.scale > left.shape.scale) divisions.add("with digits that follow");
    for (const how of ["away", "even"] as const) {
      const ties = how === "even" ? ', ties: "even"' : "";
      const options = places === undefined && ties === "" ? "" : `, { scale: ${own}${ties} }`;
      note(check(`a.divide(b${options})`, columns, nameOf(shape), (x, y) => {
        if (y.unscaled === 0n) return FAILS;
        return inShape(quotient(x, y, own, how), shape);
      }));
    }
  }, divisions));

Deno.test("choices among decimals and integers have a type that holds them all", () =>
  forSeeds(fewOr(6, 400), (random) => {
    const a = column(random, 9);
    const b = random.chance(0.5) ? integers(random, 9) : column(random, 9);
    const scale = Math.max(a.shape.scale, b.shape.scale);
    const digits = Math.max(...[a, b].map(({ shape }) => shape.precision - shape.scale)) + scale;
    if (digits > 38 || digits === 0) return;
    const shape = { precision: digits, scale };
    const columns = { a, b };
    const at = (x: Decimal) => inShape(x, shape);
    check("a.clamp({ high: b })", columns, nameOf(shape), (x, y) => at(order(x, y) > 0n ? y : x));
    const either = (
      text: string,
      choose: (x: Decimal | null, y: Decimal | null) => Decimal | null,
    ) => {
      const found = evaluate(text, columns);
      assertEquals(found.type, nameOf(shape), text);
      found.values.forEach((value, row) => {
        const [x, y] = [a, b].map(({ values, shape: { scale } }) => {
          const unscaled = values[row]!;
          return unscaled === null ? null : { unscaled, scale };
        });
        const expected = choose(x!, y!);
        assertEquals(value, expected && at(expected), text);
      });
    };
    either("a < b ? a : b", (x, y) => x && y && order(x, y) < 0n ? x : y);
    either("greatest(a, b)", (x, y) => x && y ? order(x, y) < 0n ? y : x : x ?? y);
    either("least(a, b)", (x, y) => x && y ? order(x, y) > 0n ? y : x : x ?? y);
    either("a.fillNull(b)", (x, y) => x ?? y);
  }));
