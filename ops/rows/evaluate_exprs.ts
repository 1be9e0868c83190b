/**
 * Evaluates compiled expressions over a batch, and reports values that a strict call refuses.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { ArithmeticError, ConversionError } from "../../base/errors/value_error.ts";
import { DataType } from "apache-arrow";
import { decimalText } from "../../base/number_text.ts";
import type { Backend, ResultRows } from "../../gpu/backend.ts";
import { type Column, type HostColumn, releaseColumn } from "../../gpu/column/column.ts";
import { partOf } from "../../gpu/column/part.ts";
import { sliceColumn } from "../../gpu/column/slice.ts";
import { type Value, valueAt } from "../../gpu/column/value_at.ts";
import { originOf } from "../../gpu/column/text_origin.ts";
import { DifferenceError } from "../../base/errors/device_error.ts";
import { shorten } from "../../gpu/kernel/tree/describe_tree.ts";
import type { Batch } from "../batch/batch.ts";
import type { CheckedExprs, CompiledExprs, StrictCheck } from "../expr/compile_exprs.ts";
import { isoText } from "../syntax/iso_time.ts";
import { namedType } from "../syntax/named_types.ts";
import { printLiteral } from "../syntax/print.ts";
import type { StageContext } from "../engine/node.ts";

/**
 * Evaluates compiled expressions over the columns of a batch: one column for each expression, for
 * as many of the first rows as fit. Rejects for the first of these rows that a strict call refuses:
 * with an ArithmeticError for an operation on numbers, else with a ConversionError.
 */
export async function evaluateExprs(
  { backend, signal }: Pick<StageContext, "backend" | "signal">,
  compiled: CompiledExprs,
  batch: Batch,
): Promise<ResultRows> {
  const { program, places, checked } = compiled;
  const operands = await operandsOf(backend, compiled, batch);
  try {
    return await inPlaces(places, backend.evaluate(program, operands, batch.numRows, signal));
  } catch (error) {
    if (checked === undefined || !isSluiceError(error, "RefusedError")) throw error;
  }
  return await evaluateChecked({ backend, signal }, checked, operands, batch.numRows);
}

/** Evaluates expressions with a check for each strict call, and looks at what the checks find. */
async function evaluateChecked(
  { backend, signal }: Pick<StageContext, "backend" | "signal">,
  { program, places, checks }: CheckedExprs,
  operands: readonly Column[],
  numBatchRows: number,
): Promise<ResultRows> {
  const evaluated = await inPlaces(
    places,
    backend.evaluate(program(), operands, numBatchRows, signal),
  );
  const { columns: results, numRows } = evaluated;
  const numValues = results.length - checks.length;
  const [columns, refusals] = [results.slice(0, numValues), results.slice(numValues)];
  try {
    const found = await refusalsIn(backend, checks, refusals, numRows);
    const [first] = found.sort((left, right) => left.row - right.row);
    if (first !== undefined) throw await refusalError(backend, operands, first);
  } catch (error) {
    columns.forEach(releaseColumn);
    throw error;
  }
  return { columns, numRows };
}

/**
 * Returns the inputs of a program. Columns that nothing reads stay as they are, since some types only
 * pass through. A part of a column is reached on the host.
 */
async function operandsOf(
  backend: Backend,
  { inputs, parts }: CompiledExprs,
  { columns }: Batch,
): Promise<Column[]> {
  const operands: Column[] = [];
  for (const [input, index] of inputs.entries()) {
    const { column } = columns[index]!;
    const steps = parts[input];
    if (steps === undefined) operands.push(column);
    else operands.push(partOf((await backend.download([column]))[0]!, steps));
  }
  return operands;
}

/** Awaits the result of a backend. If two backends differ, the error names the place. */
export async function inPlaces<T>(places: readonly string[], computed: Promise<T>): Promise<T> {
  try {
    return await computed;
  } catch (error) {
    throw DifferenceError.in(places, error);
  }
}

/** A row that a strict call refuses. */
interface Refusal {
  readonly check: StrictCheck;
  readonly row: number;
}

/** Returns the first of some rows that each check finds, and releases their outputs. */
async function refusalsIn(
  backend: Backend,
  checks: readonly StrictCheck[],
  outputs: readonly Column[],
  numRows: number,
): Promise<Refusal[]> {
  if (checks.length === 0) return [];
  try {
    const refusals = await backend.download(outputs);
    return checks.flatMap((check, index) => {
      const row = firstTrue(refusals[index]!);
      return row >= 0 && row < numRows ? [{ check, row }] : [];
    });
  } finally {
    outputs.forEach(releaseColumn);
  }
}

/** Returns the first row that is true and not null; -1 if there is none. */
function firstTrue({ data, validity, length }: HostColumn): number {
  for (let byte = 0; byte < (length + 7) >> 3; byte++) {
    let bits = (data[byte] ?? 0) & (validity?.[byte] ?? 0xff);
    if (byte === length >> 3) bits &= (1 << (length & 7)) - 1;
    if (bits !== 0) return byte * 8 + 31 - Math.clz32(bits & -bits);
  }
  return -1;
}

/** Formats a value, of type `from` if that is known, for an error. */
function printRefused(value: Value, from: string | undefined): string {
  const type = from === undefined ? undefined : namedType(from);
  if (typeof value !== "bigint" && typeof value !== "number") return printLiteral(value);
  if (type === undefined) return printNumber(value);
  if (DataType.isDecimal(type)) return decimalText(BigInt(value), type.scale);
  const isTime = DataType.isDate(type) || DataType.isTimestamp(type);
  return isTime ? isoText(BigInt(value), type) : printNumber(value);
}

/** Formats a number the same way at every width. */
function printNumber(value: bigint | number): string {
  return typeof value === "bigint" ? String(value) : printLiteral(value);
}

async function refusalError(
  backend: Backend,
  operands: readonly Column[],
  { check, row }: Refusal,
): Promise<ArithmeticError | ConversionError> {
  const { label, from, others = [], input, refusal } = check;
  const operand = input === undefined ? undefined : operands[input];
  const origin = operand?.place === "host" ? originOf(operand, row) : undefined;
  const rows = (await backend.download(operands)).map((column) =>
    sliceColumn(column, row, row + 1)
  );
  const { columns } = await backend.evaluate(check.operands(), rows, 1);
  try {
    const values = (await backend.download(columns)).map((column, index) =>
      shorten(printRefused(valueAt(column, 0), [from, ...others][index]))
    );
    if (refusal !== undefined) {
      const texts = [label, ...values];
      return new ArithmeticError(refusal.replace(/\$(\d)/g, (_, k) => texts[k] ?? ""), row);
    }
    const [shown = ""] = values;
    return new ConversionError(`${label} refuses ${shown}`, row, {}, { shown, origin });
  } finally {
    columns.forEach(releaseColumn);
  }
}
