/**
 * What a thread does of the join of one probe batch: it finds the keys, and where all that comes out
 * of the build side lies in records, it gathers that too.
 *
 * @module
 */

import type { KeyBlock, TextView } from "../../../key/key_words.ts";
import type { makePackText } from "../../../key/pack_text.ts";
import type { makeDenseFind } from "../dense_find.ts";
import type { GatheredField, makeGatherRecords, Records } from "../gather_records.ts";
import type { makeHashFind } from "../hash_find.ts";
import type { SharedIndex } from "../key_index.ts";
import type {
  countMatches,
  expandMatches,
  pairMatches,
  RowGroups,
  RowPairs,
} from "../row_pairs.ts";
import type { makeTextFind } from "../text_find.ts";

/** A join table as threads know it: plain data, its arrays in shared memory. */
export interface SharedTable {
  readonly index: SharedIndex;
  readonly groups: RowGroups | null;
  /** The row that null keys match; -1 where they match none. */
  readonly nullRow: number;
  /** Where the keys are noted that were found; null where nobody asks. */
  readonly matched: Uint8Array | null;
  /** How often a probe row without a match comes out of a kind that gives pairs. */
  readonly unmatchedRows: 0 | 1;
  /** The payload; null where it has to be gathered by the main thread. */
  readonly records: Records | null;
  /** Whether some columns of the payload are not in the records. */
  readonly hasOthers: boolean;
}

/** The keys of a batch: as words, or text whose offsets begin at 0. */
export interface SharedKey {
  readonly numRows: number;
  readonly words: Int32Array | null;
  readonly offsets: Int32Array | null;
  readonly data: Uint8Array | null;
  readonly validity: Uint8Array | null;
}

/** What came of a batch. */
export interface ProbeAnswer {
  /** For each row the first row of the build side with its key, or -1; null where there are pieces. */
  readonly firstRows: Int32Array | null;
  /** The pairs that come out, in pieces of some rows, with their payload. */
  readonly pieces: readonly ProbedPiece[] | null;
}

/** Some of the pairs of a batch. */
export interface ProbedPiece {
  readonly numRows: number;
  /** Whether no probe row occurs twice. */
  readonly ascending: boolean;
  /** The rows of both sides; null for probe rows that are all rows, and build rows nobody needs. */
  readonly probeRows: Int32Array | null;
  readonly buildRows: Int32Array | null;
  readonly fields: readonly GatheredField[] | null;
}

/** The functions that it is made of, which threads have by their sources. */
export interface ProbeParts {
  readonly blockRows: number;
  readonly hash: ReturnType<typeof makeHashFind>;
  readonly dense: ReturnType<typeof makeDenseFind>;
  readonly text: ReturnType<typeof makeTextFind>;
  readonly pack: ReturnType<typeof makePackText>;
  readonly records: ReturnType<typeof makeGatherRecords>;
  readonly pairs: {
    readonly countMatches: typeof countMatches;
    readonly pairMatches: typeof pairMatches;
    readonly expandMatches: typeof expandMatches;
  };
}

/**
 * Makes the function. Threads take along the source of this one, so nothing in it names anything from
 * outside.
 */
export function makeProbePart({ blockRows, hash, dense, text, pack, records, pairs }: ProbeParts) {
  /** Pieces at most; a batch of more pairs is expanded by the main thread, as it is read. */
  const MAX_PIECES = 8;

  /** The pairs of a batch in pieces of `pieceRows`, with payload; where that is 0, the rows found. */
  function probePart(table: SharedTable, key: SharedKey, pieceRows: number): ProbeAnswer {
    const firstRows = findRows(table, key);
    const { groups } = table;
    if (pieceRows === 0) return { firstRows, pieces: null };
    if (groups !== null) {
      const { numPairs, repeats } = pairs.countMatches(groups, firstRows, table);
      if (numPairs > MAX_PIECES * pieceRows) return { firstRows, pieces: null };
      if (repeats) {
        const expanded = pairs.expandMatches(groups, firstRows, table, numPairs, pieceRows);
        const pieces = [...expanded].map((some) => pieceOf(table, some));
        return { firstRows: null, pieces };
      }
    }
    const all = pairs.pairMatches(firstRows, table);
    const numRows = all.probeRows.length;
    const pieces: ProbedPiece[] = [];
    let start = 0;
    do {
      const stop = Math.min(start + pieceRows, numRows);
      const probeRows = all.probeRows.subarray(start, stop);
      const buildRows = all.buildRows.subarray(start, stop);
      pieces.push(pieceOf(table, { ...all, probeRows, buildRows }));
      start = stop;
    } while (start < numRows);
    return { firstRows: null, pieces };
  }

  function findRows({ index, nullRow, matched }: SharedTable, key: SharedKey): Int32Array {
    const { numRows, validity } = key;
    const firstRows = new Int32Array(numRows);
    if (index.kind === "text") {
      text.findTexts(index.table, viewOf(index.text), textOf(key), numRows, firstRows);
    } else if (index.kind === "dense") {
      dense.findDense(index.table, index.width, wordsOf(key, index.width), numRows, firstRows);
    } else {
      const { table, width, ofText } = index;
      const read = ofText ? packed(key, width) : wordsOf(key, width);
      hash.findHashed(table, width, read, numRows, firstRows);
    }
    if (validity !== null) {
      for (let row = 0; row < numRows; row++) {
        // All bits are set where the row is null.
        const isMissing = ((validity[row >> 3]! >> (row & 7)) & 1) - 1;
        firstRows[row] = (firstRows[row]! & ~isMissing) | (nullRow & isMissing);
      }
    }
    if (matched !== null) {
      for (let row = 0; row < numRows; row++) {
        if (firstRows[row]! >= 0) matched[firstRows[row]!] = 1;
      }
    }
    return firstRows;
  }

  function newBlock(words: Int32Array): KeyBlock {
    return { words, at: 0, unpacked: new Int32Array(blockRows), numUnpacked: 0 };
  }

  function wordsOf({ words }: SharedKey, width: number) {
    const block = newBlock(words!);
    return (start: number) => {
      block.at = start * width;
      return block;
    };
  }

  function packed(key: SharedKey, width: 1 | 2 | 3) {
    const block = newBlock(new Int32Array(width * blockRows));
    const view = textOf(key);
    return (start: number, stop: number) => {
      pack.packRows(view, width, start, stop, block);
      return block;
    };
  }

  function textOf({ offsets, data }: SharedKey): TextView {
    return viewOf({ offsets: offsets!, data: data! });
  }

  function viewOf({ offsets, data }: Pick<TextView, "offsets" | "data">): TextView {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    return { offsets, data, view };
  }

  function pieceOf(
    { records: payload, hasOthers, unmatchedRows }: SharedTable,
    { probeRows, buildRows, numProbeRows, ascending }: RowPairs,
  ): ProbedPiece {
    const numRows = probeRows.length;
    const isAll = ascending && numRows === numProbeRows;
    const fields = payload === null
      ? null
      : records.gatherRecords(payload, buildRows, unmatchedRows > 0);
    return {
      numRows,
      ascending,
      probeRows: isAll ? null : probeRows,
      buildRows: hasOthers || fields === null ? buildRows : null,
      fields,
    };
  }

  return { probePart };
}
