/**
 * The strategy for few rows of a row group: they are taken out of their pages, and only they are decoded.
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

/** Single rows are taken out of pages only if at least 7 of 8 rows are skipped, */
const leastSkipped = 8;
/** and if the group has enough bytes for that to take less time than to decode them. */
const leastBytes = 256 << 10;

/** Whether the rows of runs are so few that they may be taken out of the pages of a group. */
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
  // A page index leads to the rows where they do not lie all over the group.
  const ranges = rangesOf(runs, numRows);
  const decoded = ranges.reduce((sum, { start, stop }) => sum + stop - start, 0);
  return !parquet.hasIndex(index) || decoded * 2 > numRows;
}

/** Reads the rows of runs, without those between them; undefined if the pages have to be read whole. */
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
