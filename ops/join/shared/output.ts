/**
 * Batches of the result of a join, assembled from the columns of both sides.
 *
 * @module
 */

import type { Backend, ResultLimits, ResultRows } from "../../../gpu/backend.ts";
import { nullColumn, releaseColumn, sameType } from "../../../gpu/column/column.ts";
import { widenColumn } from "../../../gpu/key/widen_column.ts";
import { columnTypeIn } from "../../batch/arrow_types.ts";
import { Batch } from "../../batch/batch.ts";
import { BatchColumn } from "../../batch/batch_column.ts";
import type { JoinColumns, OutputColumn } from "./columns.ts";
import type { JoinedRows } from "./restore_order.ts";

/** The limits of a batch of the result if the host finds its rows. */
export const limits: ResultLimits = { rows: 65_536, bytes: 64 << 20 };

/** Returns the limits of a batch of the result if a backend finds its rows. */
export function limitsOf({ resultRows }: Backend): ResultLimits {
  return { ...limits, rows: resultRows };
}

/** Yields the rows of a result as batches. */
export async function* outputBatches(
  columns: JoinColumns,
  results: AsyncIterable<JoinedRows>,
  backend: Backend,
): AsyncGenerator<Batch, void, void> {
  for await (const rows of results) yield await outputBatch(columns, rows, rows.side, backend);
}

/** Returns rows of the result as a batch, and takes ownership of them. */
export async function outputBatch(
  { schema, outputs }: JoinColumns,
  { columns, numRows }: ResultRows,
  side: JoinedRows["side"],
  backend: Backend,
): Promise<Batch> {
  const places = side === "probe" ? placesOfProbe(outputs) : placesOfBuildOnly(outputs);
  const types = outputs.map(({ field }) => columnTypeIn(field));
  const rows = places.map((place, index) =>
    place < 0 ? nullColumn(types[index]!, numRows) : columns[place]!
  );
  const narrow = rows.flatMap((row, index) => sameType(row.type, types[index]!) ? [] : [index]);
  try {
    const onHost = await backend.download(narrow.map((index) => rows[index]!));
    for (const [at, index] of narrow.entries()) {
      const wide = widenColumn(onHost[at]!, types[index]!);
      releaseColumn(rows[index]!);
      rows[index] = wide;
    }
  } catch (error) {
    rows.forEach(releaseColumn);
    throw error;
  }
  const output = rows.map((row, index) => BatchColumn.fromColumn(outputs[index]!.field.type, row));
  return new Batch(schema, numRows, output);
}

/** Returns the place of each output's column in the result of a probe. */
function placesOfProbe(outputs: readonly OutputColumn[]): number[] {
  let next = 0;
  let nextBuild = outputs.filter(({ left }) => left !== undefined).length;
  return outputs.map(({ left }) => left === undefined ? nextBuild++ : next++);
}

/** Returns the place of each output's column in build-only rows; -1 for columns that they lack. */
function placesOfBuildOnly(outputs: readonly OutputColumn[]): number[] {
  let next = 0;
  let nextBuildOnly = outputs.filter(({ left }) => left === undefined).length;
  return outputs.map(({ left, right }) => {
    if (left === undefined) return next++;
    return right === undefined ? -1 : nextBuildOnly++;
  });
}

/** Returns the names of the columns of a probe's result, in order, for errors. */
export function resultPlaces({ outputs }: JoinColumns): string[] {
  const probed = outputs.filter(({ left }) => left !== undefined);
  const built = outputs.filter(({ left }) => left === undefined);
  return [...probed, ...built].map(({ field }) => `column ${field.name}`);
}
