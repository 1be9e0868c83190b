/**
 * Stages of the two common shapes.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { Utf8Error } from "../../gpu/errors.ts";
import { BatchFullError, type Evaluated } from "../../gpu/host/batch_full.ts";
import { FileError } from "../../streams/errors.ts";
import { Batch } from "../batch/batch.ts";
import { explainKernels } from "../expr/explain.ts";
import type { CompiledExprs } from "../expr/fuse.ts";
import { inFlight } from "./in_flight.ts";
import type { Stage, StageContext } from "./node.ts";
import { RowError } from "./step_error.ts";

/**
 * Computes the result of one batch, which stays the caller's. What is `done` of it already came with
 * the BatchFullError of a larger one.
 */
export type Compute = (batch: Batch, context: StageContext, done?: Evaluated) => Promise<Batch>;

/** A stage that turns each batch into one without waiting for anything. */
export function mapStage(schema: Schema, map: (batch: Batch) => Batch): Stage {
  return {
    schema,
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
 * A stage that computes each batch by itself on the backend, by `compiled` expressions. Where its result would be more than one
 * batch should hold, it gives several.
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

/** Rows of a batch, and what is known of their result. */
interface Part {
  readonly batch: Batch;
  /** The place of its first row in the stream. */
  readonly firstRow: number;
  readonly done?: Evaluated;
}

async function* computeBatch(
  batch: Batch,
  firstRow: number,
  context: StageContext,
  compute: Compute,
): AsyncGenerator<Batch, void, void> {
  // What was taken from here is held by nobody: it may be large.
  const parts: Part[] = [{ batch, firstRow }];
  try {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const outcome = await tryPart(part, context, compute);
      if (outcome instanceof Batch) yield outcome;
      else parts.unshift(...outcome);
    }
  } finally {
    for (const { batch } of parts) batch.release();
  }
}

/** The result of a part, or the parts that have to be computed in its place. Releases it. */
async function tryPart(
  { batch, firstRow, done }: Part,
  context: StageContext,
  compute: Compute,
): Promise<Batch | readonly Part[]> {
  try {
    return await compute(batch, context, done);
  } catch (error) {
    if (!(error instanceof BatchFullError)) throw errorOfRow(error, firstRow);
    await batch.toHost(context.backend);
    const { row, done } = error;
    return [
      { batch: batch.slice(0, row), firstRow, done },
      { batch: batch.slice(row, batch.numRows), firstRow: firstRow + row },
    ];
  } finally {
    batch.release();
  }
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
