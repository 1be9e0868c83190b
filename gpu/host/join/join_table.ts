/**
 * The build side of a join: its keys in an index, its rows in groups, and the columns that the
 * result takes from it.
 *
 * @module
 */

import type { JoinTable, KeyType, TableRequest } from "../../backend.ts";
import { type HostColumn, isNull, stringDataBytes } from "../../column/column.ts";
import { bitAt } from "../../column/bitmap.ts";
import { longestRow } from "../../column/row_bytes.ts";
import { type JoinKind, joinKinds } from "../../join_kind.ts";
import { readIntKeys, readTextKeys, textKeyWidth } from "../../key/key_words.ts";
import { buildDenseIndex } from "./dense_index.ts";
import { buildHashIndex } from "./hash_table.ts";
import type { BuiltIndex, KeyIndex } from "./key_index.ts";
import { PayloadRecords } from "./payload_records.ts";
import type { RowGroups } from "./row_pairs.ts";
import { sharedBytes, sharedWords } from "./shared_words.ts";
import { buildTextIndex } from "./text_index.ts";
import type { ProbedPiece, SharedTable } from "./threads/probe_part.ts";
import { gatherColumns } from "../../column/gather.ts";
import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";
import { textWindows, windowOf } from "../../column/text_windows.ts";

/** The share of its rows that a table has given when records of the payload are worth to be made. */
const SHARE_BEFORE_RECORDS = 1 / 4;

/** The threads that probe a table. */
interface TableThreads {
  readonly depth: number;
  remove(table: HostJoinTable): void;
}

/** A table in the memory of the host. */
export class HostJoinTable implements JoinTable {
  readonly kind: JoinKind;
  /** The columns that the result takes from the build side. */
  readonly payload: readonly HostColumn[];
  /** What only the rows have that the build side gives by itself. */
  readonly lastPayload: readonly HostColumn[];
  /** Rows of the build side. */
  readonly numRows: number;
  readonly #index: KeyIndex;
  readonly #firstRows: Int32Array;
  /** The first row without a key, which every row without one matches; -1 where none matches. */
  readonly #nullRow: number;
  /** For each first row of a key, 1 once a probe row had the key; null where nobody asks. */
  #matched: Uint8Array | null;
  #groups: RowGroups | null;
  #longestRow: number | undefined;
  /** The payload by rows; undefined before that is worth it, null where it cannot be. */
  #records: PayloadRecords | null | undefined;
  #numGathered = 0;
  #shared: SharedTable | undefined;
  readonly #threads: TableThreads | undefined;

  constructor(
    { key, keyType, payload, lastPayload, how, nullsEqual }: TableRequest,
    threads?: TableThreads,
  ) {
    const { index, firstRows } = buildKeyIndex(narrowed(key), keyType);
    this.#nullRow = nullsEqual ? joinNulls(key, firstRows) : -1;
    this.kind = joinKinds[how];
    this.#groups = groupRows(firstRows);
    this.#threads = threads;
    this.payload = payload;
    this.lastPayload = lastPayload;
    this.numRows = key.length;
    this.#index = index;
    this.#firstRows = firstRows;
    this.#matched = this.kind.lastRows === "none" ? null : new Uint8Array(key.length);
  }

  /** Rows that share a key; null where every key is unique. */
  get groups(): RowGroups | null {
    return this.#groups;
  }

  /** The useful number of batches in flight. */
  get depth(): number {
    return this.#threads?.depth ?? 1;
  }

  /** Bytes of the largest row of the payload. */
  get longestRow(): number {
    return this.#longestRow ??= longestRow(this.payload);
  }

  /** For each row of a probe key, the first row with an equal key, else -1. */
  match(key: HostColumn): Int32Array {
    const firstRows = new Int32Array(key.length);
    // Keys are read as text with offsets of 32 bits, window by window where they have others.
    for (const [start, stop] of textWindows([key], key.length)) {
      this.#index.find(windowOf(key, [start, stop]), firstRows.subarray(start, stop));
    }
    if (key.nullCount > 0 && key.validity !== null) {
      for (let row = 0; row < key.length; row++) {
        // All bits are set where the row is null.
        const isMissing = bitAt(key.validity, row) - 1;
        firstRows[row] = (firstRows[row]! & ~isMissing) | (this.#nullRow & isMissing);
      }
    }
    this.#note(firstRows);
    return firstRows;
  }

  /** The rows that the build side gives by itself, ascending. */
  lastRows(): Int32Array {
    const matched = this.#matched;
    if (matched === null) return new Int32Array(0);
    const wanted = this.kind.lastRows === "matched" ? 1 : 0;
    const rows = new Int32Array(this.numRows);
    let count = 0;
    for (let row = 0; row < this.numRows; row++) {
      const first = this.#firstRows[row]!;
      if ((first < 0 ? 0 : matched[first]!) === wanted) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  /** The payload of some rows of the build side, -1 being nulls, which only occurs if `mayMiss`. */
  gatherPayload(rows: Int32Array, mayMiss: boolean): HostColumn[] {
    this.#numGathered += rows.length;
    if (this.#numGathered > SHARE_BEFORE_RECORDS * this.numRows) this.#makeRecords();
    return this.#records?.gather(rows, mayMiss) ?? gatherColumns(this.payload, rows, { mayMiss });
  }

  /** The payload of some pairs that a thread has probed. */
  payloadOf({ fields, numRows, buildRows }: ProbedPiece, mayMiss: boolean): HostColumn[] {
    return fields !== null && this.#records
      ? this.#records.columnsOf(fields, numRows, buildRows, mayMiss)
      : this.gatherPayload(buildRows!, mayMiss);
  }

  /** The table as threads know it; its arrays stay in shared memory from then on. */
  share(): SharedTable {
    if (this.#shared !== undefined) return this.#shared;
    this.#makeRecords();
    const groups = this.#groups;
    if (groups !== null) {
      this.#groups = { starts: sharedWords(groups.starts), rows: sharedWords(groups.rows) };
    }
    this.#matched &&= sharedBytes(this.#matched);
    return this.#shared = {
      index: this.#index.share(),
      groups: this.#groups,
      nullRow: this.#nullRow,
      matched: this.#matched,
      unmatchedRows: this.kind.unmatchedRows,
      records: this.#records?.share() ?? null,
      hasOthers: this.#records?.hasOthers ?? false,
    };
  }

  /** Plain memory, which the garbage collector frees. */
  release(): void {
    this.#threads?.remove(this);
  }

  #makeRecords(): void {
    if (this.#records !== undefined) return;
    this.#records = PayloadRecords.of(this.payload, this.numRows);
  }

  /** Notes the keys that were found. */
  #note(firstRows: Int32Array): void {
    const matched = this.#matched;
    if (matched === null) return;
    for (let row = 0; row < firstRows.length; row++) {
      const first = firstRows[row]!;
      if (first >= 0) matched[first] = 1;
    }
  }
}

/** Lets all null keys have the first of them as first row, and returns it; -1 without any. */
function joinNulls(key: HostColumn, firstRows: Int32Array): number {
  let first = -1;
  if (key.nullCount === 0) return first;
  for (let row = 0; row < key.length; row++) {
    if (!isNull(key, row)) continue;
    if (first < 0) first = row;
    firstRows[row] = first;
  }
  return first;
}

/** The same key with offsets of 32 bits where they reach its end. */
function narrowed(key: HostColumn): HostColumn {
  const fits = stringDataBytes(key) <= MAX_NARROW_OFFSET;
  return fits ? windowOf(key, [0, key.length]) : key;
}

/**
 * Groups rows by the first row that has their key (-1 for a row without one). Null where each row
 * is the first: every key is unique.
 */
function groupRows(firstRows: Int32Array): RowGroups | null {
  const numRows = firstRows.length;
  const starts = new Int32Array(numRows + 1);
  let numKeys = 0;
  let unique = true;
  for (let row = 0; row < numRows; row++) {
    const first = firstRows[row]!;
    if (first < 0) continue;
    numKeys++;
    starts[first + 1]!++;
    if (first !== row) unique = false;
  }
  if (unique) return null;
  for (let row = 0; row < numRows; row++) starts[row + 1]! += starts[row]!;
  const next = starts.slice();
  const rows = new Int32Array(numKeys);
  for (let row = 0; row < numRows; row++) {
    const first = firstRows[row]!;
    if (first >= 0) rows[next[first]!++] = row;
  }
  return { starts, rows };
}

/** Builds the index of the build side's keys. */
function buildKeyIndex(key: HostColumn, keyType: KeyType): BuiltIndex {
  if (keyType.kind === "string") {
    checkString(key);
    const width = textKeyWidth(key);
    if (width === null) return buildTextIndex(key);
    return buildHashIndex(key, width, (column) => {
      checkString(column);
      return readTextKeys(column, width);
    });
  }
  const width = keyType.bits === 32 ? 1 : 2;
  return buildDenseIndex(key, width) ??
    buildHashIndex(key, width, (column) => readIntKeys(column, width));
}

function checkString(key: HostColumn): void {
  if (key.type.kind !== "string") {
    throw new TypeError(`Cannot read ${key.type.kind} keys as strings`);
  }
}
