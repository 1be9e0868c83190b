/**
 * Stages of the two common shapes.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { OverflowError, Utf8Error } from "../gpu/errors.ts";
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
 * A stage that computes each batch by itself on the backend. Where the text of a result would not
 * fit 32-bit offsets, the rows are halved and computed again; one row that does not fit is the
 * error.
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
      inFlight(input, context, (batch, row) => computeInHalves(batch, row, context, compute)),
  };
}

async function* computeInHalves(
  batch: Batch,
  firstRow: number,
  context: StageContext,
  compute: Compute,
): AsyncGenerator<Batch, void, void> {
  let result: Batch | undefined;
  let halves: readonly Batch[] = [];
  try {
    result = await computeOrOverflow(batch, firstRow, context, compute);
    if (result === undefined) halves = await halve(batch, context);
  } finally {
    batch.release();
  }
  if (result !== undefined) yield result;
  let row = firstRow;
  for (const half of halves) {
    yield* computeInHalves(half, row, context, compute);
    row += half.numRows;
  }
}

/** The result, or undefined where fewer rows may succeed. */
async function computeOrOverflow(
  batch: Batch,
  firstRow: number,
  context: StageContext,
  compute: Compute,
): Promise<Batch | undefined> {
  try {
    return await compute(batch, context);
  } catch (error) {
    if (error instanceof OverflowError && batch.numRows > 1) return undefined;
    if (error instanceof Utf8Error && error.origin !== undefined) throw fileErrorOf(error);
    const row = error instanceof OverflowError ? 0 : (error as { row?: unknown } | null)?.row;
    throw typeof row === "number" ? new RowError(firstRow + row, error) : error;
  }
}

/** Text that was never UTF-8 is an error of the file that it came from. */
function fileErrorOf(cause: Utf8Error): unknown {
  const { source, column, row } = cause.origin!;
  const place = { row: row + 1, column, cause };
  return new FileError(source, `row ${row + 1}, column ${column}: invalid UTF-8`, place);
}

async function halve(batch: Batch, { backend }: StageContext): Promise<Batch[]> {
  await batch.toHost(backend);
  const middle = batch.numRows >> 1;
  return [batch.slice(0, middle), batch.slice(middle, batch.numRows)];
}
