/**
 * Runs a join by a condition: reads the build side, sorts it, and searches it for each batch of the
 * stream.
 *
 * @module
 */

import type { ResultLimits, ResultRows } from "../../../gpu/backend.ts";
import type { HostColumn } from "../../../gpu/column/column.ts";
import { type Batch, concatBatches } from "../../batch/batch.ts";
import { turnOfOthers } from "../../engine/event_loop.ts";
import { inFlight } from "../../engine/in_flight.ts";
import type { StageContext } from "../../engine/node.ts";
import { RowError } from "../../engine/step_error.ts";
import type { BuildRequest, BuildSide } from "../build_side.ts";
import { type JoinColumns, outputBatch } from "../join_columns.ts";
import type { ProbeBounds } from "./bound_index.ts";
import {
  candidatePairs,
  newPairRows,
  newPairSpace,
  type PairRows,
  type PairSpace,
} from "./candidate_pairs.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { type PairCondition, PairFilter } from "./pair_filter.ts";
import { PairOutput } from "./pair_output.ts";
import {
  pairParts,
  type TakenColumns,
  takenColumns,
  takenOnHost,
  takePairs,
} from "./taken_columns.ts";
import type { WherePlan } from "./where_plan.ts";
import { WhereTable } from "./where_table.ts";

/** A join by a condition that is bound to the schemas of both sides. */
export interface BoundWhere {
  readonly build: BuildSide;
  readonly request: BuildRequest;
  readonly plan: WherePlan;
  /** What is asked of pairs, and the places of its inputs among the columns of the request. */
  readonly pairs: { readonly condition: PairCondition; readonly payload: readonly number[] } | null;
  readonly columns: JoinColumns;
  /** Places of the result's columns of the build side among the columns of the request. */
  readonly payload: readonly number[];
  /** Whether rows of the stream without a match come out too. */
  readonly keepsAll: boolean;
  readonly limits: ResultLimits;
}

/** The build side of a run. */
interface Built {
  readonly table: WhereTable;
  readonly payload: TakenColumns;
  readonly inputs: TakenColumns;
  /** What no batch uses: batches that are in flight together need one each. */
  readonly spaces: MatchSpace[];
}

/** Memory for the matches of a batch: candidates, and those that come out. */
interface MatchSpace {
  readonly candidates: PairSpace;
  readonly output: PairRows;
}

/** Yields the rows of the join. */
export async function* runWhere(
  join: BoundWhere,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const rows = await readBuildSide(join, context);
  if (rows === undefined) return;
  const results = await evaluateBuildSide(join, rows, context);
  const columnsAt = (places: readonly number[]) =>
    takenOnHost(places.map((place) => rows.columns[place]!.column as HostColumn));
  const built: Built = {
    table: new WhereTable(join.plan, results, rows.numRows),
    payload: columnsAt(join.payload),
    inputs: columnsAt(join.pairs?.payload ?? []),
    spaces: [],
  };
  yield* inFlight(input, context, (batch, row) => joinBatch(join, built, batch, row, context));
}

/** All rows of the build side; undefined once it was cancelled. A RangeError beyond the memory. */
async function readBuildSide(
  { build, request }: BoundWhere,
  { memory, signal }: StageContext,
): Promise<Batch | undefined> {
  const batches: Batch[] = [];
  let numBytes = 0;
  for await (const batch of build.batches(request, signal)) {
    batches.push(batch);
    numBytes += batch.numBytes;
    if (numBytes > memory) {
      throw new RangeError(
        `The build side of a join by a condition is held in memory, and has more than the ${
          memory.toLocaleString("en")
        } bytes of it; leave out columns or rows, or allow more memory`,
      );
    }
  }
  return signal.aborted ? undefined : concatBatches(request.columns, batches);
}

async function evaluateBuildSide(
  { plan }: BoundWhere,
  rows: Batch,
  context: StageContext,
): Promise<HostColumn[]> {
  try {
    return await evaluateRows(context, plan.right.compiled, rows, 0);
  } catch (error) {
    // A row of an error would count as one of the stream.
    if (!(error instanceof RowError)) throw error;
    const { cause, message, row } = error;
    throw new Error(`build side: ${message} (row ${row})`, { cause });
  }
}

/** Joins a batch of the stream, which it takes over. */
async function* joinBatch(
  join: BoundWhere,
  built: Built,
  batch: Batch,
  firstRow: number,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { plan, columns, pairs } = join;
  const { backend } = context;
  try {
    const values = await evaluateRows(context, plan.left.compiled, batch, firstRow);
    const bounds = built.table.boundsOf(values, batch.numRows);
    if (columns.outputs.length === 0 && pairs === null && built.table.index.isRange) {
      const numRows = countRows(built.table, bounds, join.keepsAll);
      yield await outputBatch(columns, { columns: [], numRows }, "probe", backend);
      return;
    }
    const probed = await takenColumns(
      columns.probed.map((place) => batch.columns[place]!.column),
      backend,
    );
    const filter = pairs &&
      await PairFilter.open(pairs.condition, batch, built.inputs, firstRow, context);
    for await (const found of matches(join, built, bounds, filter, context)) {
      for (const part of pairParts(found, probed, built.payload, join.limits)) {
        const rows: ResultRows = {
          columns: await takePairs(found, part, probed, built.payload, backend),
          numRows: part.stop - part.start,
        };
        yield await outputBatch(columns, rows, "probe", backend);
      }
    }
  } finally {
    batch.release();
  }
}

/** How many rows come out where nobody wants to see them. */
function countRows({ index }: WhereTable, bounds: ProbeBounds, keepsAll: boolean): number {
  const least = keepsAll ? 1 : 0;
  let numRows = 0;
  for (let row = 0; row < bounds.numRows; row++) {
    numRows += Math.max(least, index.countRange(bounds, row));
  }
  return numRows;
}

/** The pairs that come out, in order; the arrays are overwritten by the next ones. */
async function* matches(
  { keepsAll, limits }: BoundWhere,
  { table: { index }, spaces }: Built,
  bounds: ProbeBounds,
  filter: PairFilter | null,
  { signal }: StageContext,
): AsyncGenerator<PairRows, void, void> {
  const space = spaces.pop() ?? {
    candidates: newPairSpace(index, limits.rows),
    output: newPairRows(limits.rows),
  };
  try {
    const output = new PairOutput(space.output, keepsAll);
    for (const piece of candidatePairs(index, bounds, space.candidates)) {
      // Many pieces may give no row, and then nothing else would wait.
      await turnOfOthers();
      if (signal.aborted) return;
      yield* output.add(filter === null ? piece : await filter.keep(piece));
    }
    yield* output.end();
  } finally {
    spaces.push(space);
  }
}
