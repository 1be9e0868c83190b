/**
 * Random calls of the string operations, and what the model says that they give.
 *
 * @module
 */

import type { StringOp } from "../../ops/define_string_op.ts";
import type { ExampleValue } from "../../ops/example.ts";
import { col, type Expr } from "../../ops/expr/expr.ts";
import type { PlainColumns } from "./evaluate_expr.ts";
import { type Argument, ARGUMENTS } from "./random_text.ts";
import type { SeededRandom } from "./seeded_random.ts";
import { textModel } from "./text_model.ts";

type Texts = readonly (string | null)[];

const CONVERSIONS = new Set([
  "format",
  "hexToInteger",
  "integerToHex",
  "integerToIpv4",
  "ipv4ToInteger",
  "isFloat",
  "isInteger",
  "toBoolean",
  "toDate",
  "toFloat",
  "toInteger",
  "toString",
  "toTimestamp",
  "urlDecode",
  "urlEncode",
]);

/** Whether an operation converts between types: `tests/host/convert` has the oracles of those. */
export function isConversion({ spec }: StringOp): boolean {
  return CONVERSIONS.has(spec.name);
}

/** A call on the column `text`, and its result for each row. */
export interface OperationCall {
  /** The call. */
  readonly expr: Expr;
  /** The columns of its arguments. */
  readonly columns: PlainColumns;
  /** A value a row. */
  readonly expected: readonly ExampleValue[];
}

/** A call with literal arguments; undefined where the operation refuses those that were drawn. */
export function literalCall(
  random: SeededRandom,
  op: StringOp,
  texts: Texts,
): OperationCall | undefined {
  const args = drawArguments(random, op);
  if (isRefused(op, args)) return undefined;
  return {
    expr: op(col("text"), ...args),
    columns: {},
    expected: modelled(op, texts, () => args),
  };
}

/**
 * A call with columns for arguments, except for those that only literals can be. The columns have
 * names that begin with `prefix`.
 */
export function columnCall(
  random: SeededRandom,
  op: StringOp,
  texts: Texts,
  prefix = "",
): OperationCall | undefined {
  const shape = drawArguments(random, op);
  const rows = texts.map(() => drawArguments(random, op));
  const columns: Record<string, PlainColumns[string]> = {};
  const args = shape.map((first, index) => {
    if (first === null || isLiteralOnly(op, index)) return first;
    const name = `${prefix}${op.spec.name}${index}`;
    columns[name] = rows.map((row) =>
      (row[index] ?? (typeof first === "string" ? "-" : 1)) as string | number
    );
    return col(name);
  });
  const literals = args.map((arg, index) => arg === shape[index] ? shape[index] : undefined);
  if (isRefused(op, literals)) return undefined;
  const argsOf = (row: number) =>
    shape.map((first, index) => columns[`${prefix}${op.spec.name}${index}`]?.[row] ?? first);
  return {
    expr: op(col("text"), ...args),
    columns,
    expected: modelled(op, texts, argsOf),
  };
}

function drawArguments(random: SeededRandom, op: StringOp): readonly Argument[] {
  return ARGUMENTS[op.spec.name]?.(random) ?? [];
}

/** What decides on the row function is a literal, such as the step of a slice. */
export function isLiteralOnly(op: StringOp, index: number): boolean {
  const type = op.parameters[index]?.type;
  return type === "literal" || type === "any" || (op.spec.name === "slice" && index === 2) ||
    op.spec.name === "ngrams";
}

function isRefused(op: StringOp, args: readonly (Argument | undefined)[]): boolean {
  // What gives several columns is no value: tests/host/string/partition_test.ts.
  if (op.spec.parts !== undefined) return true;
  // Works on lists: tests/host/string/list_operations_test.ts.
  if (op.spec.name === "join") return true;
  const named = op.parameters.map(({ name }, index) => [name, args[index] ?? undefined]);
  return op.spec.check?.(Object.fromEntries(named)) !== undefined;
}

function modelled(
  { spec }: StringOp,
  texts: Texts,
  argsOf: (row: number) => readonly Argument[],
): OperationCall["expected"] {
  const model = textModel[spec.name]!;
  return texts.map((text, row) => text === null ? null : model(text, ...argsOf(row)));
}
