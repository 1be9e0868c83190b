/**
 * Rows of the build side of a join by a condition, all or a chunk, in memory, and the search for rows that
 * match a batch of the stream.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import type { Batch } from "../../batch/batch.ts";
import { turnOfOthers } from "../../engine/event_loop.ts";
import type { StageContext } from "../../engine/node.ts";
import { batchOfRows } from "../../spill/batch_rows.ts";
import type { HostRows } from "../../spill/host_rows.ts";
import type { ProbeBounds } from "./bound_index.ts";
import type { BoundWhere } from "./bound.ts";
import {
  candidatePairs,
  newPairRows,
  newPairSpace,
  type PairRows,
  type PairSpace,
} from "./candidate_pairs.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { buildRowError, PairFilter } from "./pair_filter.ts";
import { PairOutput } from "./pair_output.ts";
import { type TakenColumns, takenOnHost } from "./taken_columns.ts";
import { WhereTable } from "./where_table.ts";

/** Rows of the build side, sorted. */
export interface Built {
  readonly table: WhereTable;
  readonly payload: TakenColumns;
  /** The number of the first row. */
  readonly firstRow: number;
  /** The inputs of each condition on pairs. */
  readonly inputs: readonly TakenColumns[];
  /** Memory that no batch uses at the moment; each batch in flight needs one. */
  readonly spaces: MatchSpace[];
}

/** Memory for the pairs of a batch: the candidates, and the pairs that come out. */
interface MatchSpace {
  readonly candidates: PairSpace;
  readonly output: PairRows;
}

/** Sorts rows of the build side. `firstRow` is the number of the first row, for errors. */
export async function builtOf(
  join: BoundWhere,
  rows: HostRows,
  firstRow: number,
  context: StageContext,
): Promise<Built> {
  const results = await evaluateBuildSide(join, rows, firstRow, context);
  const columnsAt = (places: readonly number[]) =>
    takenOnHost(places.map((place) => rows.columns[place]!));
  return {
    table: new WhereTable(join.plan, results, rows.numRows),
    payload: columnsAt(join.payload),
    firstRow,
    inputs: join.pairs.map(({ payload }) => columnsAt(payload)),
    spaces: [],
  };
}

async function evaluateBuildSide(
  { plan, request }: BoundWhere,
  rows: HostRows,
  firstRow: number,
  context: StageContext,
): Promise<HostColumn[]> {
  try {
    const batch = batchOfRows(request.columns, rows);
    return await evaluateRows(context, plan.right.compiled, batch, firstRow);
  } catch (error) {
    // A RowError would name a row of the stream.
    if (!isSluiceError(error, "RowError")) throw error;
    const { cause, message, row } = error;
    throw buildRowError(message, row, cause);
  }
}

/**
 * Opens the filters for the pairs of a batch, which they borrow until the last pair. `firstRow` is the
 * number of the batch's first row, for errors.
 */
export async function openFilters(
  { pairs }: BoundWhere,
  { inputs, firstRow: firstBuilt }: Built,
  batch: Batch,
  firstRow: number,
  context: StageContext,
): Promise<PairFilter[]> {
  const filters: PairFilter[] = [];
  for (const [index, { condition }] of pairs.entries()) {
    const firstRows = { probe: firstRow, build: firstBuilt };
    filters.push(await PairFilter.open(condition, batch, inputs[index]!, firstRows, context));
  }
  return filters;
}

/** Yields the pairs that come out, in order. The next pairs overwrite their arrays. */
export async function* matches(
  { keepsAll, limits }: BoundWhere,
  { table: { index }, spaces }: Built,
  bounds: ProbeBounds,
  filters: readonly PairFilter[],
  { signal }: StageContext,
): AsyncGenerator<PairRows, void, void> {
  const space = spaces.pop() ?? {
    candidates: newPairSpace(index, limits.rows),
    output: newPairRows(limits.rows),
  };
  try {
    const output = new PairOutput(space.output, keepsAll);
    for (let list of candidatePairs(index, bounds, space.candidates)) {
      // Many lists may have no pair, and then nothing else would yield to other tasks.
      await turnOfOthers();
      if (signal.aborted) return;
      for (const filter of filters) list = await filter.keep(list);
      yield* output.add(list);
    }
    yield* output.end();
  } finally {
    spaces.push(space);
  }
}
