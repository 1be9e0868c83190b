/**
 * Regroups batches: buffers parts, and copies them into batches of the size that is asked for.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type { HostColumn } from "../../gpu/column/column.ts";
import { type Grouping, type Piece, Regrouper } from "../../streams/sink/regrouper.ts";
import { columnTypeIn } from "../batch/arrow_types.ts";
import type { Batch } from "../batch/batch.ts";
import { inFlight } from "../engine/in_flight.ts";
import type { StageContext } from "../engine/node.ts";
import { GrowingBatch } from "./growing_batch.ts";
import { fixedBytes, rowBytes } from "./row_bytes.ts";
import { ValueChanges } from "./value_changes.ts";

/**
 * Bytes of parts that are held before they are copied. Below it each byte of a batch is copied once,
 * beyond it twice; it is what a batch may take in memory besides its own bytes.
 */
const MOST_SHARED = 32 << 20;

/** The batches to make. */
export interface RegroupSpec {
  readonly grouping: Grouping;
  /** The columns whose equal neighbours stay together. */
  readonly by: readonly string[];
}

/**
 * The rows of the input in other batches. A batch that is seen to be one of them already is passed on
 * as it is, where it lies; others come to the host, and so do those that only the next batch ends. Of
 * columns whose values say where batches end, these are read, and of text the offsets where bytes are
 * counted; else nothing is.
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
      const piece = pieceOf(batch, changed);
      for (let next = 0; next < batch.numRows;) {
        const { start, stop, isLast } = regrouper.next(piece, next);
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
 * The input, of which what comes to the host is downloaded ahead: batches share the wait for a device.
 * Where only rows are counted, these are the batches that are cut or joined with others.
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

/** Whether the next rows are one group of all those whose rows are counted, ahead of their turn. */
function isWholeGroup(ahead: Regrouper, numRows: number): boolean {
  const piece = { numRows, rowBytes: () => 0 };
  const { isOpen } = ahead;
  try {
    const [first, ...others] = ahead.push(piece);
    return !isOpen && others.length === 0 && first?.isLast === true;
  } catch (error) {
    // In its turn it is an error, behind the groups before it.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Times the rows that a group has already that are expected of it at most. */
const MOST_TIMES = 16;

/**
 * The rows of the group with a number that has some rows already, or a few more; undefined where only
 * the rows of the input may say it.
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

/** The grouping of rows alone, where bytes are those of whole batches. */
function besideFixed(grouping: Grouping, schema: Schema): Grouping {
  if (grouping.kind === "sizes") return grouping;
  const types = schema.fields.map(columnTypeIn);
  const beside = types.reduce((sum, type) => sum + fixedBytes(type), 0);
  return { ...grouping, bytes: grouping.bytes - beside };
}

/** Downloads only some columns. */
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

function pieceOf(batch: Batch, changes: ArrayLike<number>): Piece {
  const { numRows, columns } = batch;
  return {
    numRows,
    changes,
    rowBytes: (start, stop) =>
      columns.reduce((sum, { column }) => sum + rowBytes(column as HostColumn, start, stop), 0),
  };
}
