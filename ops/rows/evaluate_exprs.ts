/** @module */

import type { Backend } from "../../gpu/backend.ts";
import { type Column, type HostColumn, releaseColumn } from "../../gpu/column/column.ts";
import type { Evaluated } from "../../gpu/host/batch_full.ts";
import type { Batch } from "../batch/batch.ts";
import { ConversionError } from "./conversion_error.ts";
import { valueAt } from "../expr/evaluate_literal.ts";
import type { CompiledExprs, StrictCheck } from "../expr/fuse.ts";
import { printLiteral } from "../expr/print.ts";
import type { StageContext } from "../engine/node.ts";

/**
 * The values of compiled expressions over the columns of one batch, one column an expression. Rejects
 * with a ConversionError for the first row that a strict call refuses.
 *
 * What is `done` of the program for these rows is taken as it is. It may be of another program, of
 * which this one computed something on the way: then it is of no use.
 */
export async function evaluateExprs(
  { backend, signal }: Pick<StageContext, "backend" | "signal">,
  { program, inputs, checks }: CompiledExprs,
  batch: Batch,
  done?: Evaluated,
): Promise<Column[]> {
  const { columns, numRows } = batch;
  // Columns that nothing reads stay as they are; some types only pass through.
  const operands = inputs.map((index) => columns[index]!.column);
  const results = done?.program === program
    ? [...done.columns]
    : await backend.evaluate(program, operands, numRows, signal);
  if (checks.length === 0) return results;
  const values = results.slice(0, -checks.length);
  const refusals = results.slice(-checks.length);
  try {
    const refused = firstRefusal(checks, await backend.download(refusals));
    if (refused !== undefined) {
      const { check, row } = refused;
      const [subject] = await backend.evaluate(check.subject(), operands, numRows, signal);
      throw await conversionError(backend, check, subject!, row);
    }
  } catch (error) {
    values.forEach(releaseColumn);
    throw error;
  } finally {
    refusals.forEach(releaseColumn);
  }
  return values;
}

function firstRefusal(
  checks: readonly StrictCheck[],
  refusals: readonly HostColumn[],
): { check: StrictCheck; row: number } | undefined {
  const found = checks.map((check, index) => ({ check, row: firstTrue(refusals[index]!) }))
    .filter(({ row }) => row >= 0);
  return found.sort((left, right) => left.row - right.row)[0];
}

/** The first row that is true and not null; -1 where none is. */
function firstTrue({ data, validity, length }: HostColumn): number {
  for (let byte = 0; byte < (length + 7) >> 3; byte++) {
    let bits = (data[byte] ?? 0) & (validity?.[byte] ?? 0xff);
    if (byte === length >> 3) bits &= (1 << (length & 7)) - 1;
    if (bits !== 0) return byte * 8 + 31 - Math.clz32(bits & -bits);
  }
  return -1;
}

async function conversionError(
  backend: Backend,
  { label }: StrictCheck,
  subject: Column,
  row: number,
): Promise<ConversionError> {
  try {
    const [column] = await backend.download([subject]);
    return new ConversionError(`${label} refuses ${printLiteral(valueAt(column!, row))}`, row);
  } finally {
    releaseColumn(subject);
  }
}
