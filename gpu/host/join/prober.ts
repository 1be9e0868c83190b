/**
 * The join of one probe batch, by kernels over the memory of a thread and that of a table: it finds
 * the keys, says which rows come out, and copies them, those of the batch and those of the build side.
 *
 * @module
 */

import type { makeFindRows } from "./find_rows.ts";
import type { makeGatherPayload } from "./gather_payload.ts";
import type { JoinKernels } from "./kernels/module.ts";
import type { makePlaceBatch, PlacedBatch } from "./place_batch.ts";
import type { ProbeAnswer, ProbedPiece } from "./probe_answer.ts";
import type { ProbeBatch } from "./probe_batch.ts";
import type { countMatches, expandMatches, RowPairs } from "./row_pairs.ts";
import type { TablePlaces } from "./table_places.ts";
import type { makeTakeRows } from "./take_rows.ts";
import type { Work } from "./work.ts";

/** Probes batches of one table. */
export interface Prober {
  probe(batch: ProbeBatch): ProbeAnswer;
}

/** What makes the probers of a thread. */
export type NewProber = (table: TablePlaces, kernels: JoinKernels) => Prober;

/** What a prober is made of, besides the memory of its thread. */
interface ProberParts {
  readonly makePlaceBatch: typeof makePlaceBatch;
  readonly makeFindRows: typeof makeFindRows;
  readonly makeTakeRows: typeof makeTakeRows;
  readonly makeGatherPayload: typeof makeGatherPayload;
  readonly countMatches: typeof countMatches;
  readonly expandMatches: typeof expandMatches;
}

/**
 * Makes what makes the probers of a thread.
 *
 * Threads take along the source of this function, so nothing in it names anything from outside.
 */
export function makeNewProber(work: Work, parts: ProberParts): NewProber {
  /** Pieces at most; a batch of more pairs is expanded by the main thread, as it is read. */
  const MAX_PIECES = 8;
  const { area, bytes, words, kept: keep } = work;
  const { countMatches, expandMatches } = parts;
  const placeBatch = parts.makePlaceBatch(work);
  const findRows = parts.makeFindRows(work);
  const takeRows = parts.makeTakeRows(work);
  const gatherPayload = parts.makeGatherPayload(work);

  return function newProber(table: TablePlaces, kernels: JoinKernels): Prober {
    const { memory, kind, records } = table;

    function probe(unplaced: ProbeBatch): ProbeAnswer {
      const batch = placeBatch(unplaced);
      const { numRows, pieceRows } = batch;
      const found = findRows(table, kernels, batch);
      const onlyFound = () => ({ found: keep.words(found, numRows), pieces: null });
      if (pieceRows === 0) return onlyFound();
      if (kind.matchedRows !== "each") return { found: null, pieces: selectPieces(batch, found) };
      const { groups } = table;
      if (groups !== null) {
        const { starts } = groups;
        const lists = {
          starts: new Int32Array(memory.buffer, starts, groups.numRows + 1),
          rows: new Int32Array(memory.buffer, groups.rows, groups.numKeys),
        };
        const { numPairs, repeats } = countMatches(lists, words(found, numRows), kind);
        if (numPairs > MAX_PIECES * pieceRows) return onlyFound();
        if (repeats) {
          const pieces: ProbedPiece[] = [];
          const all = expandMatches(lists, keep.words(found, numRows), kind, numPairs, pieceRows);
          for (const pairs of all) pieces.push(expandedPiece(batch, pairs));
          return { found: null, pieces };
        }
      }
      return { found: null, pieces: pairPieces(batch, found) };
    }

    /** Pieces of pairs in which every probe row meets one build row at most. */
    function pairPieces(batch: PlacedBatch, found: number): ProbedPiece[] {
      const { numRows, pieceRows } = batch;
      if (kind.unmatchedRows > 0 && numRows <= pieceRows) {
        return [pieceOf(batch, 0, found, numRows, true)];
      }
      const rows = area("rows", 4 * numRows + 4);
      const kept = area("kept", 4 * numRows + 4);
      let count = numRows;
      if (kind.unmatchedRows > 0) {
        const numbers = words(rows, numRows);
        for (let row = 0; row < numRows; row++) numbers[row] = row;
        bytes(kept, 4 * numRows).set(bytes(found, 4 * numRows));
      } else count = kernels.keepMatches!(found, numRows, rows, kept);
      const isAll = count === numRows && numRows <= pieceRows;
      return inPieces(
        count,
        pieceRows,
        (start, size) => pieceOf(batch, isAll ? 0 : rows + 4 * start, kept + 4 * start, size, true),
      );
    }

    /** Pieces of rows of the batch alone. */
    function selectPieces(batch: PlacedBatch, found: number): ProbedPiece[] {
      const { numRows, pieceRows } = batch;
      const rows = area("rows", 4 * numRows + 4);
      const count = kind.matchedRows === "once"
        ? kernels.keepMatches!(found, numRows, rows, area("kept", 4 * numRows + 4))
        : kernels.keepOthers!(found, numRows, rows);
      const isAll = count === numRows && numRows <= pieceRows;
      return inPieces(
        count,
        pieceRows,
        (start, size) => pieceOf(batch, isAll ? 0 : rows + 4 * start, 0, size, true),
      );
    }

    function inPieces(
      count: number,
      pieceRows: number,
      piece: (start: number, size: number) => ProbedPiece,
    ): ProbedPiece[] {
      const pieces: ProbedPiece[] = [];
      let start = 0;
      do {
        const size = Math.min(pieceRows, count - start);
        pieces.push(piece(start, size));
        start += size;
      } while (start < count);
      return pieces;
    }

    function expandedPiece(batch: PlacedBatch, { probeRows, found }: RowPairs): ProbedPiece {
      const numRows = probeRows.length;
      const rows = area("rows", 4 * numRows);
      const kept = area("kept", 4 * numRows);
      words(rows, numRows).set(probeRows);
      words(kept, numRows).set(found);
      return pieceOf(batch, rows, kept, numRows, false);
    }

    /**
     * The rows of a piece: `rows` is where those of the batch lie, 0 for all as they are, and `kept`
     * where the rows + 1 of the build side do, 0 for none.
     */
    function pieceOf(
      { columns, wantsRows }: PlacedBatch,
      rows: number,
      kept: number,
      numRows: number,
      ascending: boolean,
    ): ProbedPiece {
      const end = rows + 4 * numRows;
      const hasPayload = kept !== 0 && records !== null;
      return {
        numRows,
        ascending,
        columns: rows === 0 ? null : columns.map((column) => takeRows(kernels, column, rows, end)),
        probeRows: rows !== 0 && wantsRows ? keep.words(rows, numRows) : null,
        payload: hasPayload
          ? gatherPayload(kernels, records, kept, numRows, kind.unmatchedRows > 0)
          : null,
        buildRows: kept !== 0 && table.wantsRows
          ? words(kept, numRows).map((row) => row - 1)
          : null,
      };
    }

    return { probe };
  };
}
