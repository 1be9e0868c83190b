/** What the operators and conversions of the IR mean, by exact integers and by those of JavaScript. */

import type { BinaryFn, ConvertFn, ScalarType, UnaryFn } from "../../../gpu/kernel/ir/ir.ts";
import type { SeededRandom } from "../random/seeded_random.ts";

/** The value of an operator or a conversion. */
export type Answer = number | bigint | boolean;

/** The int64 with the low bits of an integer. */
export const wrap = (value: bigint) => BigInt.asIntN(64, value);
const uint = (value: bigint) => BigInt.asUintN(64, value);
const int32 = (value: bigint) => Number(BigInt.asIntN(32, value));
const isOut = (value: bigint) => value !== wrap(value);
const isOutU = (value: bigint) => value !== uint(value);

/** What operators of two i64 mean, by exact integers. */
const LONGS: Partial<Record<BinaryFn, (a: bigint, b: bigint) => Answer>> = {
  "+": (a, b) => wrap(a + b),
  "-": (a, b) => wrap(a - b),
  "*": (a, b) => wrap(a * b),
  "/": (a, b) => b === 0n ? 0n : wrap(a / b),
  "%": (a, b) => b === 0n ? 0n : a % b,
  "/u": (a, b) => b === 0n ? 0n : wrap(uint(a) / uint(b)),
  "%u": (a, b) => b === 0n ? 0n : wrap(uint(a) % uint(b)),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "<u": (a, b) => uint(a) < uint(b),
  "+overflows": (a, b) => isOut(a + b),
  "-overflows": (a, b) => isOut(a - b),
  "*overflows": (a, b) => isOut(a * b),
  "+overflowsU": (a, b) => isOutU(uint(a) + uint(b)),
  "-overflowsU": (a, b) => isOutU(uint(a) - uint(b)),
  "*overflowsU": (a, b) => isOutU(uint(a) * uint(b)),
};

/** Shifts of an i64, whose counts are i32. */
const SHIFTS: Partial<Record<BinaryFn, (a: bigint, count: bigint) => Answer>> = {
  "<<": (a, count) => wrap(a * 2n ** (count & 63n)),
  ">>": (a, count) => a >> (count & 63n),
  ">>>": (a, count) => wrap(uint(a) >> (count & 63n)),
};

/** What operators of two i32 mean, of those that longs have too. */
const INTS: Partial<Record<BinaryFn, (a: bigint, b: bigint) => Answer>> = {
  "/": (a, b) => b === 0n ? 0 : int32(a / b),
  "%": (a, b) => b === 0n ? 0 : int32(a % b),
  "/u": (a, b) => b === 0n ? 0 : int32(BigInt.asUintN(32, a) / BigInt.asUintN(32, b)),
  "%u": (a, b) => b === 0n ? 0 : int32(BigInt.asUintN(32, a) % BigInt.asUintN(32, b)),
  join: (a, b) => wrap(BigInt.asUintN(32, a) + b * 2n ** 32n),
};

const FLOATS: Partial<Record<BinaryFn, (a: number, b: number) => Answer>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

const view = new DataView(new ArrayBuffer(8));

/** The bits of a float64, of one NaN for all. */
export function bitsOf(value: number): bigint {
  if (Number.isNaN(value)) return 0x7ff8n << 48n;
  view.setFloat64(0, value);
  return view.getBigInt64(0);
}

function floatOf(bits: bigint): number {
  view.setBigInt64(0, bits);
  return view.getFloat64(0);
}

function truncated(value: number, bits: number): bigint {
  if (Number.isNaN(value)) return 0n;
  const [least, most] = [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  if (value === Infinity) return most;
  if (value === -Infinity) return least;
  const whole = BigInt(Math.trunc(value));
  return whole < least ? least : whole > most ? most : whole;
}

/** The unary operators with the type of their operand. */
export const UNARY: readonly [UnaryFn, ScalarType, (value: never) => Answer][] = [
  ["-", "i64", (value: bigint) => wrap(-value)],
  ["~", "i64", (value: bigint) => -value - 1n],
  [
    "clz",
    "i64",
    (value: bigint) => BigInt(uint(value).toString(2).padStart(64, "0").search(/1|$/)),
  ],
  ["-", "i32", (value: number) => -value | 0],
  ["~", "i32", (value: number) => -value - 1],
  ["-", "f64", (value: number) => -value],
  ["abs", "f64", Math.abs],
  ["sqrt", "f64", Math.sqrt],
  ["floor", "f64", Math.floor],
  ["ceil", "f64", Math.ceil],
  ["trunc", "f64", Math.trunc],
  ["fround", "f64", (value: number) => Float32Array.of(value)[0]!],
  ["nearest", "f64", (value: number) => {
    if (Math.abs(value) % 1 !== 0.5) {
      const down = Math.floor(value);
      const rounded = value - down < 0.5 ? down : Math.ceil(value);
      return rounded === 0 && value < 0 ? -0 : rounded;
    }
    const down = Math.floor(value);
    const even = down % 2 === 0 ? down : down + 1;
    return even === 0 && value < 0 ? -0 : even;
  }],
];

/** The conversions with the types of operand and result. */
export const CONVERSIONS: readonly [ConvertFn, ScalarType, ScalarType, (value: never) => Answer][] =
  [
    ["extend", "i32", "i64", (value: number) => BigInt(value)],
    ["extendU", "i32", "i64", (value: number) => BigInt(value >>> 0)],
    ["low", "i64", "i32", (value: bigint) => int32(value)],
    ["high", "i64", "i32", (value: bigint) => int32(value >> 32n)],
    ["low", "f64", "i32", (value: number) => int32(bitsOf(value))],
    ["high", "f64", "i32", (value: number) => int32(bitsOf(value) >> 32n)],
    ["toFloat", "i32", "f64", (value: number) => value],
    ["toFloatU", "i32", "f64", (value: number) => value >>> 0],
    ["toFloat", "i64", "f64", (value: bigint) => Number(value)],
    ["toFloatU", "i64", "f64", (value: bigint) => Number(uint(value))],
    ["truncate", "f64", "i32", (value: number) => Number(truncated(value, 32))],
    ["truncate", "f64", "i64", (value: number) => truncated(value, 64)],
    ["bits", "f64", "i64", bitsOf],
    ["bits", "i64", "f64", floatOf],
  ];

const LONG_EDGES = [0n, 31n, 32n, 33n, 52n, 53n, 62n, 63n].flatMap((power) =>
  [-1n, 0n, 1n].flatMap((by) => [wrap(2n ** power + by), wrap(-(2n ** power) + by)])
);
const INT_EDGES = [0, 1, -1, 2, 7, 31, 32, 63, 64, 65, -64, 2 ** 31 - 1, -(2 ** 31), 0x55555555];
const FLOAT_EDGES = [
  ...[0, 0.5, 1, 1.5, 2.5, 1 / 3, 0.49999999999999994, 5e-324, 2.2250738585072014e-308, 1e-310],
  ...[2 ** 24 + 1, 2 ** 31 - 0.5, 2 ** 31, 2 ** 31 + 1, 2 ** 32 + 1, 2 ** 52 + 0.5, 2 ** 53 + 2],
  ...[2 ** 63 - 1024, 2 ** 63, 2 ** 64, 3.4028235677973366e38, 1e-45, 1.7976931348623157e308],
  Infinity,
  NaN,
].flatMap((value) => [value, -value]);
/** Values at the ends of what types hold, and where their representation changes. */
export const EDGES = { i32: INT_EDGES, i64: LONG_EDGES, f64: FLOAT_EDGES, bool: [true, false] };

/** Any value of a type, often an edge. */
export function draw(type: ScalarType, random: SeededRandom): Answer {
  if (random.chance(0.4)) return random.pick<Answer>(EDGES[type]);
  const word = () => BigInt(random.below(2 ** 32));
  const long = wrap(word() << 32n | word()) >> BigInt(random.below(64));
  switch (type) {
    case "i32":
      return int32(word()) >> random.below(32);
    case "i64":
      return long;
    case "f64":
      return random.chance(0.5) ? floatOf(long) : Number(long) / 2 ** random.below(64);
    case "bool":
      return random.chance(0.5);
  }
}

/** The binary operators with the types of their operands. */
export const BINARY = [
  ...Object.entries(LONGS).map(([fn, by]) => [fn, "i64", "i64", by] as const),
  ...Object.entries(SHIFTS).map(([fn, by]) =>
    [fn, "i64", "i32", (a: bigint, b: number) => by(a, BigInt(b))] as const
  ),
  ...Object.entries(INTS).map(([fn, by]) =>
    [fn, "i32", "i32", (a: number, b: number) => by(BigInt(a), BigInt(b))] as const
  ),
  ...Object.entries(FLOATS).map(([fn, by]) => [fn, "f64", "f64", by] as const),
] as unknown as [BinaryFn, ScalarType, ScalarType, (a: Answer, b: Answer) => Answer][];
