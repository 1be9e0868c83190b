/**
 * The two common kinds of stages: they pick columns, or compute batch by batch.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { Schema } from "apache-arrow";
import { FileError } from "../../base/errors/file_error.ts";
import type { Utf8Error } from "../../base/errors/value_error.ts";
import type { Backend } from "../../gpu/backend.ts";
import type { Batch } from "../batch/batch.ts";
import { explainKernels } from "../expr/explain.ts";
import type { CompiledExprs } from "../expr/compile_exprs.ts";
import { inFlight } from "./in_flight.ts";
import type { Stage, StageContext } from "./node.ts";
import { RowError } from "../../base/errors/step_error.ts";

/**
 * A function that computes the result of a borrowed batch, or of its first rows if the whole result
 * would be too large for one batch.
 */
export type Compute = (batch: Batch, context: StageContext) => Promise<Computed>;

/** The result of the first `numRows` rows of a batch. */
interface Computed {
  readonly result: Batch;
  readonly numRows: number;
}

/**
 * Returns the first rows of a batch: the batch itself for all rows, otherwise a slice on the host.
 */
export async function firstRows(batch: Batch, numRows: number, backend: Backend): Promise<Batch> {
  if (numRows === batch.numRows) return batch;
  await batch.toHost(backend);
  return batch.slice(0, numRows);
}

/** Returns the number of kernels of a stage; the probes of a join count as one. */
export function numKernelsOf({ compiled, probes = false }: Stage): number {
  return (compiled?.program.kernels.length ?? 0) + (probes ? 1 : 0);
}

/** Creates a stage that picks columns of each batch by index. */
export function pickStage(schema: Schema, indices: readonly number[]): Stage {
  return {
    schema,
    async *run(input) {
      for await (const batch of input) {
        const picked = batch.pick(schema, indices);
        batch.release();
        yield picked;
      }
    },
  };
}

/**
 * Creates a stage that computes each batch separately on the backend, with `compiled` expressions.
 * Splits a result that is too large for one batch into several.
 */
export function computeStage(
  schema: Schema,
  compute: Compute,
  compiled?: CompiledExprs,
): Stage {
  return {
    schema,
    explain: () => compiled === undefined ? [] : explainKernels(compiled).split("\n"),
    ...(compiled === undefined ? {} : { compiled }),
    run: (input, context) =>
      inFlight(input, context, (batch, row) => computeBatch(batch, row, context, compute)),
  };
}

async function* computeBatch(
  batch: Batch,
  firstRow: number,
  context: StageContext,
  compute: Compute,
): AsyncGenerator<Batch, void, void> {
  let rest: Batch | null = batch;
  try {
    while (rest !== null) {
      const { result, numRows }: Computed = await computeFirst(rest, firstRow, context, compute);
      const computed: Batch = rest;
      rest = numRows < computed.numRows ? computed.slice(numRows, computed.numRows) : null;
      firstRow += numRows;
      // Release before yielding: the memory may be large, and the consumer slow.
      computed.release();
      yield result;
    }
  } finally {
    rest?.release();
  }
}

async function computeFirst(
  batch: Batch,
  firstRow: number,
  context: StageContext,
  compute: Compute,
): Promise<Computed> {
  try {
    const computed = await compute(batch, context);
    if (computed.numRows < batch.numRows) await batch.toHost(context.backend);
    return computed;
  } catch (error) {
    throw errorOfRow(error, firstRow);
  }
}

/** Converts the row of an error from the batch to the stream. */
export function errorOfRow(error: unknown, firstRow: number): unknown {
  if (isSluiceError(error, "Utf8Error") && error.origin !== undefined) return fileErrorOf(error);
  const row = (error as { row?: unknown } | null)?.row;
  return typeof row === "number" ? new RowError(firstRow + row, error) : error;
}

/** Returns the error of the source file for invalid UTF-8 in the input. */
function fileErrorOf(cause: Utf8Error): unknown {
  const { source, column, row } = cause.origin!;
  const place = { row, column, cause };
  return new FileError(source, `row ${row}, column ${column}: invalid UTF-8`, place);
}
