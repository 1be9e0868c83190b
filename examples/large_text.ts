/**
 * Shows text that outgrows 32-bit offsets. A threshold of 1 KiB replaces the real one of 2 GiB, so that little
 * text is enough: `deno run -A examples/large_text.ts`.
 *
 * @module
 */

import { type Table, tableFromArrays } from "apache-arrow";
import {
  createEngine,
  expr,
  fromBatches,
  OverflowError,
  regroup,
  type RunStats,
  StepError,
  toTable,
  withColumns,
} from "../mod.ts";

const threshold = 1024;
const pageOf = expr(`title + ": " + body.repeat(20)`);

/** Computes pages, and reports the columns with 64-bit offsets and the number of batches that had them. */
export async function writePages(books: Table, report: (line: string) => void): Promise<Table> {
  const runs: RunStats[] = [];
  const engine = createEngine({ threshold, onRun: (run) => runs.push(run) });
  const pages = await toTable(
    fromBatches(books, { engine })
      .pipeThrough(regroup({ rows: 10, engine }))
      .pipeThrough(withColumns({ page: pageOf }, { engine })),
  );
  for (const { wideText, batchesOut } of runs) {
    for (const { column, batches, bytes } of wideText) {
      report(
        `${column}: 64-bit offsets in ${batches} of ${batchesOut} batches, up to ${bytes} bytes`,
      );
    }
  }
  return pages;
}

/** Does the same without 64-bit offsets: halves the rows of a batch until they fit. */
export async function writeNarrowPages(books: Table, rows: number = books.numRows): Promise<Table> {
  const engine = createEngine({ threshold, largeStrings: false });
  try {
    return await toTable(
      fromBatches(books, { engine })
        .pipeThrough(regroup({ rows, engine }))
        .pipeThrough(withColumns({ page: pageOf }, { engine })),
    );
  } catch (error) {
    const isOverflow = error instanceof StepError && error.cause instanceof OverflowError;
    if (!isOverflow || rows === 1) throw error;
    return await writeNarrowPages(books, Math.ceil(rows / 2));
  }
}

if (import.meta.main) {
  const books = tableFromArrays({
    title: Array.from({ length: 22 }, (_, index) => `Page ${index}`),
    body: Array.from({ length: 22 }, (_, index) => "word ".repeat(1 + index % 3)),
  });
  const pages = await writePages(books, console.log);
  console.log(`page is ${pages.schema.fields[2]!.type} in ${pages.batches.length} batches`);
  const narrow = await writeNarrowPages(books);
  console.log(`page is ${narrow.schema.fields[2]!.type} in ${narrow.batches.length} batches`);
}
