/**
 * The rows of a request from what reads ranges of rows.
 *
 * @module
 */

import type { RecordBatch } from "apache-arrow";
import type { RowRange } from "../select_columns.ts";
import type { SourceRows } from "../source.ts";
import { resolveRows, type RowRequest } from "./row_request.ts";
import { lastRow, type RowRun } from "./row_run.ts";

/** Rows that are read at once where they come backwards. */
const WINDOW_ROWS = 65_536;

/** Reads the rows [start, stop), in batches. */
type ReadRange = (range: RowRange) => AsyncGenerator<RecordBatch, void, void>;

/** The rows of a request; `count` counts all rows, where that matters. */
export async function* readRanges(
  request: RowRequest,
  count: () => Promise<number>,
  read: ReadRange,
): AsyncGenerator<SourceRows, void, void> {
  const numRows = countsFromFront(request) ? Number.MAX_SAFE_INTEGER : await count();
  for (const run of resolveRows(request, numRows)) {
    yield* run.step > 0 ? forwards(run, read) : backwards(run, read);
  }
}

/** Whether a request means the same rows whatever their number. */
function countsFromFront(request: RowRequest): boolean {
  return request.every((pick) =>
    pick.kind === "slice" && pick.last === Infinity && pick.drop === 0 && pick.step > 0
  );
}

async function* forwards(run: RowRun, read: ReadRange): AsyncGenerator<SourceRows, void, void> {
  let firstRow = run.start;
  for await (const batch of read({ start: run.start, stop: lastRow(run) + 1 })) {
    if (run.step === 1) yield { batch, firstRow };
    else {
      const start = (run.step - (firstRow - run.start) % run.step) % run.step;
      const count = Math.max(0, Math.ceil((batch.numRows - start) / run.step));
      if (count > 0) yield { batch, runs: [{ start, step: run.step, count }], firstRow };
    }
    firstRow += batch.numRows;
  }
}

async function* backwards(run: RowRun, read: ReadRange): AsyncGenerator<SourceRows, void, void> {
  const step = -run.step;
  const least = lastRow(run);
  for (let stop = run.start + 1; stop > least;) {
    const start = Math.max(least, stop - WINDOW_ROWS);
    const batches: SourceRows[] = [];
    let firstRow = start;
    for await (const batch of read({ start, stop })) {
      batches.push({ batch, firstRow });
      firstRow += batch.numRows;
    }
    for (const { batch, firstRow } of batches.toReversed()) {
      // Rows of the run lie a multiple of the step before its start.
      const behind = (run.start - (firstRow + batch.numRows - 1)) % step;
      const at = batch.numRows - 1 - (step - behind) % step;
      if (at < 0) continue;
      const count = Math.floor(at / step) + 1;
      yield { batch, runs: [{ start: at, step: -step, count }], firstRow };
    }
    stop = start;
  }
}
