/** Random operands of numbers of every type. */

import * as arrow from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { columnTypeOf } from "../../../ops/batch/arrow_types.ts";
import { bindExpr } from "../../../ops/expr/bind.ts";
import { col, type Expr, lit } from "../../../ops/expr/expr.ts";
import type { Operand } from "../models/arithmetic_model.ts";
import { columnOf, type Value } from "../values/host_columns.ts";
import type { SeededRandom } from "./seeded_random.ts";

const INTEGERS: readonly arrow.Int[] = [
  ...[new arrow.Int8(), new arrow.Int16(), new arrow.Int32(), new arrow.Int64()],
  ...[new arrow.Uint8(), new arrow.Uint16(), new arrow.Uint32(), new arrow.Uint64()],
];
const FLOATS = [new arrow.Float16(), new arrow.Float32(), new arrow.Float64()] as const;
/** All types of numbers. */
export const TYPES: readonly arrow.DataType[] = [...INTEGERS, ...FLOATS];

const LITERALS: readonly (number | bigint)[] = [
  ...[0, 1, -1, 2, 3, -7, 10, 63, 64, 100, 255, 2 ** 31, -(2 ** 31), 0.5, -1.25, 0.1, 1e300],
  ...[NaN, Infinity, -0, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 64n - 1n, 2n ** 63n],
];

/** Floats whose sums, products and remainders are rounded, vanish or are none. */
const FLOAT_EDGES = [
  ...[0, -0, 1, -1, 0.5, 0.1, -2.5, 1 / 3, 5e-324, -5e-324, 2 ** -149, 2 ** -126, 2 ** 24 + 1],
  ...[2 ** 53, 2 ** 53 + 2, 2 ** 62, 2 ** 63, -(2 ** 63), 2 ** 64, 1e16, 1e300, -1e300, 65504],
  ...[Number.MAX_VALUE, Infinity, -Infinity, NaN],
];

/** A value of a type: often an end of the type, of another type, or a small number. */
export function valueOf(random: SeededRandom, type: arrow.DataType): number | bigint {
  if (arrow.DataType.isFloat(type)) {
    const value = random.chance(0.7)
      ? random.pick(FLOAT_EDGES)
      : (random.next() - 0.5) * 10 ** random.below(20);
    return type.precision === 0
      ? Math.f16round(value)
      : type.precision === 1
      ? Math.fround(value)
      : value;
  }
  const { bitWidth, isSigned } = type as arrow.Int;
  const bits = BigInt(random.pick([0, 1, 7, 8, 15, 16, 31, 32, 33, 52, 53, 54, 62, 63, 64]));
  const near = (random.chance(0.5) ? 1n : -1n) * 2n ** bits + BigInt(random.below(5) - 2);
  const drawn = random.chance(0.4)
    ? BigInt(random.below(21) - 10)
    : random.chance(0.6)
    ? near
    : BigInt(Math.floor(random.next() * 2 ** 53)) * BigInt(random.pick([1, -1, 1024, 3]));
  const value = isSigned ? BigInt.asIntN(bitWidth, drawn) : BigInt.asUintN(bitWidth, drawn);
  return bitWidth === 64 ? value : Number(value);
}

/** An operand that was drawn. */
export interface Drawn extends Operand {
  readonly expr: Expr;
  readonly values: readonly (number | bigint | null)[];
}

/** A column of a random type, or one like another, or a literal. */
export function operandOf(
  random: SeededRandom,
  name: string,
  numRows: number,
  canBeLiteral: boolean,
  like?: arrow.DataType,
): Drawn {
  if (canBeLiteral && random.chance(0.3)) {
    const literal = random.pick(LITERALS);
    const { type } = bindExpr(lit(literal), new arrow.Schema([]));
    return { expr: lit(literal), literal, type, values: Array(numRows).fill(literal) };
  }
  const type = like ?? random.pick(TYPES);
  const nulls = random.pick([0, 0.2]);
  const values = Array.from(
    { length: numRows },
    () => random.chance(nulls) ? null : valueOf(random, type),
  );
  return { expr: col(name), type, values };
}

/** Columns and their schema. */
export interface Table {
  readonly schema: arrow.Schema;
  readonly columns: readonly HostColumn[];
}

/** The columns of operands, with other bytes around their rows and below their nulls. */
export function tableOf(operands: readonly Drawn[]): Table {
  const fields = operands.map(({ type }, index) => new arrow.Field("ab"[index]!, type, true));
  const columns = operands.map(({ type, values }) =>
    columnOf(columnTypeOf(type), values as Value[])
  );
  return { schema: new arrow.Schema(fields), columns };
}
