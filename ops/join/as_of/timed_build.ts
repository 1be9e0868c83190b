/**
 * The rows of the build side of an as-of join, with their times.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import { type HostColumn, nullColumn } from "../../../gpu/column/column.ts";
import { columnTypeIn } from "../../batch/arrow_types.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import type { BoundAsOf } from "./bound.ts";
import type { SideReader, TimedRows } from "./sides.ts";

/** A batch of the build side. */
export interface TimedBuild {
  readonly timed: TimedRows;
  /** The columns that come out, on the host. */
  readonly payload: readonly HostColumn[];
}

/** Yields the rows of the build side with their times. An unsorted row is an error that names it. */
export async function* timedBuild(
  { built, payload }: BoundAsOf,
  reader: SideReader,
  build: AsyncIterable<HostRows>,
): AsyncGenerator<TimedBuild, void, void> {
  for await (const { columns, numRows } of build) {
    const columnAt = (place: number) => columns[place]!;
    const timed = inBuildSide(() =>
      reader.read(columnAt(built.time), built.by.map(columnAt), numRows)
    );
    yield { timed, payload: payload.map(columnAt) };
  }
}

/** Puts the row number of an error into its message, since it is not a row of the operator's input. */
function inBuildSide<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSluiceError(error, "UnsortedError")) throw error;
    throw new RangeError(`${error.message} (row ${error.row} of the build side)`, { cause: error });
  }
}

/** Returns the columns of the payload without rows. */
export function emptyPayload({ payload, request: { columns } }: BoundAsOf): HostColumn[] {
  return payload.map((place) => nullColumn(columnTypeIn(columns.fields[place]!), 0));
}
