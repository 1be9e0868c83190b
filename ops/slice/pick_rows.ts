/**
 * Picks rows from a stream of unknown length.
 *
 * @module
 */

import { formatBytes } from "../../base/quantities.ts";
import { isEmptyPick, printPick, type RowPick } from "../../streams/rows/row_request.ts";
import { lastRow, type RowRun } from "../../streams/rows/row_run.ts";
import type { Batch } from "../batch/batch.ts";
import type { StageContext } from "../engine/node.ts";
import { RowBuffer } from "./row_buffer.ts";
import { TakeMachine } from "./take_machine.ts";

/**
 * Yields the picked rows, and takes ownership of the input batches. Ends the input as soon as the
 * last rows are certain, before it yields them. Throws a RangeError if it buffers more than
 * `mostBytes` bytes.
 */
export async function* pickRows(
  pick: RowPick,
  input: AsyncIterable<Batch>,
  { backend, onBuffered }: StageContext,
  mostBytes: number = Infinity,
): AsyncGenerator<Batch, void, void> {
  const batches = input[Symbol.asyncIterator]();
  const machine = new TakeMachine(pick);
  const buffer = new RowBuffer(backend);
  // `from` is the first of the rows kept for their distance from the end.
  let [seen, from] = [0, 0];
  let ending: Promise<unknown> | undefined;
  try {
    if (isEmptyPick(pick)) return;
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      const { ready, pins, keepsPins, lastRows, done } = machine.push(next.value.numRows);
      seen += next.value.numRows;
      const before = from;
      from = seen - lastRows;
      // Keep rows that are due now and lie before `from`, unless they were pinned earlier.
      await buffer.add(next.value, pins, Math.min(from, Math.max(before, leastOf(ready))));
      if (done) await turnOf(ending = endOf(batches));
      yield* buffer.rows(ready);
      if (done) return;
      await buffer.forget(from, keepsPins);
      onBuffered?.(buffer.numBytes);
      if (buffer.numBytes > mostBytes) throw overflowOf(pick, mostBytes);
    }
    yield* buffer.rows(machine.end());
  } finally {
    buffer.release();
    await (ending ?? batches.return?.());
  }
}

function leastOf(runs: readonly RowRun[]): number {
  return runs.reduce((least, run) => Math.min(least, run.start, lastRow(run)), Infinity);
}

/** Starts to end an input. A failure surfaces when the promise is awaited. */
function endOf(batches: AsyncIterator<Batch>): Promise<unknown> {
  const ending = Promise.resolve(batches.return?.());
  ending.catch(() => {});
  return ending;
}

// Captured, so that fake timers of a program do not replace them.
const { clearTimeout, setTimeout } = globalThis;

/** Waits until the input has ended, but at most a turn of the event loop, since it may be slow. */
async function turnOf(ending: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, 0);
  await Promise.race([ending.catch(() => {}), promise]);
  clearTimeout(timer);
}

function overflowOf(pick: RowPick, numBytes: number): RangeError {
  return new RangeError(
    `${pick.kind === "slice" ? "slice" : "take"} ${printPick(pick)} holds more than the ${
      formatBytes(numBytes)
    } of memory that the engine may use; write the rows to an Arrow file first, and slice that`,
  );
}
