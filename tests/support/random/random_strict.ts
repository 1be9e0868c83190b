/** Random expressions with strict calls: of `a`, `b` of int64, `p` of booleans and `s` of text. */

import { Bool, type DataType, Field, Int64, Schema, Utf8 } from "apache-arrow";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { columnTypeOf } from "../../../ops/batch/arrow_types.ts";
import { columnOf, type Value } from "../values/host_columns.ts";
import type { SeededRandom } from "./seeded_random.ts";

type MakeValue = (random: SeededRandom, odd: number) => Value;

/** The type of each column, and its values, of which a share is `odd`: calls refuse these. */
const COLUMNS: Readonly<Record<string, readonly [DataType, MakeValue]>> = {
  a: [new Int64(), integerOf],
  b: [new Int64(), integerOf],
  p: [new Bool(), (random) => random.chance(0.5)],
  s: [new Utf8(), (random, odd) => random.chance(odd) ? "x" : String(random.below(30))],
};

function integerOf(random: SeededRandom, odd: number): bigint {
  return random.chance(odd) ? 2n ** 62n + 1n : BigInt(random.below(9) - 1);
}

/** Columns in which a row or two may be refused, not most of them. */
export function strictColumns(random: SeededRandom, numRows: number): HostColumn[] {
  return Object.values(COLUMNS).map(([type, make]) => {
    const nulls = random.pick([0, 0.1, 0.5]);
    const values = Array.from(
      { length: numRows },
      () => random.chance(nulls) ? null : make(random, 0.3 / numRows),
    );
    return columnOf(columnTypeOf(type), values);
  });
}

/** The schema of the columns. */
export const STRICT_SCHEMA = new Schema(
  Object.entries(COLUMNS).map(([name, [type]]) => new Field(name, type, true)),
);

/** The text of an expression that is a number, a condition or a text. */
export function randomStrict(random: SeededRandom, depth: number): string {
  return random.pick([integer, integer, condition, text])(random, depth);
}

type Make = (random: SeededRandom, depth: number) => string;

function integer(random: SeededRandom, depth: number): string {
  if (depth <= 0) return random.pick(["a", "b", "a", "b", "(7)", 's.cast("int64")']);
  const own = (make: Make = integer) => make(random, depth - 1 - random.below(2));
  return random.pick([
    () => `(${own()} + ${own()})`,
    () => `(${own()} * ${own()})`,
    () => `(${own()} - ${own()})`,
    () => `(${own()} % ${own()})`,
    () => `(-${own()})`,
    () => `(${own(condition)} ? ${own()} : ${own()})`,
    () => `${own()}.fillNull(${own()})`,
    () => `(${own()}).orNull()`,
    () => `(${own()}).cast("int8").cast("int64")`,
    () => `${own(text)}.cast("int64")`,
    () => `${own(text)}.cast("int8").cast("int64")`,
    () => `(${own(condition)} ? a : 7)`,
    () => `${own(text)}.length().cast("int64")`,
  ])();
}

function condition(random: SeededRandom, depth: number): string {
  if (depth <= 0) return random.pick(["p", "p", "(a > b)", "s.isNull()"]);
  const own = (make: Make = condition) => make(random, depth - 1 - random.below(2));
  return random.pick([
    () => `(${own(integer)} ${random.pick([">", "==", "!=", "<="])} ${own(integer)})`,
    () => `(${own(text)} ${random.pick(["<", "=="])} ${own(text)})`,
    () => `(${own()} && ${own()})`,
    () => `(${own()} || ${own()})`,
    () => `(!${own()})`,
    () => `${own(random.pick([integer, text, condition]))}.isNull()`,
    () => `${own()}.fillNull(${own()})`,
    () => `(${own()} ? ${own()} : ${own()})`,
    () => `${own(text)}.startsWith("1")`,
  ])();
}

function text(random: SeededRandom, depth: number): string {
  if (depth <= 0) return random.pick(["s", "s", '"12"']);
  const own = (make: Make = text) => make(random, depth - 1 - random.below(2));
  return random.pick([
    () => `(${own()} + ${own()})`,
    () => `(${own()} + "-" + ${own()})`,
    () => `${own(integer)}.toString()`,
    () => `${own()}.upper()`,
    () => `${own()}.slice(0, 2)`,
    () => `${own()}.strip()`,
    () => `${own()}.fillNull(${own()})`,
    () => `(${own(condition)} ? ${own()} : ${own()})`,
    () => `${own()}.pad(4)`,
  ])();
}
