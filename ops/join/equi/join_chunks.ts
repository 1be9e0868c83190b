/**
 * Joins a partition that is too large for one table and that cannot be divided, since it is mostly one
 * key: chunk by chunk of its build side.
 *
 * The probe side is read again for each chunk. A probe row may have matches in any chunk, so a set
 * collects the rows that have had one; the others come out at the end, in a run of their own.
 *
 * @module
 */

import type { JoinTable } from "../../../gpu/backend.ts";
import type { JoinHow } from "../../../gpu/join_kind.ts";
import { evenBlocks } from "../../spill/blocks.ts";
import { gatherRows, type HostRows } from "../../spill/host_rows.ts";
import { countFrom, numberColumn } from "../../spill/row_numbers.ts";
import type { RowFile } from "../../spill/row_file.ts";
import { RowSet } from "../../spill/row_set.ts";
import { chunksOf } from "../../spill/chunks.ts";
import type { RunRows } from "../shared/restore_order.ts";
import type { SpilledJoin } from "./spilled_join.ts";
import {
  buildOnlyOf,
  indexBytes,
  makeEmptyTable,
  makeTable,
  type MarkedRows,
  probeMarked,
} from "./tables.ts";

/** The kind by which each chunk is joined. It leaves out rows that only all chunks together determine. */
const CHUNK_HOW: Readonly<Record<JoinHow, JoinHow>> = {
  inner: "inner",
  left: "inner",
  right: "right",
  full: "right",
  semi: "semi",
  anti: "semi",
  "right-semi": "right-semi",
  "right-anti": "right-anti",
  cross: "cross",
};

/** Joins the rows of `build` with those of `probe`. */
export async function* joinChunks(
  join: SpilledJoin,
  build: AsyncIterable<HostRows>,
  probe: RowFile,
): AsyncGenerator<RunRows, void, void> {
  const { matchedRows, unmatchedRows: numUnmatched } = join.kind;
  const needsMatched = matchedRows === "once" || numUnmatched > 0;
  const matched = needsMatched ? new RowSet(probe.numRows) : undefined;
  let empty: JoinTable | undefined;
  try {
    for await (const { rows } of chunksOf(build, tableFits(join))) {
      if (numUnmatched > 0) empty ??= await makeEmptyTable(join, rows);
      const table = await makeTable(join, rows, CHUNK_HOW[join.shape.how]);
      try {
        yield* probeChunk(join, table, probe, matched);
        yield* buildOnlyOf(join, [table]);
      } finally {
        table.release();
      }
    }
    if (empty !== undefined) yield* unmatchedOf(join, empty, probe, matched!);
  } finally {
    empty?.release();
  }
}

/** Creates the test whether a table of some rows fits: while it is made, memory holds the rows twice. */
function tableFits({ spill: { sizes }, shape }: SpilledJoin) {
  return (numRows: number, numBytes: number): boolean => {
    const tableBytes = numBytes + indexBytes(numRows, shape.keyType);
    return tableBytes <= sizes.tables && numBytes + tableBytes <= sizes.rows;
  };
}

/** Yields the rows of the probe side that match a chunk, as pairs or once, and adds them to `matched`. */
async function* probeChunk(
  join: SpilledJoin,
  table: JoinTable,
  probe: RowFile,
  matched: RowSet | undefined,
): AsyncGenerator<RunRows, void, void> {
  const { matchedRows } = join.kind;
  const run = join.spill.nextRun();
  for await (const { rows, places } of placedBlocks(join, probe)) {
    // Where one match is enough, rows that have had one are left out.
    const wanted = matched !== undefined && matchedRows !== "each"
      ? unmatchedRows(matched, { rows, places })
      : { rows, places };
    const numbers = join.numbersProbe ? [wanted.rows.columns.at(-1)!] : [];
    const extra = matched === undefined ? numbers : [...numbers, numberColumn(wanted.places)];
    for await (const result of probeMarked(join, table, wanted.rows, extra)) {
      matched?.add(result.marks.at(-1)!);
      if (matchedRows !== "never") yield runRows(join, run, result);
    }
  }
}

/** Yields the rows that matched no chunk, by probing a table without rows. */
async function* unmatchedOf(
  join: SpilledJoin,
  empty: JoinTable,
  probe: RowFile,
  matched: RowSet,
): AsyncGenerator<RunRows, void, void> {
  const run = join.spill.nextRun();
  for await (const block of placedBlocks(join, probe)) {
    const { rows } = unmatchedRows(matched, block);
    const extra = join.numbersProbe ? [rows.columns.at(-1)!] : [];
    for await (const result of probeMarked(join, empty, rows, extra)) {
      yield runRows(join, run, result);
    }
  }
}

function runRows(
  { numbersProbe }: SpilledJoin,
  run: number,
  { columns, numRows, marks }: MarkedRows,
): RunRows {
  const numbers = numbersProbe ? { numbers: marks[0]! } : {};
  return { run, side: "probe", columns, numRows, ...numbers };
}

/** Rows of a file, and their places in it. */
interface PlacedRows {
  readonly rows: HostRows;
  readonly places: Float64Array;
}

async function* placedBlocks(
  join: SpilledJoin,
  file: RowFile,
): AsyncGenerator<PlacedRows, void, void> {
  let first = 0;
  for await (const rows of evenBlocks(file.rows(), join.spill.sizes.block)) {
    join.spill.checkSignal();
    yield { rows, places: countFrom(first, rows.numRows) };
    first += rows.numRows;
  }
}

/** Returns the rows that have had no match. */
function unmatchedRows(matched: RowSet, { rows, places }: PlacedRows): PlacedRows {
  const kept = matched.placesWithout(places);
  return { rows: gatherRows(rows, kept), places: Float64Array.from(kept, (row) => places[row]!) };
}
