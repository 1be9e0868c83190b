/**
 * The build side of an as-of join, batch after batch.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { type HostColumn, nullColumn } from "../../../gpu/column/column.ts";
import { columnTypeIn } from "../../batch/arrow_types.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import type { BoundAsOf } from "./bound.ts";
import type { SideReader, TimedRows } from "./sides.ts";

/** Rows of the build side. */
export interface BuildPiece {
  readonly timed: TimedRows;
  /** The columns that come out, on the host. */
  readonly payload: readonly HostColumn[];
}

/** Yields the rows of the build side with their times. An unsorted row is an error that names it. */
export async function* buildPieces(
  { built, payload }: BoundAsOf,
  reader: SideReader,
  build: AsyncIterable<HostRows>,
): AsyncGenerator<BuildPiece, void, void> {
  for await (const { columns, numRows } of build) {
    const columnAt = (place: number) => columns[place]!;
    const timed = inBuildSide(() =>
      reader.read(columnAt(built.time), built.by.map(columnAt), numRows)
    );
    yield { timed, payload: payload.map(columnAt) };
  }
}

/** A row of the build side is no row of the operator's input: the message has it. */
function inBuildSide<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSluiceError(error, "UnsortedError")) throw error;
    throw new RangeError(`${error.message} (row ${error.row} of the build side)`, { cause: error });
  }
}

/** The columns of the payload without rows. */
export function emptyPayload({ payload, request: { columns } }: BoundAsOf): HostColumn[] {
  return payload.map((place) => nullColumn(columnTypeIn(columns.fields[place]!), 0));
}
