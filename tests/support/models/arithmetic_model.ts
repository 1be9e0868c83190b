/**
 * What operators of numbers mean: an oracle that computes whole numbers as BigInt of any size, and floats
 * as numbers of JavaScript. Values are as in `arrow_values.ts`: integers of 64 bits are bigint.
 */

import { DataType, Float32, Float64, Int64, Uint64 } from "apache-arrow";
import type { Literal } from "../../../ops/syntax/literal.ts";

/** An operand: its type, and its value if it is a literal. */
export interface Operand {
  readonly type: DataType;
  readonly literal?: Literal;
}

/** The row has no value. */
export const FAILS = Symbol("fails");

const MODULUS = 2n ** 64n;
const RANGES = {
  int64: [-MODULUS / 2n, MODULUS / 2n - 1n],
  uint64: [0n, MODULUS - 1n],
} as const;

type Whole = (a: bigint, b: bigint) => bigint | typeof FAILS;

/** The operations of whole numbers, without regard to the size of the result. */
const WHOLE: Readonly<Record<string, Whole>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  pow: (a, b) => powerOf(a, b),
  rem: (a, b) => b === 0n ? FAILS : a % b,
  mod: (a, b) => b === 0n ? FAILS : ((a % b) + b) % b,
  floorDiv: (a, b) => b === 0n ? FAILS : floorOf(a, b),
  bitAnd: (a, b) => a & b,
  bitOr: (a, b) => a | b,
  bitXor: (a, b) => a ^ b,
  shiftLeft: (a, b) => b < 0n || b > 63n ? FAILS : a * 2n ** b,
  shiftRight: (a, b) => b < 0n || b > 63n ? FAILS : floorOf(a, 2n ** b),
  neg: (a) => -a,
};

function powerOf(base: bigint, exponent: bigint): bigint | typeof FAILS {
  if (base >= -1n && base <= 1n) {
    return base === -1n && exponent % 2n === 0n ? 1n : base ** (exponent > 0n ? 1n : 0n);
  }
  return exponent > 64n ? FAILS : base ** exponent;
}

function floorOf(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b === a || (a < 0n) === (b < 0n) ? quotient : quotient - 1n;
}

const FLOATS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow: (a, b) => a ** b,
  rem: (a, b) => a % b,
  mod: floatMod,
  floorDiv: floatFloorDiv,
  neg: (a) => -a,
};

/** The remainder that has the sign of the divisor, from the exact one. */
function floatMod(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return Math.sign(b) < 0 ? -0 : 0;
  return Math.sign(rest) === Math.sign(b) || Number.isNaN(rest) ? rest : rest + b;
}

/** The exact quotient rounded down, then to a float. */
function floatFloorDiv(a: number, b: number): number {
  const quotient = a / b;
  if (b === 0 || Number.isNaN(a % b)) return Number.isNaN(a % b) && b !== 0 ? NaN : quotient;
  if (!Number.isFinite(b)) return a === 0 || Math.sign(a) === Math.sign(b) ? 0 * quotient : -1;
  const [top, bottom] = [fractionOf(a), fractionOf(b)];
  const shift = top.exponent - bottom.exponent;
  const scaled = (value: bigint, bits: number) => bits > 0 ? value << BigInt(bits) : value;
  const floor = floorOf(scaled(top.mantissa, shift), scaled(bottom.mantissa, -shift));
  return floor === 0n ? 0 * quotient : Number(floor);
}

/** A finite float as a whole number times a power of 2. */
function fractionOf(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  let exponent = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  return { mantissa: BigInt(mantissa), exponent };
}

const isUnsigned = (type: DataType) => DataType.isInt(type) && !type.isSigned;
const isUint64 = (type: DataType) => isUnsigned(type) && (type as Uint64).bitWidth === 64;

function holdsAsFloat32({ type, literal }: Operand): boolean {
  if (literal === undefined) return DataType.isFloat(type) && type.precision < 2;
  if (typeof literal === "bigint") return BigInt(Math.fround(Number(literal))) === literal;
  return Object.is(Math.fround(Number(literal)), literal);
}

/** The type in which operands are computed; undefined where they are refused. */
export function computedType(name: string, operands: readonly Operand[]): DataType | undefined {
  const isNumber = ({ type }: Operand) => DataType.isInt(type) || DataType.isFloat(type);
  if (!operands.every(isNumber)) return undefined;
  if (operands.some(({ type }) => DataType.isFloat(type))) {
    if (!(name in FLOATS)) return undefined;
    const isNarrow = operands.every(holdsAsFloat32) &&
      operands.some(({ literal }) => literal === undefined);
    return isNarrow ? new Float32() : new Float64();
  }
  const [, other] = operands;
  const isWholePower = (typeof other?.literal === "number" || typeof other?.literal === "bigint") &&
    other.literal >= 0;
  if (name === "div" || (name === "pow" && !isWholePower)) return new Float64();
  if (!operands.some(({ type }) => isUint64(type))) return new Int64();
  const fits = ({ type, literal }: Operand) =>
    isUnsigned(type) ||
    ((typeof literal === "number" || typeof literal === "bigint") && literal >= 0);
  return operands.every(fits) ? new Uint64() : undefined;
}

/** The type of the result. */
export function resultTypeOf(name: string, computed: DataType): DataType {
  return name === "neg" && DataType.isInt(computed) ? new Int64() : computed;
}

/** The value for operands that are not null. */
export function arithmeticOf(
  name: string,
  computed: DataType,
  values: readonly (number | bigint)[],
): number | bigint | typeof FAILS {
  if (DataType.isFloat(computed)) {
    const [a = 0, b = 0] = values.map(Number);
    const result = FLOATS[name]!(a, b);
    return computed.precision === 1 ? Math.fround(result) : result;
  }
  const [a = 0n, b = 0n] = values.map(BigInt);
  const isWide = isUint64(computed);
  if (name === "bitNot") return isWide ? MODULUS - 1n - a : -1n - a;
  const result = WHOLE[name]!(a, b);
  if (result === FAILS) return FAILS;
  const [least, most] = RANGES[isWide && name !== "neg" ? "uint64" : "int64"];
  return result < least || result > most ? FAILS : result;
}

/** The operations that the model has. */
export const ARITHMETIC: readonly string[] = [
  ...new Set([...Object.keys(WHOLE), ...Object.keys(FLOATS), "bitNot"]),
];
