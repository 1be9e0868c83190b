/**
 * The run of a join by a condition: batches of the stream in, batches of the result out.
 *
 * @module
 */

import type { ResultRows } from "../../../gpu/backend.ts";
import type { Batch } from "../../batch/batch.ts";
import { inFlight } from "../../engine/in_flight.ts";
import type { StageContext } from "../../engine/node.ts";
import { concatRows, type HostRows } from "../../spill/host_rows.ts";
import { drain, readAhead } from "../../spill/read_ahead.ts";
import { RowFile } from "../../spill/row_file.ts";
import type { Spill } from "../../spill/spill.ts";
import { outputBatch } from "../shared/output.ts";
import { withSpill } from "../../spill/with_spill.ts";
import type { ProbeBounds } from "./bound_index.ts";
import type { BoundWhere } from "./bound.ts";
import { bytesInMemory } from "./build_chunks.ts";
import { type Built, builtOf, matches, openFilters } from "./built.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { LargeWhere } from "./large_where.ts";
import { pairRanges, takenColumns, takePairs } from "./taken_columns.ts";
import type { WhereTable } from "./where_table.ts";

/** Yields the batches of the join. */
export function runWhere(
  join: BoundWhere,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  return withSpill(context, join.limits, async (spill) => {
    const rows = await readBuildSide(join, spill);
    if (rows instanceof RowFile) return new LargeWhere(join, rows, spill, context).joined(input);
    const built = await builtOf(join, rows, 0, context);
    return inFlight(input, context, (batch, row) => joinBatch(join, built, batch, row, context));
  });
}

/** Returns all rows of the build side, in a file if they exceed the memory. */
async function readBuildSide(
  { build, request, plan }: BoundWhere,
  spill: Spill,
): Promise<HostRows | RowFile> {
  let numBytes = 0;
  const ahead = await readAhead(build.rows(request, spill.signal), (rows) => {
    numBytes += bytesInMemory(plan, rows);
    return numBytes <= spill.memory;
  });
  spill.checkSignal();
  if (ahead.rest === undefined) return concatRows(ahead.items);
  const file = spill.newFile();
  for await (const rows of drain(ahead)) file.add(rows);
  spill.checkSignal();
  file.finish();
  return file;
}

/** Joins a batch of the stream, and takes ownership of it. */
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
    if (columns.outputs.length === 0 && pairs.length === 0 && built.table.index.isRange) {
      const numRows = countRows(built.table, bounds, join.keepsAll);
      yield await outputBatch(columns, { columns: [], numRows }, "probe", backend);
      return;
    }
    const probed = await takenColumns(
      columns.probed.map((place) => batch.columns[place]!.column),
      backend,
    );
    const filters = await openFilters(join, built, batch, firstRow, context);
    for await (const pairs of matches(join, built, bounds, filters, context)) {
      for (const range of pairRanges(pairs, probed, built.payload, join.limits)) {
        const rows: ResultRows = {
          columns: await takePairs(pairs, range, probed, built.payload, backend),
          numRows: range.stop - range.start,
        };
        yield await outputBatch(columns, rows, "probe", backend);
      }
    }
  } finally {
    batch.release();
  }
}

/** Returns the number of rows of a result without columns. */
function countRows({ index }: WhereTable, bounds: ProbeBounds, keepsAll: boolean): number {
  const least = keepsAll ? 1 : 0;
  let numRows = 0;
  for (let row = 0; row < bounds.numRows; row++) {
    numRows += Math.max(least, index.countRange(bounds, row));
  }
  return numRows;
}
