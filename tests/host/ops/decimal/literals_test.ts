import { assertEquals, assertThrows } from "@std/assert";
import * as arrow from "apache-arrow";
import { ExprError } from "../../../../base/errors/expr_error.ts";
import { createEngine, expr, fromBatches, toTable, withColumns } from "../../../../mod.ts";
import { typeName } from "../../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../../ops/expr/bind.ts";
import { textOf } from "../../../support/models/decimal_model.ts";
import { decimalVector } from "../../../support/random/random_decimals.ts";

const engine = createEngine({ device: "cpu" });
const DECIMAL = new arrow.Decimal(2, 10, 128);
const TABLE = new arrow.Table({
  a: decimalVector(DECIMAL, [110n, -250n, 0n]),
  n: arrow.vectorFromArray([3n, -2n, 0n], new arrow.Int64()),
  x: arrow.vectorFromArray([0.5, 1, 2], new arrow.Float64()),
});

async function computed(text: string): Promise<{ type: string; rows: unknown[] }> {
  const table = await toTable(
    fromBatches(TABLE, { engine }).pipeThrough(withColumns({ r: expr(text) }, { engine })),
  );
  const column = table.getChild("r")!;
  const { type } = column;
  const rows = [...column].map((value) => {
    if (!arrow.DataType.isDecimal(type) || value === null) return value;
    const words = Array.from(value as Uint32Array);
    const whole = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
    return textOf({ unscaled: BigInt.asIntN(type.bitWidth, whole), scale: type.scale });
  });
  return { type: typeName(type), rows };
}

const CASES: readonly [text: string, type: string, ...rows: unknown[]][] = [
  ["a * 1.1", "decimal128(12, 3)", "1.210", "-2.750", "0.000"],
  ["1.1 * a", "decimal128(12, 3)", "1.210", "-2.750", "0.000"],
  ["a + 1", "decimal128(11, 2)", "2.10", "-1.50", "1.00"],
  ["a * (1 - 0.9)", "decimal128(11, 3)", "0.110", "-0.250", "0.000"],
  ["a * (19 / 100)", "decimal128(12, 4)", "0.2090", "-0.4750", "0.0000"],
  ["a - -1e-3", "decimal128(12, 3)", "1.101", "-2.499", "0.001"],
  ["a * 1e2", "decimal128(13, 2)", "110.00", "-250.00", "0.00"],
  ["a * n", "decimal128(29, 2)", "3.30", "5.00", "0.00"],
  ["n * 1.5 * a", "float64", 4.95, 7.5, 0],
  ["a * x", "float64", 0.55, -2.5, 0],
  ["a / 2", "float64", 0.55, -1.25, 0],
  ["a ** 2", "float64", 1.2100000000000002, 6.25, 0],
  ["a * (1 / 3)", "float64", 1.1 * (1 / 3), -2.5 * (1 / 3), 0],
  ["n + 100000000000000000000", "decimal128(22, 0)", ...[
    "100000000000000000003",
    "99999999999999999998",
    "100000000000000000000",
  ]],
  ["least(n, a, 2.55)", "decimal128(21, 2)", "1.10", "-2.50", "0.00"],
  ["greatest(n, 0.5, a)", "decimal128(21, 2)", "3.00", "0.50", "0.50"],
  ["a.clamp(-1, 0.125)", "decimal128(11, 3)", "0.125", "-1.000", "0.000"],
  ["a.recode({ 1.1: 'x', 0: 'y' }, 'z')", "string", "x", "z", "y"],
  ["a.nullIf(0)", "decimal128(10, 2)", "1.10", "-2.50", null],
  ["a > 1.099999999999", "bool", true, false, false],
  ["a + 0.12345678901234567890123456", "decimal128(35, 26)", ...[
    "1.22345678901234567890123456",
    "-2.37654321098765432109876544",
    "0.12345678901234567890123456",
  ]],
  ["a < -2.49999999999999999999999", "bool", false, true, false],
  ["a > -2.50000000000000000000000001", "bool", true, true, true],
  ["x * 1.00000000000000000000001", "float64", 0.5, 1, 2],
  ["a == 1.1", "bool", true, false, false],
  ["a == 0.1 + 1", "bool", true, false, false],
  ["a != 1.101", "bool", true, true, true],
  ["a <= 1.101", "bool", true, true, true],
  ["a > 1e-60", "bool", true, false, false],
  ["a >= -1e-60", "bool", true, false, true],
  ["a < 1e300", "bool", true, true, true],
  ["a > -1e300", "bool", true, true, true],
  ["a.isIn([1.1, 7, -2.5, 3, 1.005, 8])", "bool", true, true, false],
  ["a.between(-2.5, 1.09)", "bool", false, true, true],
  ["(a * 1000000).format(',.2f')", "string", "1,100,000.00", "-2,500,000.00", "0.00"],
  ["a.format('.1f')", "string", "1.1", "-2.5", "0.0"],
  ["a.format('.0f')", "string", "1", "-2", "0"],
  ["a.format('08.3f')", "string", "0001.100", "-002.500", "0000.000"],
  ["a.format('')", "string", "1.10", "-2.50", "0.00"],
  ["a.format('.1e')", "string", "1.1e+00", "-2.5e+00", "0.0e+00"],
  ["a.format('.1%')", "string", "110.0%", "-250.0%", "0.0%"],
  ["(a + 12345678901234567890.12).format('_')", "string", ...[
    "12_345_678_901_234_567_891.22",
    "12_345_678_901_234_567_887.62",
    "12_345_678_901_234_567_890.12",
  ]],
  ["a.toInteger()", "int64", 1n, -2n, 0n],
  ["a.toFloat()", "float64", 1.1, -2.5, 0],
  ['cast(1.5, "decimal(4, 2)") + a', "decimal128(11, 2)", "2.60", "-1.00", "1.50"],
];

Deno.test("a literal beside a decimal is the decimal that it is written as", async (t) => {
  for (const [text, type, ...rows] of CASES) {
    await t.step(text, async () => assertEquals(await computed(text), { type, rows }));
  }
});

Deno.test("what decimals do not take is an error that says what to write", () => {
  const cases: [text: string, message: string][] = [
    ["a == x", "Cannot compare a (decimal128(10, 2)) with x (float64); a.toFloat() is the nearest"],
    ["a + 'x'", 'Cannot add a (decimal128(10, 2)) and "x" (string)'],
    ["a & 1", "& takes whole numbers, a is decimal128(10, 2)"],
    ["a % 0", "a % 0: a decimal cannot be divided by 0"],
    ["a.divide(0.0)", "a.divide(0): a decimal cannot be divided by 0"],
    ["a.divide(x)", "divide() takes decimals and integers, x is float64; / divides floats"],
    ["a.divide(3, { scale: 39 })", "scale must be a whole number from 0 to 38"],
    ["a * 1e-37", "it has 39 digits behind the point, more than 38; a.round(6) has fewer"],
    ["a + 0.1234567890123456789012345678901234567890", "is no decimal of up to 38 digits"],
    ["a + 1e-39", "1e-39 is no decimal of up to 38 digits"],
    ["a ? 1 : 2", "?: needs true or false, a is decimal128(10, 2)"],
    ["a.format('d')", 'd writes whole numbers, and this is a decimal; ".0f" rounds it'],
    ["a.upper()", "upper(a): a is decimal128(10, 2), not a string"],
    ['a.cast("date32")', "decimal128(10, 2) is cast to integers, floats, decimals and string"],
    ['n.cast("string", { decimal: "," })', "decimal is the point of decimals in text"],
  ];
  for (const [text, message] of cases) {
    const error = assertThrows(() => bindExpr(expr(text), TABLE.schema), ExprError, message);
    assertEquals(error.message.includes("\n"), false);
  }
});
