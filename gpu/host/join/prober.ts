/**
 * Joins one probe batch with kernels over the memory of a thread and that of a table. They find the
 * matches, select the rows that come out, and copy the columns of both sides.
 *
 * @module
 */

import { findRows } from "../table/find_rows.ts";
import { gatherPayload } from "./gather_payload.ts";
import type { TableKernels } from "../table/kernels/instance.ts";
import { placeBatch, type PlacedBatch } from "../parts/place_batch.ts";
import type { ProbeAnswer, ProbedRows } from "./probe_answer.ts";
import type { ProbeBatch } from "./probe_batch.ts";
import { countMatches, expandMatches, type RowPairs } from "./row_pairs.ts";
import type { TablePlaces } from "./table_places.ts";
import { takeRows } from "../parts/take_rows.ts";
import type { Work } from "../table/work.ts";

/**
 * The most results of an answer. If there are more pairs, the main thread expands them while the
 * results are read.
 */
const MAX_RESULTS = 8;

/** Probes batches of one table, on the thread that owns the memory. */
export class Prober {
  readonly #work: Work;
  readonly #table: TablePlaces;
  readonly #kernels: TableKernels;

  constructor(work: Work, table: TablePlaces, kernels: TableKernels) {
    this.#work = work;
    this.#table = table;
    this.#kernels = kernels;
  }

  /** Joins the rows of a batch. */
  probe(unplaced: ProbeBatch): ProbeAnswer {
    const [work, table, kernels] = [this.#work, this.#table, this.#kernels];
    const { memory, kind, groups } = table;
    const batch = placeBatch(work, unplaced);
    const { numRows, resultRows } = batch;
    const found = findRows(work, table, kernels, batch.key, batch.numRows);
    const onlyFound = () => ({ found: work.kept.words(found, numRows), results: null });
    if (resultRows === 0) return onlyFound();
    if (kind.matchedRows !== "each") {
      return { found: null, results: this.#selectResults(batch, found) };
    }
    if (groups !== null) {
      const { starts } = groups;
      const lists = {
        starts: new Int32Array(memory.buffer, starts, groups.numRows + 1),
        rows: new Int32Array(memory.buffer, groups.rows, groups.numKeys),
      };
      const { numPairs, repeats } = countMatches(lists, work.words(found, numRows), kind);
      if (numPairs > MAX_RESULTS * resultRows) return onlyFound();
      if (repeats) {
        const results: ProbedRows[] = [];
        const all = expandMatches(
          lists,
          work.kept.words(found, numRows),
          kind,
          numPairs,
          resultRows,
        );
        for (const pairs of all) results.push(this.#expandedResult(batch, pairs));
        return { found: null, results };
      }
    }
    return { found: null, results: this.#pairResults(batch, found) };
  }

  /** Returns results of pairs in which every probe row matches at most one build row. */
  #pairResults(batch: PlacedBatch<ProbeBatch>, found: number): ProbedRows[] {
    const { numRows, resultRows } = batch;
    const { area, bytes, words } = this.#work;
    const { kind } = this.#table;
    if (kind.unmatchedRows > 0 && numRows <= resultRows) {
      return [this.#resultOf(batch, 0, found, numRows, true)];
    }
    const rows = area("rows", 4 * numRows + 4);
    const kept = area("kept", 4 * numRows + 4);
    let count = numRows;
    if (kind.unmatchedRows > 0) {
      const numbers = words(rows, numRows);
      for (let row = 0; row < numRows; row++) numbers[row] = row;
      bytes(kept, 4 * numRows).set(bytes(found, 4 * numRows));
    } else count = this.#kernels.keepMatches!(found, numRows, rows, kept);
    const isAll = count === numRows && numRows <= resultRows;
    return inResults(
      count,
      resultRows,
      (start, size) =>
        this.#resultOf(batch, isAll ? 0 : rows + 4 * start, kept + 4 * start, size, true),
    );
  }

  /** Returns results with rows of the batch alone. */
  #selectResults(batch: PlacedBatch<ProbeBatch>, found: number): ProbedRows[] {
    const { numRows, resultRows } = batch;
    const { area } = this.#work;
    const kernels = this.#kernels;
    const rows = area("rows", 4 * numRows + 4);
    const count = this.#table.kind.matchedRows === "once"
      ? kernels.keepMatches!(found, numRows, rows, area("kept", 4 * numRows + 4))
      : kernels.keepOthers!(found, numRows, rows);
    const isAll = count === numRows && numRows <= resultRows;
    return inResults(
      count,
      resultRows,
      (start, size) => this.#resultOf(batch, isAll ? 0 : rows + 4 * start, 0, size, true),
    );
  }

  #expandedResult(batch: PlacedBatch<ProbeBatch>, { probeRows, found }: RowPairs): ProbedRows {
    const numRows = probeRows.length;
    const { area, words } = this.#work;
    const rows = area("rows", 4 * numRows);
    const kept = area("kept", 4 * numRows);
    words(rows, numRows).set(probeRows);
    words(kept, numRows).set(found);
    return this.#resultOf(batch, rows, kept, numRows, false);
  }

  /**
   * Returns a result. `rows` is the place of the rows of the batch, 0 for all rows unchanged; `kept`
   * is the place of the build rows + 1, 0 for none.
   */
  #resultOf(
    { columns, wantsRows }: PlacedBatch<ProbeBatch>,
    rows: number,
    kept: number,
    numRows: number,
    ascending: boolean,
  ): ProbedRows {
    const [work, kernels] = [this.#work, this.#kernels];
    const { kind, records, wantsRows: wantsBuildRows } = this.#table;
    const end = rows + 4 * numRows;
    const hasPayload = kept !== 0 && records !== null;
    return {
      numRows,
      ascending,
      columns: rows === 0
        ? null
        : columns.map((column) => takeRows(work, kernels, column, rows, end)),
      probeRows: rows !== 0 && wantsRows ? work.kept.words(rows, numRows) : null,
      payload: hasPayload
        ? gatherPayload(work, kernels, records, kept, numRows, kind.unmatchedRows > 0)
        : null,
      buildRows: kept !== 0 && wantsBuildRows
        ? work.words(kept, numRows).map((row) => row - 1)
        : null,
    };
  }
}

function inResults(
  count: number,
  resultRows: number,
  result: (start: number, size: number) => ProbedRows,
): ProbedRows[] {
  const results: ProbedRows[] = [];
  let start = 0;
  do {
    const size = Math.min(resultRows, count - start);
    results.push(result(start, size));
    start += size;
  } while (start < count);
  return results;
}
