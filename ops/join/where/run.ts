import type { ResultRows } from "../../../gpu/backend.ts";
import { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import type { Batch } from "../../batch/batch.ts";
import { inFlight } from "../../engine/in_flight.ts";
import type { StageContext } from "../../engine/node.ts";
import { outputBatch } from "../shared/columns.ts";
import { hostRowsOf } from "../../spill/batch_rows.ts";
import { concatRows, type HostRows } from "../../spill/host_rows.ts";
import { RowFile } from "../../spill/row_file.ts";
import { Spill } from "../../spill/spill.ts";
import type { ProbeBounds } from "./bound_index.ts";
import type { BoundWhere } from "./bound.ts";
import { bytesInMemory } from "./build_chunks.ts";
import { type Built, builtOf, matches, openFilters } from "./built.ts";
import { evaluateRows } from "./evaluate_rows.ts";
import { LargeWhere } from "./large_where.ts";
import { pairParts, takenColumns, takePairs } from "./taken_columns.ts";
import type { WhereTable } from "./where_table.ts";

/** Yields the rows of the join. */
export async function* runWhere(
  join: BoundWhere,
  input: AsyncIterable<Batch>,
  context: StageContext,
): AsyncGenerator<Batch, void, void> {
  const { memory, signal, temp, onSpill } = context;
  using folder = new TempFolder(temp, "cannot hold what exceeds the memory of a join");
  try {
    const spill = new Spill({ memory, limits: join.limits, folder, signal });
    const rows = await readBuildSide(join, spill, context);
    signal.throwIfAborted();
    if (rows instanceof RowFile) {
      yield* new LargeWhere(join, rows, spill, context).joined(input);
    } else {
      const built = await builtOf(join, rows, 0, context);
      yield* inFlight(input, context, (batch, row) => joinBatch(join, built, batch, row, context));
    }
  } catch (error) {
    // Nobody waits for a join that was given up.
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    onSpill?.(folder.bytesWritten);
  }
}

/** All rows of the build side, in a file where they exceed the memory. */
async function readBuildSide(
  { build, request, plan }: BoundWhere,
  spill: Spill,
  { backend, memory, signal }: StageContext,
): Promise<HostRows | RowFile> {
  const places = request.columns.fields.map((_, place) => place);
  const held: HostRows[] = [];
  let file: RowFile | undefined;
  let numBytes = 0;
  for await (const rows of hostRowsOf(build.batches(request, signal), places, backend)) {
    numBytes += bytesInMemory(plan, rows);
    if (file === undefined && numBytes > memory) {
      file = spill.newFile();
      for (const before of held.splice(0)) file.add(before);
    }
    if (file === undefined) held.push(rows);
    else file.add(rows);
  }
  signal.throwIfAborted();
  file?.finish();
  return file ?? concatRows(held);
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
    for await (const found of matches(join, built, bounds, filters, context)) {
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
