/**
 * The join of one probe batch, by kernels over the memory of a thread and that of a table: it finds
 * the keys, says which rows come out, and copies them, those of the batch and those of the build side.
 *
 * @module
 */

import type { JoinKind } from "../../join_kind.ts";
import type { JoinKernels } from "./kernels/module.ts";
import type { countMatches, expandMatches, RowPairs } from "./row_pairs.ts";
import type { Work } from "./work.ts";

/** Where the index of a table lies, and what its kernels take. */
export type IndexPlaces =
  | {
    readonly kind: "dense";
    readonly width: 1 | 2;
    readonly rows: number;
    readonly numValues: number;
    readonly least: { readonly low: number; readonly high: number };
  }
  | {
    readonly kind: "hash";
    readonly width: 1 | 2 | 3;
    /** Whether keys are text, to be packed into words. */
    readonly ofText: boolean;
    readonly slots: number;
    readonly numBytes: number;
    /** 32 less the binary logarithm of the number of slots. */
    readonly shift: number;
    readonly factors: readonly [number, number, number];
  }
  | {
    readonly kind: "text";
    readonly slots: number;
    readonly numBytes: number;
    readonly shift: number;
    readonly seed: number;
  };

/** Where a column lies in a record. */
export interface RecordField {
  readonly kind: "bit" | "number" | "short" | "long";
  /** Bytes from the start of the record. For text the size lies there, and the text behind it. */
  readonly at: number;
  /** Bytes of a value of fixed width. */
  readonly width: number;
  /** The bit of the record that is set where the row is not null; -1 where none is null. */
  readonly nullBit: number;
  /** Bytes of text that a record holds; where longer text lies is in the record. */
  readonly inlineBytes: number;
}

/** The payload by rows; the first record is all zeros, and stands for no row. */
export interface RecordPlaces {
  readonly at: number;
  /** Bytes of a record, and of all of them. */
  readonly stride: number;
  readonly numBytes: number;
  readonly fields: readonly RecordField[];
}

/** Where `RowGroups` lie. */
export interface GroupPlaces {
  readonly starts: number;
  readonly rows: number;
  /** Rows of the build side, and those of them that have a key. */
  readonly numRows: number;
  readonly numKeys: number;
}

/** A join table as its kernels know it: plain data, which threads get. */
export interface TablePlaces {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
  readonly index: IndexPlaces;
  /** Rows by their key; null where no two share one. */
  readonly groups: GroupPlaces | null;
  /** The row + 1 that null keys meet; 0 where they meet none. */
  readonly nullRow: number;
  /** Where the byte of each row + 1 lies that is set once it was found; 0 where nobody asks. */
  readonly matched: number;
  readonly kind: JoinKind;
  /** Null where there is no payload, or all of it is gathered elsewhere. */
  readonly records: RecordPlaces | null;
  /** Whether rows of the build side are wanted, for payload that is gathered elsewhere. */
  readonly wantsRows: boolean;
}

/** Parts of the buffers of a column. */
export interface BatchArrays {
  readonly data: Uint8Array;
  /** Offsets of 32 bits into text, and the position in the text at which the data begin. */
  readonly offsets: Uint8Array | null;
  readonly first: number;
  readonly validity: Uint8Array | null;
}

/** A column of a probe batch. */
export interface BatchColumn extends BatchArrays {
  readonly kind: "bit" | "number" | "text";
  /** Bytes of a number. */
  readonly width: number;
}

/** A probe batch. */
export interface ProbeBatch {
  readonly numRows: number;
  /** The words of the keys, or their text. */
  readonly key: BatchArrays;
  readonly columns: readonly BatchColumn[];
  /** Whether rows of the batch are wanted, for columns that are taken elsewhere. */
  readonly wantsRows: boolean;
  /** Rows of a piece of the result; 0 where only the rows are wanted that were found. */
  readonly pieceRows: number;
}

/** Buffers of a host column. */
export interface CopiedColumn {
  readonly data: Uint8Array;
  readonly offsets: Int32Array | null;
  readonly validity: Uint8Array | null;
  readonly nullCount: number;
}

/** What came of a batch. */
export interface ProbeAnswer {
  /** For each row the first row + 1 of the build side with its key, or 0; null where there are pieces. */
  readonly found: Int32Array | null;
  readonly pieces: readonly ProbedPiece[] | null;
}

/** Some of the rows that come out of a batch. */
export interface ProbedPiece {
  readonly numRows: number;
  /** The columns of the batch; null where all rows come out as they are. */
  readonly columns: readonly CopiedColumn[] | null;
  /** The fields of the records; null where there are none. */
  readonly payload: readonly CopiedColumn[] | null;
  /** The rows, where they are wanted: of the build side -1 for no row. */
  readonly probeRows: Int32Array | null;
  readonly buildRows: Int32Array | null;
  /** Whether no probe row occurs twice. */
  readonly ascending: boolean;
}

/** Probes batches of one table. */
export interface Prober {
  probe(batch: ProbeBatch): ProbeAnswer;
}

/** What it is made of: functions that threads have by their sources, and the memory of the thread. */
export interface ProberParts {
  readonly work: Work;
  readonly countMatches: typeof countMatches;
  readonly expandMatches: typeof expandMatches;
}

/**
 * Makes what makes probers. Threads take along the source of this function, so nothing in it names
 * anything from outside.
 */
export function makeNewProber({ work, countMatches, expandMatches }: ProberParts) {
  /** Pieces at most; a batch of more pairs is expanded by the main thread, as it is read. */
  const MAX_PIECES = 8;
  /** Rows whose reads of memory overlap. */
  const BLOCK = 512;
  /** Tables and records of more bytes than this do not stay in the cache, and are touched ahead. */
  const CACHE_BYTES = 1 << 20;
  const SLACK = 64;
  const { area, bytes, words } = work;
  // Areas by number; fields and columns have three each behind them.
  const [BATCH, FOUND, ROWS, KEPT, PLACES, WORDS, LIST, FIRST_COLUMN] = [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
  ] as const;

  /** A column in the memory of the thread: where its arrays lie, 0 for one that it has not. */
  interface PlacedColumn {
    readonly kind: BatchColumn["kind"] | "key";
    readonly width: number;
    /** Where the position 0 of text would be, or the data of other columns. */
    readonly data: number;
    readonly offsets: number;
    readonly validity: number;
  }

  interface PlacedBatch extends Omit<ProbeBatch, "key" | "columns"> {
    readonly key: PlacedColumn;
    readonly columns: readonly PlacedColumn[];
  }

  /** Copies a batch into the memory of the thread, each array once. */
  function place({ key, columns, ...batch }: ProbeBatch): PlacedBatch {
    const places = new Map<Uint8Array, number>();
    let numBytes = 0;
    for (const { data, offsets, validity } of [key, ...columns]) {
      for (const array of [data, offsets, validity]) {
        if (array === null || places.has(array)) continue;
        places.set(array, numBytes);
        numBytes = 16 * Math.ceil((numBytes + array.length + SLACK) / 16);
      }
    }
    const base = area(BATCH, numBytes);
    for (const [array, at] of places) bytes(base + at, array.length).set(array);
    const placeOf = (array: Uint8Array | null) => array === null ? 0 : base + places.get(array)!;
    const placed = (
      { data, offsets, first, validity }: BatchArrays,
      kind: PlacedColumn["kind"],
      width: number,
    ) => ({
      kind,
      width,
      // Places wrap around, as addresses of kernels do.
      data: placeOf(data) - first,
      offsets: placeOf(offsets),
      validity: placeOf(validity),
    });
    return {
      ...batch,
      key: placed(key, "key", 0),
      columns: columns.map((column) => placed(column, column.kind, column.width)),
    };
  }

  return function newProber(table: TablePlaces, kernels: JoinKernels): Prober {
    const { memory, index, kind, records } = table;

    /** Bytes and words that stay. An array made from another one is not filled with zeros first. */
    function keptBytes(at: number, length: number): Uint8Array {
      return new Uint8Array(bytes(at, length));
    }

    function keptWords(at: number, length: number): Int32Array {
      return new Int32Array(words(at, length));
    }

    /** Finds the keys of a batch, and gives where the rows + 1 lie. */
    function find({ numRows, key }: PlacedBatch): number {
      const found = area(FOUND, 4 * numRows);
      if (index.kind === "text") findTexts(index, key.offsets, key.data, numRows, found);
      else if (index.kind === "dense") {
        const { rows, numValues, least: { low, high } } = index;
        const end = key.data + 4 * index.width * numRows;
        if (index.width === 1) kernels.findDense1!(key.data, end, rows, numValues, low, found);
        else kernels.findDense2!(key.data, end, rows, numValues, low, high, found);
      } else if (index.ofText) findPacked(index, key.offsets, key.data, numRows, found);
      else findWords(index, key.data, numRows, found);
      if (key.validity !== 0) kernels.setNulls!(key.validity, numRows, table.nullRow, found);
      if (table.matched !== 0) kernels.noteFound!(found, found + 4 * numRows, table.matched);
      return found;
    }

    function findWords(
      { width, slots, numBytes, shift, factors }: IndexPlaces & { readonly kind: "hash" },
      keys: number,
      numRows: number,
      found: number,
    ): void {
      const findKeys = kernels[`findWords${width}`]!;
      const touch = kernels[`touchWords${width}`]!;
      const size = 4 * width;
      const [factor0, factor1, factor2] = factors;
      const step = numBytes > CACHE_BYTES ? BLOCK : numRows;
      for (let start = 0; start < numRows; start += step) {
        const stop = Math.min(start + step, numRows);
        const [at, end] = [keys + size * start, keys + size * stop];
        if (step < numRows) touch(at, end, slots, shift, factor0, factor1, factor2);
        const to = found + 4 * start;
        findKeys(at, end, slots, numBytes - 1, shift, factor0, factor1, factor2, to);
      }
    }

    function findPacked(
      places: IndexPlaces & { readonly kind: "hash" },
      offsets: number,
      data: number,
      numRows: number,
      found: number,
    ): void {
      const packed = area(WORDS, 4 * places.width * numRows);
      const list = area(LIST, 4 * numRows + 4);
      const end = offsets + 4 * numRows;
      const numListed = kernels.packText!(offsets, end, data, 4 * places.width, packed, list);
      findWords(places, packed, numRows, found);
      if (numListed > 0) kernels.clearRows!(list, list + 4 * numListed, found);
    }

    function findTexts(
      { slots, numBytes, shift, seed }: IndexPlaces & { readonly kind: "text" },
      offsets: number,
      data: number,
      numRows: number,
      found: number,
    ): void {
      const hashes = area(WORDS, 4 * numRows);
      kernels.hashTexts!(offsets, offsets + 4 * numRows, data, seed, hashes);
      const step = numBytes > CACHE_BYTES ? BLOCK : numRows;
      for (let start = 0; start < numRows; start += step) {
        const stop = Math.min(start + step, numRows);
        const [at, end] = [hashes + 4 * start, hashes + 4 * stop];
        if (step < numRows) {
          kernels.touchSlots!(at, end, slots, shift);
          kernels.touchTexts!(at, end, slots, shift);
        }
        const [from, to] = [offsets + 4 * start, found + 4 * start];
        kernels.findTexts!(at, end, slots, numBytes - 1, shift, from, data, to);
      }
    }

    function probe(unplaced: ProbeBatch): ProbeAnswer {
      const batch = place(unplaced);
      const { numRows, pieceRows } = batch;
      const found = find(batch);
      const onlyFound = () => ({ found: keptWords(found, numRows), pieces: null });
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
          const all = expandMatches(lists, keptWords(found, numRows), kind, numPairs, pieceRows);
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
      const rows = area(ROWS, 4 * numRows + 4);
      const kept = area(KEPT, 4 * numRows + 4);
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
      const rows = area(ROWS, 4 * numRows + 4);
      const count = kind.matchedRows === "once"
        ? kernels.keepMatches!(found, numRows, rows, area(KEPT, 4 * numRows + 4))
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
      const rows = area(ROWS, 4 * numRows);
      const kept = area(KEPT, 4 * numRows);
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
        columns: rows === 0 ? null : columns.map((column) => take(column, rows, end)),
        probeRows: rows !== 0 && wantsRows ? keptWords(rows, numRows) : null,
        payload: hasPayload ? gather(records, kept, numRows) : null,
        buildRows: kept !== 0 && table.wantsRows
          ? words(kept, numRows).map((row) => row - 1)
          : null,
      };
    }

    /** Rows of a column of the batch. */
    function take(
      { kind: form, width, data, offsets, validity }: PlacedColumn,
      rows: number,
      end: number,
    ): CopiedColumn {
      const numRows = (end - rows) >> 2;
      const numBits = (numRows + 7) >> 3;
      const bits = validity === 0 ? 0 : area(FIRST_COLUMN, numBits);
      const nullCount = validity === 0 ? 0 : numRows - kernels.takeBits!(rows, end, validity, bits);
      const valid = nullCount === 0 ? null : keptBytes(bits, numBits);
      if (form === "bit") {
        const to = area(FIRST_COLUMN, numBits);
        kernels.takeBits!(rows, end, data, to);
        return { data: keptBytes(to, numBits), offsets: null, validity: valid, nullCount };
      }
      if (form === "number") {
        const to = area(FIRST_COLUMN, width * numRows);
        kernels[`take${width}`]!(rows, end, data, to);
        const values = keptBytes(to, width * numRows);
        return { data: values, offsets: null, validity: valid, nullCount };
      }
      const ends = area(FIRST_COLUMN, 4 * numRows + 4);
      words(ends, 1)[0] = 0;
      const numBytes = kernels.takeSizes!(rows, end, offsets, ends);
      const to = area(FIRST_COLUMN + 1, numBytes);
      kernels.takeText!(rows, end, offsets, data, ends, to);
      const text = keptBytes(to, numBytes);
      return { data: text, offsets: keptWords(ends, numRows + 1), validity: valid, nullCount };
    }

    /** What the records have of some rows + 1. */
    function gather(
      { at, stride, numBytes, fields }: RecordPlaces,
      kept: number,
      numRows: number,
    ): CopiedColumn[] {
      const places = area(PLACES, 4 * numRows);
      kernels.placeRecords!(kept, kept + 4 * numRows, at, stride, places);
      const isLarge = numBytes > CACHE_BYTES;
      const targets = fields.map((field, number) => newTarget(field, number, numRows));
      const bits = kind.unmatchedRows > 0 ? area(LIST, (numRows + 7) >> 3) : 0;
      let numPresent = bits === 0 ? numRows : 0;
      const step = isLarge ? BLOCK : 16 * BLOCK;
      for (let start = 0; start < numRows; start += step) {
        const stop = Math.min(start + step, numRows);
        const [from, end] = [places + 4 * start, places + 4 * stop];
        if (isLarge) kernels.touchRecords!(from, end);
        for (const target of targets) gatherField(target, from, end, start);
      }
      if (bits !== 0) numPresent = kernels.foundBits!(kept, kept + 4 * numRows, bits);
      const numBits = (numRows + 7) >> 3;
      const present = numPresent === numRows ? null : keptBytes(bits, numBits);
      return targets.map((target) => fieldOf(target, numRows, present, numRows - numPresent));
    }

    /** A field while it is gathered. */
    interface Target {
      readonly field: RecordField;
      readonly number: number;
      readonly ends: number;
      readonly validity: number;
      data: number;
      numBytes: number;
      numSet: number;
    }

    function newTarget(field: RecordField, number: number, numRows: number): Target {
      const numBits = (numRows + 7) >> 3;
      const isText = field.kind === "short" || field.kind === "long";
      const first = FIRST_COLUMN + 3 * number;
      const numBytes = field.kind === "bit"
        ? numBits
        : isText
        ? 16 * numRows
        : field.width * numRows;
      const target = {
        field,
        number: first,
        data: area(first, numBytes),
        ends: isText ? area(first + 1, 4 * numRows + 4) : 0,
        validity: field.nullBit < 0 ? 0 : area(first + 2, numBits),
        numBytes: isText ? 0 : numBytes,
        numSet: 0,
      };
      if (isText) words(target.ends, 1)[0] = 0;
      return target;
    }

    /** Copies a block of a field, which begins at row `start`. */
    function gatherField(target: Target, places: number, end: number, start: number): void {
      const { field: { kind: form, at, width, nullBit, inlineBytes }, validity, ends } = target;
      if (nullBit >= 0) {
        const to = validity + (start >> 3);
        target.numSet += kernels.gatherBits!(places, end, nullBit >> 3, nullBit & 7, to);
      }
      const { data } = target;
      switch (form) {
        case "bit":
          kernels.gatherBits!(places, end, at, 0, data + (start >> 3));
          return;
        case "short":
          kernels.gatherShort!(places, end, at, ends + 4 * start, data);
          return;
        case "long": {
          const numBytes = kernels.gatherSizes!(places, end, at, ends + 4 * start);
          const to = roomFor(target, numBytes);
          kernels.gatherLong!(places, end, at, inlineBytes, ends + 4 * start, to);
          return;
        }
        case "number": {
          const copy = kernels[`gather${width}`];
          const to = data + width * start;
          if (copy !== undefined) copy(places, end, at, to, width);
          else gatherWide(places, end, at, to, width);
        }
      }
    }

    /** Values of a width that no kernel has, 16 bytes and 8 and so on at a time. */
    function gatherWide(
      places: number,
      end: number,
      at: number,
      to: number,
      width: number,
    ): void {
      let done = 0;
      for (const size of [16, 8, 4, 2, 1]) {
        for (; width - done >= size; done += size) {
          kernels[`gather${size}`]!(places, end, at + done, to + done, width);
        }
      }
    }

    /** The place of text that grows to some bytes. */
    function roomFor(target: Target, numBytes: number): number {
      const { number, data, numBytes: known } = target;
      if (work.sizeOf(number) < numBytes) {
        const to = area(number, numBytes);
        bytes(to, known).set(bytes(data, known));
        target.data = to;
      }
      target.numBytes = numBytes;
      return target.data;
    }

    function fieldOf(
      { field, ends, validity, data, numBytes, numSet }: Target,
      numRows: number,
      present: Uint8Array | null,
      numMissing: number,
    ): CopiedColumn {
      const offsets = ends === 0 ? null : keptWords(ends, numRows + 1);
      const numBits = (numRows + 7) >> 3;
      const nullCount = field.nullBit < 0 ? numMissing : numRows - numSet;
      return {
        data: keptBytes(data, offsets === null ? numBytes : offsets[numRows]!),
        offsets,
        validity: nullCount === 0
          ? null
          : field.nullBit < 0
          ? new Uint8Array(present!)
          : keptBytes(validity, numBits),
        nullCount,
      };
    }

    return { probe };
  };
}
