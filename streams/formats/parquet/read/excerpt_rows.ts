/**
 * The strategy for few rows of a row group: extracts them from their pages and decodes only them.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import type { SourceRows } from "../../../plan/source.ts";
import { numRowsOf, positionsOf, type RowRun } from "../../../rows/row_run.ts";
import { canExcerpt, excerptOf } from "../excerpt/excerpt.ts";
import { excerptRuns } from "../excerpt/excerpt_runs.ts";
import { fewRows, type Group, type GroupDecoder } from "./group_decoder.ts";
import { isForward, rangesOf } from "./group_plan.ts";
import { ModuleFile } from "../module/module_file.ts";
import type { OpenParquet } from "./open.ts";

/** Rows are extracted from pages only if at least 7 of 8 rows are skipped. */
const leastSkipped = 8;
/** The bytes of a group from which extracting rows is faster than decoding it. */
const leastBytes = 256 << 10;

/** Whether runs have so few rows that extracting them from the pages of a group may pay. */
export function isExcerpt(
  parquet: OpenParquet,
  columns: ReadonlySet<string>,
  { index, shape: { numRows, storedBytes } }: Group,
  runs: readonly RowRun[],
): boolean {
  const { head, input } = parquet;
  const count = numRowsOf(runs);
  if (count > fewRows || count * leastSkipped > numRows || storedBytes < leastBytes) return false;
  if (input.tripBytes > leastBytes || !(isForward(runs) || runs.length === 1)) return false;
  if (parquet.readsTextAsBytes || !canExcerpt(head, index, columns)) return false;
  // With a page index, decoding single pages is better unless the rows spread over most of the
  // group.
  const ranges = rangesOf(runs, numRows);
  const decoded = ranges.reduce((sum, { start, stop }) => sum + stop - start, 0);
  return !parquet.hasIndex(index) || decoded * 2 > numRows;
}

/** Reads only the rows of runs; undefined if the pages have to be read whole. */
export async function excerptRows(
  { wasm, input, head }: OpenParquet,
  decoder: GroupDecoder,
  { index, first }: Group,
  runs: readonly RowRun[],
): Promise<readonly SourceRows[] | undefined> {
  const { columns } = decoder;
  const rows = positionsOf(runs, new Int32Array(numRowsOf(runs))).sort();
  const excerpt = await excerptOf(input, head, { group: index, columns, rows });
  if (excerpt === undefined) return undefined;
  const file = await ModuleFile.open(wasm, excerpt);
  const found: SourceRows[] = [];
  try {
    const request = { rowGroups: [0], batchSize: rows.length, limit: rows.length };
    const selection = decoder.isSelection ? { columns: [...columns] } : {};
    for await (const decoded of file.batches({ ...request, ...selection })) {
      const batch = decoder.restored(decoder.copied(decoded), 0);
      if (batch.numRows !== rows.length) return undefined;
      found.push(...excerptRuns(batch, runs, first));
    }
  } catch (error) {
    if (isSluiceError(error, "TrapError")) return undefined;
    throw error;
  } finally {
    file.close();
  }
  return found;
}
