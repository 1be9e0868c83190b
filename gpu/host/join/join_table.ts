/**
 * The build side of a join: its keys in an index, its rows in groups, and the columns that the
 * result takes from it.
 *
 * @module
 */

import type { JoinTable, TableRequest } from "../../backend.ts";
import { type HostColumn, isNull, stringDataBytes } from "../../column/column.ts";
import { gatherColumn } from "../../column/gather.ts";
import { MAX_NARROW_OFFSET } from "../../column/offsets.ts";
import { longestRow } from "../../column/row_bytes.ts";
import { windowOf } from "../../column/text_windows.ts";
import { type JoinKind, joinKinds } from "../../join_kind.ts";
import { tableModule } from "../table/kernels/module.ts";
import { buildKeyIndex } from "../table/key_index.ts";
import { TableMemory } from "../table/memory.ts";
import { makeRecords, type PayloadRecords } from "./payload_records.ts";
import { type ChosenBatch, probeBatch } from "./probe_batch.ts";
import type { CopiedColumn } from "../parts/take_rows.ts";
import type { ProbeAnswer, ProbedRows } from "./probe_answer.ts";
import { Prober } from "./prober.ts";
import type { RowGroups } from "./row_pairs.ts";
import type { IndexPlaces } from "../table/index_places.ts";
import type { TablePlaces } from "./table_places.ts";
import { newWork, type Work } from "../table/work.ts";

/** The share of its rows that a table is probed with before records are worth their cost. */
const SHARE_BEFORE_RECORDS = 1 / 4;

/** The threads that probe a table. */
interface TableThreads {
  readonly work: Work;
  readonly depth: number;
  remove(table: HostJoinTable): void;
}

/** The answer to a batch, and the place of each column in it. */
export interface Probed {
  readonly answer: ProbeAnswer;
  readonly places: ChosenBatch["places"];
}

/** A table in the memory of the host. */
export class HostJoinTable implements JoinTable {
  readonly kind: JoinKind;
  /** The columns that the result takes from the build side. */
  readonly payload: readonly HostColumn[];
  /** The columns of build-only rows alone, which follow the payload. */
  readonly buildOnlyPayload: readonly HostColumn[];
  /** The number of rows of the build side. */
  readonly numRows: number;
  /** Rows that share a key; null if every key is unique. */
  readonly groups: RowGroups | null;
  readonly #memory: TableMemory;
  readonly #index: IndexPlaces;
  /** The first row + 1 that has the key of each row. */
  readonly #found: Int32Array;
  /** The first row + 1 with a null key, which null keys match; 0 if they match nothing. */
  readonly #nullRow: number;
  /** For each first row + 1 of a key, 1 once a probe row had the key; null if nobody needs it. */
  readonly #matched: Uint8Array | null;
  #longestRow: number | undefined;
  /** The payload by rows; undefined before that is worth it, null if it cannot be. */
  #records: PayloadRecords | null | undefined;
  #numProbed = 0;
  #places: TablePlaces | undefined;
  #prober: Prober | undefined;
  readonly #threads: TableThreads | undefined;

  constructor(
    { key, keyType, payload, buildOnlyPayload, how, nullsEqual }: TableRequest,
    threads?: TableThreads,
  ) {
    this.#memory = new TableMemory(threads?.work ?? newWork());
    const { places, found } = buildKeyIndex(this.#memory, narrowed(key), keyType);
    this.#nullRow = nullsEqual ? joinNulls(key, found) : 0;
    this.kind = joinKinds[how];
    this.groups = groupRows(found, this.#memory);
    this.#threads = threads;
    this.payload = payload;
    this.buildOnlyPayload = buildOnlyPayload;
    this.numRows = key.length;
    this.#index = places;
    this.#found = found;
    const asksForMatched = this.kind.buildOnlyRows !== "none";
    this.#matched = asksForMatched
      ? this.#memory.bytesAt(this.#memory.reserve(key.length + 1), key.length + 1)
      : null;
  }

  /** The useful number of batches in flight. */
  get depth(): number {
    return this.#threads?.depth ?? 1;
  }

  /** Bytes of the largest row of the payload. */
  get longestRow(): number {
    return this.#longestRow ??= longestRow(this.payload);
  }

  /** The places of the table's arrays, for kernels; a new object once there are records. */
  get places(): TablePlaces {
    const { groups } = this;
    const records = this.#records ?? null;
    return this.#places ??= {
      memory: this.#memory.memory,
      module: tableModule(),
      index: this.#index,
      groups: groups === null ? null : {
        starts: groups.starts.byteOffset,
        rows: groups.rows.byteOffset,
        numRows: this.numRows,
        numKeys: groups.rows.length,
      },
      nullRow: this.#nullRow,
      matched: this.#matched?.byteOffset ?? 0,
      kind: this.kind,
      records: records?.places ?? null,
      wantsRows: records?.columns.includes(-1) ?? this.payload.length > 0,
    };
  }

  /**
   * Returns the batch as kernels read it. They return results of `resultRows` rows; with 0, only the
   * matches.
   */
  batchOf(key: HostColumn, columns: readonly HostColumn[], resultRows: number): ChosenBatch {
    this.#prepareRecords(key.length);
    return probeBatch(this.#index, key, columns, resultRows);
  }

  /** Probes a batch on this thread. */
  probe(key: HostColumn, columns: readonly HostColumn[], resultRows: number): Probed {
    const { batch, places } = this.batchOf(key, columns, resultRows);
    const { work, kernels } = this.#memory;
    this.#prober ??= new Prober(work, this.places, kernels);
    return { answer: this.#prober.probe(batch), places };
  }

  /** Returns, for each row of a probe key, the first row + 1 with an equal key, or 0. */
  find(key: HostColumn): Int32Array {
    return this.probe(narrowed(key), [], 0).answer.found!;
  }

  /** Returns the build-only rows, ascending. */
  buildOnlyRows(): Int32Array {
    const matched = this.#matched;
    if (matched === null) return new Int32Array(0);
    const wanted = this.kind.buildOnlyRows === "matched" ? 1 : 0;
    const rows = new Int32Array(this.numRows);
    let count = 0;
    for (let row = 0; row < this.numRows; row++) {
      const first = this.#found[row]!;
      if ((first === 0 ? 0 : matched[first]!) === wanted) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  /** Returns the payload of a result. Row -1, of nulls, occurs only if `mayMiss`. */
  payloadOf({ payload, buildRows, numRows }: ProbedRows, mayMiss: boolean): HostColumn[] {
    return this.payload.map((column, index) => {
      const copied = payload?.[this.#records?.columns[index] ?? -1];
      return copied === undefined
        ? gatherColumn(column, buildRows!, { mayMiss })
        : hostColumn(column, copied, numRows);
    });
  }

  /** Only removes the table from the threads; the garbage collector frees the memory. */
  release(): void {
    this.#threads?.remove(this);
  }

  /** Makes records once enough rows were probed. */
  #prepareRecords(numRows: number): void {
    this.#numProbed += numRows;
    if (this.#records !== undefined || this.payload.length === 0) return;
    if (this.#numProbed <= SHARE_BEFORE_RECORDS * this.numRows) return;
    this.#records = makeRecords(this.#memory, this.payload, this.numRows);
    this.#places = undefined;
    this.#prober = undefined;
  }
}

/** Returns copied buffers as a column of the type of another one. */
export function hostColumn(
  { type }: HostColumn,
  copied: CopiedColumn,
  length: number,
): HostColumn {
  return { place: "host", type, length, ...copied, children: [] };
}

/**
 * Makes the first null key the first row of all null keys. Returns its row + 1; 0 without null
 * keys.
 */
function joinNulls(key: HostColumn, found: Int32Array): number {
  let first = 0;
  if (key.nullCount === 0) return first;
  for (let row = 0; row < key.length; row++) {
    if (!isNull(key, row)) continue;
    if (first === 0) first = row + 1;
    found[row] = first;
  }
  return first;
}

/** Returns the key, with 32-bit offsets if these can reach its end. */
function narrowed(key: HostColumn): HostColumn {
  const fits = stringDataBytes(key) <= MAX_NARROW_OFFSET;
  return fits ? windowOf(key, [0, key.length]) : key;
}

/**
 * Groups rows by `found`, the first row + 1 that has their key, or 0 for a row without a key.
 * Returns null if every key is unique.
 */
function groupRows(found: Int32Array, memory: TableMemory): RowGroups | null {
  const numRows = found.length;
  if (isUnique(found)) return null;
  const starts = memory.words(numRows + 1);
  let numKeys = 0;
  for (let row = 0; row < numRows; row++) {
    const first = found[row]!;
    if (first === 0) continue;
    numKeys++;
    starts[first]!++;
  }
  for (let row = 0; row < numRows; row++) starts[row + 1]! += starts[row]!;
  const next = Int32Array.from(starts);
  const rows = memory.words(numKeys);
  for (let row = 0; row < numRows; row++) {
    const first = found[row]!;
    if (first !== 0) rows[next[first - 1]!++] = row;
  }
  return { starts, rows };
}

/** Whether every row with a key is the first with it. */
function isUnique(found: Int32Array): boolean {
  for (let row = 0; row < found.length; row++) {
    if (found[row] !== 0 && found[row] !== row + 1) return false;
  }
  return true;
}
