/** The model of joins, by plain maps of rows. DuckDB and Polars judge it. */

import { Binary, DataType, Float, Int, Utf8 } from "apache-arrow";
import { parseExpr } from "../../ops/expr/parse.ts";
import { isBinary, isText } from "../../streams/data/plain_schema.ts";
import { modelExpr } from "../support/models/expr_model.ts";
import { type ModelColumn, ModelTypeError, TooLarge } from "../support/models/expr_model_types.ts";
import { type CaseKey, type JoinStep, keyPairs } from "./fuzz_case.ts";
import type { ModelTable } from "./model_table.ts";
import { joinPairs, matchesOf, type RowPair } from "../support/models/join_pairs.ts";

/** Two columns of a result would have one name, which is refused before a row is read. */
export class ModelNameError extends Error {
  readonly column: string;

  constructor(column: string) {
    super(`two columns ${column}`);
    this.column = column;
  }

  /** Throws where two of the columns have one name. */
  static check(columns: readonly ModelColumn[]): void {
    const names = columns.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice !== undefined) throw new ModelNameError(twice);
  }
}

/** The keys of a side are not as unique as the join was promised. */
export class ModelKeyError extends Error {
  constructor(readonly side: "left" | "right", readonly row: number) {
    super(`a key of the ${side} side comes again in row ${row}`);
  }
}

/** Rows of a result beyond which a case is not worth running. */
export const MOST_ROWS = 3000;

/** A key of both sides: its columns, and the type that they meet in. */
interface KeyColumns {
  readonly left: ModelColumn;
  readonly right: ModelColumn;
  readonly type: DataType;
  /** Whether it has a name on the left, under which it comes out once. */
  readonly isNamed: boolean;
}

/** The rows that a join gives and their columns. */
export function modelJoin(left: ModelTable, right: ModelTable, step: JoinStep): ModelTable {
  const keys = keysOf(left, right, step);
  // First, so that what is refused for its names can be judged by its pairs too.
  const pairs = joinedPairs(left, right, step);
  ModelNameError.check(outputColumns(left, right, keys, step, []));
  checkUnique(left, right, step);
  const columns = outputColumns(left, right, keys, step, pairs);
  return {
    columns,
    numRows: pairs.length,
    ...(step.order === "none" ? { isUnordered: true } : {}),
  };
}

/** The pairs of rows that a join gives, in the order that it states. */
export function joinedPairs(left: ModelTable, right: ModelTable, step: JoinStep): RowPair[] {
  const matches = allMatches(left, right, step);
  const numPairs = matches.reduce((sum, rows) => sum + rows.length, 0);
  if (Math.max(numPairs, left.numRows, right.numRows) > MOST_ROWS) throw new TooLarge("rows");
  return joinPairs(matches, right.numRows, step.how);
}

/** The rows of the right side that each row of the left one matches. */
function allMatches(
  left: ModelTable,
  right: ModelTable,
  step: JoinStep,
): readonly (readonly number[])[] {
  if (step.how === "cross") {
    if (left.numRows * right.numRows > MOST_ROWS) throw new TooLarge("rows");
    const all = Array.from({ length: right.numRows }, (_, row) => row);
    return Array.from({ length: left.numRows }, () => all);
  }
  const keys = keysOf(left, right, step);
  const textsOf = (side: "left" | "right", { numRows }: ModelTable) =>
    Array.from(
      { length: numRows },
      (_, row) => keyText(keys.map((key) => key[side].values[row]), step),
    );
  return matchesOf(textsOf("left", left), textsOf("right", right));
}

/** Checks the sides that `validate` says to hold each key once. */
function checkUnique(left: ModelTable, right: ModelTable, step: JoinStep): void {
  const [ofLeft, ofRight] = step.validate?.split(":") ?? [];
  // The build side is read first.
  for (const [side, table, count] of [["right", right, ofRight], ["left", left, ofLeft]] as const) {
    if (count !== "1") continue;
    const row = firstRepeated(keyValues(left, right, step, side), table.numRows, step);
    if (row !== undefined) throw new ModelKeyError(side, row);
  }
}

/** The values of the keys of one side. */
export function keyValues(
  left: ModelTable,
  right: ModelTable,
  step: JoinStep,
  side: "left" | "right",
): readonly (readonly unknown[])[] {
  return keysOf(left, right, step).map((key) => key[side].values);
}

/** The first row whose key was there before; undefined where there is none. */
export function firstRepeated(
  columns: readonly (readonly unknown[])[],
  numRows: number,
  step: Pick<JoinStep, "nullsEqual">,
): number | undefined {
  const seen = new Set<string>();
  for (let row = 0; row < numRows; row++) {
    const text = keyText(columns.map((values) => values[row]), step);
    if (text === null) continue;
    if (seen.has(text)) return row;
    seen.add(text);
  }
}

/** A text that equal keys share; null for a key that matches nothing. */
export function keyText(
  values: readonly unknown[],
  step: Pick<JoinStep, "nullsEqual">,
): string | null {
  if (!step.nullsEqual && values.includes(null)) return null;
  return JSON.stringify(values.map(partText));
}

/** Nulls inside of a value equal one another, as do NaN and both zeros. */
function partText(value: unknown): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(partText);
  if (typeof value === "object") return Object.values(value).map(partText);
  return { number: String(value === 0 ? 0 : value) };
}

function keysOf(left: ModelTable, right: ModelTable, step: JoinStep): KeyColumns[] {
  if (step.how === "cross") return [];
  return keyPairs(step.on).map(([ofLeft, ofRight]) => {
    const sides = { left: keyColumn(left, ofLeft), right: keyColumn(right, ofRight) };
    return {
      ...sides,
      type: promotedType(sides.left.type, sides.right.type, step.promote === "lossless"),
      isNamed: typeof ofLeft === "string",
    };
  });
}

function keyColumn({ columns, numRows }: ModelTable, key: CaseKey): ModelColumn {
  if (typeof key === "string") {
    const column = columns.find(({ name }) => name === key);
    if (column === undefined) throw new TooLarge(`no column ${key}`);
    return column;
  }
  const { type, at } = modelExpr(parseExpr(key.expr).node, columns);
  const values = Array.from({ length: numRows }, (_, row) => at(row));
  return { name: key.expr, type: type ?? new Utf8(), values };
}

function outputColumns(
  left: ModelTable,
  right: ModelTable,
  keys: readonly KeyColumns[],
  step: JoinStep,
  pairs: readonly RowPair[],
): ModelColumn[] {
  const { how, suffix, keepKeys = false } = step;
  const ofLeft = (column: ModelColumn) => inPairs(column, pairs, 0);
  const ofRight = (column: ModelColumn) => inPairs(column, pairs, 1);
  if (how === "semi" || how === "anti") return left.columns.map(ofLeft);
  if (how === "right-semi" || how === "right-anti") return right.columns.map(ofRight);
  const once = keepKeys ? [] : keys.filter(({ isNamed }) => isNamed);
  const shared = left.columns.map((column): ModelColumn => {
    const key = once.find((key) => key.left === column);
    return key === undefined || (how !== "right" && how !== "full")
      ? ofLeft(column)
      : sharedKey(key, how, pairs);
  });
  return [...shared, ...addedColumns(left, right, pairs, suffix, once.map(({ right }) => right))];
}

/** The columns of both sides, in the rows of the pairs, without those of the right that are hidden. */
export function bothSides(
  left: ModelTable,
  right: ModelTable,
  pairs: readonly RowPair[],
  suffix?: string,
  hidden: readonly ModelColumn[] = [],
): ModelTable {
  const columns = [
    ...left.columns.map((column) => inPairs(column, pairs, 0)),
    ...addedColumns(left, right, pairs, suffix, hidden),
  ];
  ModelNameError.check(columns);
  return { columns, numRows: pairs.length };
}

/** The columns that the right side adds, each with the suffix where the left one has its name. */
function addedColumns(
  left: ModelTable,
  right: ModelTable,
  pairs: readonly RowPair[],
  suffix = "_right",
  hidden: readonly ModelColumn[],
): ModelColumn[] {
  const names = new Set(left.columns.map(({ name }) => name));
  return right.columns.filter((column) => !hidden.includes(column)).map((column) => {
    const { name } = column;
    return { ...inPairs(column, pairs, 1), name: names.has(name) ? name + suffix : name };
  });
}

/** A column of one side in the rows of the pairs. */
function inPairs(
  { name, type, values }: ModelColumn,
  pairs: readonly RowPair[],
  side: 0 | 1,
): ModelColumn {
  const rows = pairs.map((pair) => pair[side]);
  return { name, type, values: rows.map((row) => row === null ? null : values[row]) };
}

/** A key that comes out once: the right side's value, or the first that there is. */
function sharedKey(key: KeyColumns, how: "right" | "full", pairs: readonly RowPair[]): ModelColumn {
  const values = pairs.map(([left, right]) => {
    const isLeft = how === "full" && left !== null && key.left.values[left] !== null;
    const value = isLeft ? key.left.values[left] : right === null ? null : key.right.values[right];
    return asType(value, key.type);
  });
  return { name: key.left.name, type: key.type, values };
}

/** The type in which the keys of both sides meet. */
export function promotedType(left: DataType, right: DataType, isLossless: boolean): DataType {
  if (isText(left) && isText(right)) return new Utf8();
  if (isBinary(left) && isBinary(right)) return new Binary();
  if (DataType.isInt(left) && DataType.isInt(right)) return wholeType(left, right);
  if (DataType.isFloat(left) && DataType.isFloat(right)) {
    return new Float(Math.max(left.precision, right.precision));
  }
  const [whole, float] = DataType.isInt(left) ? [left, right] : [right, left];
  if (isLossless && DataType.isInt(whole) && DataType.isFloat(float) && whole.bitWidth < 64) {
    // A float holds the integers of 11, 24 and 53 bits.
    const least = { 8: 0, 16: 1, 32: 2 }[whole.bitWidth as 8 | 16 | 32];
    return new Float(Math.max(least, float.precision));
  }
  if (String(left) !== String(right)) throw new ModelTypeError("keys");
  return left;
}

function wholeType(left: Int, right: Int): Int {
  if (left.isSigned === right.isSigned) return left.bitWidth >= right.bitWidth ? left : right;
  const [signed, other] = left.isSigned ? [left, right] : [right, left];
  const bits = Math.max(signed.bitWidth, 2 * other.bitWidth);
  if (bits > 64) throw new ModelTypeError("keys");
  return new Int(true, bits as 16 | 32 | 64);
}

/** A value of a key as its promoted type has it. */
function asType(value: unknown, type: DataType): unknown {
  if (value === null) return null;
  if (DataType.isInt(type)) return type.bitWidth === 64 ? BigInt(value as number) : Number(value);
  return DataType.isFloat(type) ? Number(value) : value;
}
