/**
 * Regroups batches: buffers parts, and copies them into batches of the requested size.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import { type BatchInfo, type Grouping, Regrouper } from "../../streams/sink/regrouper.ts";
import { columnTypeIn } from "../batch/arrow_types.ts";
import type { Batch } from "../batch/batch.ts";
import { inFlight } from "../engine/in_flight.ts";
import type { StageContext } from "../engine/node.ts";
import { GrowingBatch } from "./growing_batch.ts";
import { fixedBytes, rowBytes } from "./row_bytes.ts";
import { ValueChanges } from "./value_changes.ts";

/**
 * The bytes of parts that are kept before they are copied. Up to this size each byte of a batch is
 * copied once, beyond it twice. It is the memory that a batch may take besides its own bytes.
 */
const MOST_SHARED = 32 << 20;

/** The requested batches. */
export interface RegroupSpec {
  readonly grouping: Grouping;
  /** The columns whose equal neighbours stay together. */
  readonly by: readonly string[];
}

/**
 * Yields the rows of the input in other batches. A batch that already is one of these passes
 * unchanged, on the host or the device; others come to the host, and so do batches that only the
 * next batch ends. Reads only columns whose values decide where batches end, and the offsets of
 * text where bytes are counted.
 */
export async function* regroupBatches(
  schema: Schema,
  { grouping, by }: RegroupSpec,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { backend, memory, onBuffered, inputRows } = context;
  const places = by.map((name) => schema.fields.findIndex((field) => field.name === name));
  const changes = new ValueChanges();
  const regrouper = new Regrouper(besideFixed(grouping, schema));
  const expectedRows = (numRows: number) =>
    rowsOfGroup(grouping, regrouper.numGroups, numRows) ?? inputRows?.();
  const open = new GrowingBatch(schema, Math.min(MOST_SHARED, memory), expectedRows);
  for await (const batch of downloadedAhead(input, context, grouping, places)) {
    let isKept = false;
    try {
      if (batch.numRows === 0) continue;
      const changed = places.length === 0 ? [] : changes.next(hostColumns(batch, places));
      const info = infoOf(batch, changed);
      for (let next = 0; next < batch.numRows;) {
        const { start, stop, isLast } = regrouper.next(info, next);
        next = stop;
        const isWhole = stop - start === batch.numRows;
        if (isWhole && isLast && open.isEmpty) {
          isKept = true;
          yield batch;
          break;
        }
        if (stop > start) {
          if (!batch.isOnHost) await batch.toHost(backend);
          isKept = isWhole;
          const appended = open.append(isWhole ? batch : batch.slice(start, stop));
          if (appended !== undefined) await appended;
          onBuffered?.(open.numBytes);
        }
        if (isLast) yield open.finish();
      }
    } finally {
      if (!isKept) batch.release();
    }
  }
  if (regrouper.end()) yield open.finish();
}

/**
 * Yields the input, with the columns that regrouping reads on the host downloaded ahead, so that
 * batches share the wait for a device. Where only rows are counted, downloads only batches that
 * will be cut or joined.
 */
function downloadedAhead(
  input: AsyncIterable<Batch>,
  context: StageContext,
  grouping: Grouping,
  places: readonly number[],
): AsyncIterable<Batch> {
  const { backend } = context;
  if (backend.kind === "host") return input;
  const countsBytes = grouping.kind !== "sizes" && grouping.bytes !== Infinity;
  const ahead = new Regrouper(grouping);
  return inFlight(input, context, async function* (batch) {
    try {
      if (places.length > 0 && !countsBytes) await pickToHost(batch, places, backend);
      else if (countsBytes || !isWholeGroup(ahead, batch.numRows)) await batch.toHost(backend);
    } catch (error) {
      batch.release();
      throw error;
    }
    yield batch;
  });
}

/**
 * Whether the next `numRows` rows form one whole group, judged by counting rows ahead of the real
 * regrouper.
 */
function isWholeGroup(ahead: Regrouper, numRows: number): boolean {
  const info = { numRows, rowBytes: () => 0 };
  const { isOpen } = ahead;
  try {
    const [first, ...others] = ahead.push(info);
    return !isOpen && others.length === 0 && first?.isLast === true;
  } catch (error) {
    // The real regrouper reports the error, after the groups before it.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The most times its present rows that a group is expected to reach. */
const MOST_TIMES = 16;

/**
 * Estimates the final rows of group `index`, which has `numRows` already. Undefined if that depends
 * on the number of input rows.
 */
function rowsOfGroup(grouping: Grouping, index: number, numRows: number): number | undefined {
  switch (grouping.kind) {
    case "sizes":
      return grouping.sizes[index];
    case "runs":
      return 0;
    case "size":
      if (grouping.bytes !== Infinity) return 0;
      return grouping.rows === Infinity ? undefined : Math.min(grouping.rows, MOST_TIMES * numRows);
  }
}

/**
 * Returns the grouping with the bytes that a batch has besides its rows subtracted from its limit.
 */
function besideFixed(grouping: Grouping, schema: Schema): Grouping {
  if (grouping.kind === "sizes") return grouping;
  const types = schema.fields.map(columnTypeIn);
  const beside = types.reduce((sum, type) => sum + fixedBytes(type), 0);
  return { ...grouping, bytes: grouping.bytes - beside };
}

/** Downloads only some columns of a batch. */
async function pickToHost(
  batch: Batch,
  places: readonly number[],
  backend: StageContext["backend"],
): Promise<void> {
  const picked = batch.pick(batch.schema, places);
  try {
    await picked.toHost(backend);
  } finally {
    picked.release();
  }
}

function hostColumns({ columns }: Batch, places: readonly number[]): HostColumn[] {
  return places.map((place) => columns[place]!.column as HostColumn);
}

function infoOf(batch: Batch, changes: ArrayLike<number>): BatchInfo {
  const { numRows, columns } = batch;
  return {
    numRows,
    changes,
    rowBytes: (start, stop) =>
      columns.reduce((sum, { column }) => sum + rowBytes(column as HostColumn, start, stop), 0),
  };
}
