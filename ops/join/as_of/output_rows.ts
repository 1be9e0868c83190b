/**
 * Rows of the stream with their matches, gathered to batches of a bounded size.
 *
 * @module
 */

import type { ResultLimits } from "../../../gpu/backend.ts";
import {
  type Column,
  columnBytes,
  type HostColumn,
  releaseColumn,
  retainColumn,
} from "../../../gpu/column/column.ts";
import { concatColumns } from "../../../gpu/column/concat.ts";
import { cutRows } from "../../../gpu/column/row_bytes.ts";
import { sliceColumn } from "../../../gpu/column/slice.ts";
import type { Batch } from "../../batch/batch.ts";
import type { StageContext } from "../../engine/node.ts";
import { limits, outputBatch } from "../shared/output.ts";
import type { BoundAsOf } from "./bound.ts";
import { concatSelections, type MatchedRows } from "./matched_rows.ts";

/** Cuts matched rows into ranges that keep the limits of a result. */
export function* cutByBytes(
  part: MatchedRows,
  most: ResultLimits = limits,
): Generator<MatchedRows, void, void> {
  const { rows, payload } = part;
  const picked = [{ columns: payload.columns, rows }];
  for (const { start, stop } of cutRows(picked, rows.length, most, payload.longestRow)) {
    yield {
      ...part,
      start: part.start + start,
      stop: part.start + stop,
      rows: rows.subarray(start, stop),
    };
  }
}

/** The rows of one batch of the stream, gathered until they suffice for a batch of the result. */
export class OutputRows {
  readonly #bound: BoundAsOf;
  readonly #batch: Batch;
  readonly #context: StageContext;
  /** The gathered payload of each range. */
  #parts: (readonly Column[])[] = [];
  /** The gathered rows of the batch: an inner join leaves out some of [start, stop). */
  #selections: Int32Array[] = [];
  #start = 0;
  #stop = 0;
  #numBytes = 0;
  numRows = 0;

  constructor(bound: BoundAsOf, batch: Batch, context: StageContext) {
    this.#bound = bound;
    this.#batch = batch;
    this.#context = context;
  }

  /** Whether rows that respect the limits fit beside those gathered so far. */
  fits({ rows, payload }: MatchedRows): boolean {
    if (this.numRows === 0) return true;
    const numBytes = this.#numBytes + rows.length * payload.longestRow;
    return this.numRows + rows.length <= limits.rows && numBytes <= limits.bytes;
  }

  /** Gathers rows that follow the last ones. */
  async add(part: MatchedRows): Promise<void> {
    const { start, stop, rows, payload } = part;
    if (this.numRows === 0) this.#start = start;
    this.#stop = stop;
    const kept = this.#bound.how === "inner" ? rowsKept(part, "inner") : null;
    const numRows = kept === null ? rows.length : kept.probeRows.length;
    if (numRows === 0) return;
    const gathered = await this.#context.backend.gather(payload.columns, kept?.buildRows ?? rows);
    this.#parts.push(gathered);
    if (kept !== null) this.#selections.push(kept.probeRows);
    this.#numBytes += gathered.reduce(
      (sum, column) => sum + (column.place === "host" ? columnBytes(column) : column.dataBytes),
      0,
    );
    this.numRows += numRows;
  }

  /** Returns the gathered rows as a batch, and starts the next one. */
  async take(): Promise<Batch> {
    const { columns } = this.#bound;
    const { backend } = this.#context;
    const probed = await this.#probed();
    const payload = await this.#payload();
    const rows = { columns: [...probed, ...payload], numRows: this.numRows };
    this.release();
    return await outputBatch(columns, rows, "probe", backend);
  }

  /** Drops the gathered rows. */
  release(): void {
    this.#parts.flat().forEach(releaseColumn);
    this.#parts = [];
    this.#selections = [];
    this.#numBytes = 0;
    this.numRows = 0;
  }

  /** Returns the columns of the stream: shared ones if all rows of the batch come out. */
  async #probed(): Promise<Column[]> {
    const { columns: { probed } } = this.#bound;
    const columns = probed.map((place) => this.#batch.columns[place]!.column);
    const numRows = this.#stop - this.#start;
    if (this.numRows < numRows) {
      return await this.#context.backend.gather(columns, concatSelections(this.#selections));
    }
    if (numRows === this.#batch.numRows) return columns.map(retainColumn);
    const isOnHost = columns.every(({ place }) => place === "host");
    if (isOnHost) {
      return columns.map((column) => sliceColumn(column as HostColumn, this.#start, this.#stop));
    }
    const selection = Int32Array.from({ length: numRows }, (_, row) => this.#start + row);
    return await this.#context.backend.gather(columns, selection);
  }

  async #payload(): Promise<Column[]> {
    const [first, ...more] = this.#parts;
    if (first === undefined || more.length === 0) return (first ?? []).map(retainColumn);
    const { backend } = this.#context;
    const parts = await Promise.all(this.#parts.map((columns) => backend.download(columns)));
    return first.map((_, index) => concatColumns(parts.map((columns) => columns[index]!)));
  }
}

/** Rows of both sides that come out side by side. */
interface KeptRows {
  readonly probeRows: Int32Array;
  /** -1 for a row without a match. */
  readonly buildRows: Int32Array;
}

/** Returns the rows that come out: those with a match, or for a left join all. */
export function rowsKept({ start, rows }: MatchedRows, how: "left" | "inner"): KeptRows {
  if (how === "left") return { probeRows: rows.map((_, at) => start + at), buildRows: rows };
  const probeRows = new Int32Array(rows.length);
  const buildRows = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    probeRows[count] = start + i;
    buildRows[count] = rows[i]!;
    count += ~rows[i]! >>> 31;
  }
  return { probeRows: probeRows.subarray(0, count), buildRows: buildRows.subarray(0, count) };
}
