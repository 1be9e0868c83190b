/**
 * Columns of both sides, from which the rows of pairs are gathered in ranges of bounded size.
 *
 * @module
 */

import type { Backend, ResultLimits } from "../../../gpu/backend.ts";
import {
  type Column,
  hasOffsets,
  type HostColumn,
  releaseColumn,
} from "../../../gpu/column/column.ts";
import { cutRows, longestRow, type RowsOfResult } from "../../../gpu/column/row_bytes.ts";
import type { PairRows } from "./candidate_pairs.ts";

/** The columns of one side. Columns on a device are borrowed. */
export interface TakenColumns {
  readonly columns: readonly Column[];
  /** The same columns, for their sizes only; columns on a device have no values here. */
  readonly sizes: readonly HostColumn[];
  /** The number of bytes of the largest row. */
  readonly longest: number;
}

/** Returns columns that are on the host. */
export function takenOnHost(columns: readonly HostColumn[]): TakenColumns {
  return { columns, sizes: columns, longest: longestRow(columns) };
}

/** Returns columns on the host or a device; text and lists move to the host, which knows their sizes. */
export async function takenColumns(
  columns: readonly Column[],
  backend: Backend,
): Promise<TakenColumns> {
  const isFar = (column: Column) => column.place === "device" && hasOffsets(column.type);
  const far = columns.filter(isFar);
  const near = far.length === 0 ? [] : await backend.download(far);
  const taken = columns.map((column) => isFar(column) ? near[far.indexOf(column)]! : column);
  const sizes = taken.map((column) => column.place === "host" ? column : withoutValues(column));
  return { columns: taken, sizes, longest: longestRow(sizes) };
}

function withoutValues({ type, length }: Column): HostColumn {
  const none = { nullCount: 0, validity: null, data: new Uint8Array(0), offsets: null };
  return { place: "host", type, length, ...none, children: [] };
}

/** Splits pairs into ranges of at most `limits.bytes` bytes; a larger pair is a range of its own. */
export function pairRanges(
  { probeRows, buildRows }: PairRows,
  probed: TakenColumns,
  payload: TakenColumns,
  { bytes }: ResultLimits,
): Generator<RowsOfResult, void, void> {
  const picked = [
    { columns: probed.sizes, rows: probeRows },
    { columns: payload.sizes, rows: buildRows },
  ];
  return cutRows(
    picked,
    probeRows.length,
    { rows: Infinity, bytes },
    probed.longest + payload.longest,
  );
}

/** Gathers the rows of a range: columns of the probe side, then of the build side. The caller owns them. */
export async function takePairs(
  { probeRows, buildRows }: PairRows,
  { start, stop }: RowsOfResult,
  probed: TakenColumns,
  payload: TakenColumns,
  backend: Backend,
): Promise<Column[]> {
  const left = await backend.gather(probed.columns, probeRows.subarray(start, stop));
  try {
    return [...left, ...await backend.gather(payload.columns, buildRows.subarray(start, stop))];
  } catch (error) {
    left.forEach(releaseColumn);
    throw error;
  }
}
