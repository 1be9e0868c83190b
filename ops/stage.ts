/**
 * Stages of the two common shapes.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { Utf8Error } from "../gpu/errors.ts";
import { BatchFullError } from "../gpu/host/batch_full.ts";
import { FileError } from "../streams/errors.ts";
import type { Batch } from "./batch.ts";
import { inFlight } from "./in_flight.ts";
import type { Stage, StageContext } from "./node.ts";
import { RowError } from "./step_error.ts";

/** Computes the result of one batch, which stays the caller's. */
export type Compute = (batch: Batch, context: StageContext) => Promise<Batch>;

/** A stage that turns each batch into one without waiting for anything. */
export function mapStage(schema: Schema, map: (batch: Batch) => Batch): Stage {
  return {
    schema,
    explain: () => [],
    async *run(input) {
      for await (const batch of input) {
        const result = map(batch);
        batch.release();
        yield result;
      }
    },
  };
}

/**
 * A stage that computes each batch by itself on the backend. Where its result would be more than one
 * batch should hold, it gives several.
 */
export function computeStage(
  schema: Schema,
  compute: Compute,
  explain: readonly string[] = [],
): Stage {
  return {
    schema,
    explain: () => explain,
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
  let result: Batch | undefined;
  let parts: readonly Batch[] = [];
  try {
    result = await compute(batch, context);
  } catch (error) {
    if (!(error instanceof BatchFullError)) throw errorOfRow(error, firstRow);
    parts = await cutAt(batch, error.row, context);
  } finally {
    batch.release();
  }
  if (result !== undefined) yield result;
  let row = firstRow;
  for (const part of parts) {
    yield* computeBatch(part, row, context, compute);
    row += part.numRows;
  }
}

async function cutAt(batch: Batch, row: number, { backend }: StageContext): Promise<Batch[]> {
  await batch.toHost(backend);
  return [batch.slice(0, row), batch.slice(row, batch.numRows)];
}

/** An error of a row of a batch as one of a row of the stream. */
function errorOfRow(error: unknown, firstRow: number): unknown {
  if (error instanceof Utf8Error && error.origin !== undefined) return fileErrorOf(error);
  const row = (error as { row?: unknown } | null)?.row;
  return typeof row === "number" ? new RowError(firstRow + row, error) : error;
}

/** Text that was never UTF-8 is an error of the file that it came from. */
function fileErrorOf(cause: Utf8Error): unknown {
  const { source, column, row } = cause.origin!;
  const place = { row, column, cause };
  return new FileError(source, `row ${row}, column ${column}: invalid UTF-8`, place);
}
