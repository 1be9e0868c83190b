/**
 * Reads row groups of a Parquet file in batches that fit the memory of parquet-wasm.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { DataType, Field, RecordBatch, Schema, Struct } from "apache-arrow";
import type { RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { layoutOf } from "../../data/arrow_data.ts";
import type { ByteRange } from "../../bytes/byte_store.ts";
import type { ChunkRows } from "../../rows/locate_rows.ts";
import { lastRow, numRowsOf, type RowRun } from "../../rows/row_run.ts";
import type { RowRange } from "../../types/select_columns.ts";
import type { SourceRows } from "../../plan/source.ts";
import { batchType, copyBatch } from "./copy_batch.ts";
import { canExcerpt, excerptOf } from "./excerpt/excerpt.ts";
import { excerptRuns, positionsOf } from "./excerpt/excerpt_runs.ts";
import {
  ForwardRuns,
  type GroupPart,
  groupParts,
  isForward,
  rangesOf,
  splitRuns,
} from "./group_plan.ts";
import { BatchSize, checkPages, type GroupShape, groupShape, groupWindows } from "./group_shape.ts";
import { columnOf, startOf } from "./metadata.ts";
import { ModuleFile } from "./module_file.ts";
import type { OpenParquet } from "./open.ts";
import { TrapError } from "../../../base/errors/data_error.ts";
import { restoredBatch } from "./restore.ts";
import { bytesAsText } from "./text_as_bytes.ts";
import { cannotDecode } from "./trap.ts";

/** Rows read ahead once, before more rows than `fewRows`, to learn the length of texts. */
const probedRows = 64;
const fewRows = 4096;
/** Rows of a batch of a large group while the length of texts is not known. */
const carefulRows = 512;

/** Rows are taken out of pages where at least so many times as many are left out, */
const leastSkipped = 8;
/** and where the group has so many bytes that this takes less time than to decode them. */
const leastBytes = 256 << 10;

/** The columns that a GroupReader reads. */
interface WantedColumns {
  /** The wanted columns as the module decodes them, their types narrowed. */
  readonly decodedSchema: Schema;
  /** The columns as they are returned (see `restoredSchema`). */
  readonly schema: Schema;
  /** Whether the file has more columns. */
  readonly isSelection: boolean;
  /** Whether text may come that is not UTF-8. Default: it is an error. */
  readonly mayBeInvalid?: boolean;
}

/** A row group that is read. */
interface Group {
  readonly index: number;
  readonly shape: GroupShape;
  /** Row of the file at which it begins. */
  readonly first: number;
}

/** Rows that are decoded. */
interface DecodedRows {
  /** Row of the group at which they begin. */
  readonly start: number;
  readonly batch: RecordBatch;
  /** The wanted rows of the batch. */
  readonly runs: readonly RowRun[];
}

/** The wanted ones of the rows [start, stop) of a group, in order, by positions from `start`. */
type PickRows = (start: number, stop: number) => readonly RowRun[];

/** Reads columns of a file, group by group. */
export class GroupReader {
  readonly #parquet: OpenParquet;
  readonly #wanted: WantedColumns;
  readonly #columns: ReadonlySet<string>;
  readonly #size = new BatchSize();
  #knowsSize: boolean;
  #type: Struct | undefined;

  constructor(parquet: OpenParquet, wanted: WantedColumns) {
    const { fields } = wanted.decodedSchema;
    this.#parquet = parquet;
    this.#wanted = wanted;
    this.#columns = new Set(fields.map(({ name }) => name));
    this.#knowsSize = !fields.some(({ type }) => isUnbounded(type));
  }

  /** The rows of runs of a row group, in their order; the group begins at row `first` of the file. */
  async *rows(
    index: number,
    runs: readonly RowRun[],
    first = 0,
  ): AsyncGenerator<SourceRows, void, void> {
    const { groups, input, head } = this.#parquet;
    await checkPages(input, groups[index]!, this.#columns);
    const shape = groupShape(head.metadata, groups[index]!, this.#columns);
    const group = { index, shape, first };
    if (this.#isExcerpt(group, runs)) {
      const excerpt = await this.#excerpt(group, runs);
      if (excerpt !== undefined) return yield* excerpt;
    }
    await this.#learnSize(group, rangesOf(runs, shape.numRows));
    for (const part of groupParts(runs, shape.numRows, this.#size.heldRows(shape))) {
      yield* part.isForward ? this.#forward(group, part) : this.#held(group, part);
    }
    this.#parquet.kept.clear();
  }

  /** Where the pages lie that are read for runs of a group; none if only its page index says. */
  pagesOf({ chunk: index, runs }: Pick<ChunkRows, "chunk" | "runs">): ByteRange[] {
    const { columns = [], numRows = 0 } = this.#parquet.groups[index]!;
    if (this.#parquet.hasIndex(index) && numRowsOf(runs) < numRows) return [];
    return columns.filter((chunk) => this.#columns.has(columnOf(chunk))).map((chunk) => {
      const start = startOf(chunk);
      return { start, stop: start + (chunk.metadata!.compressedBytes ?? 0) };
    });
  }

  /** Whether the rows of runs are so few that they may be taken out of the pages of a group. */
  #isExcerpt({ index, shape }: Group, runs: readonly RowRun[]): boolean {
    const { head, input } = this.#parquet;
    const { numRows, storedBytes } = shape;
    const count = numRowsOf(runs);
    if (count > fewRows || count * leastSkipped > numRows || storedBytes < leastBytes) return false;
    if (input.tripBytes > leastBytes || !(isForward(runs) || runs.length === 1)) return false;
    if (!canExcerpt(head, index, this.#columns)) return false;
    // A page index leads to the rows where they do not lie all over the group.
    const ranges = rangesOf(runs, numRows);
    const decoded = ranges.reduce((sum, { start, stop }) => sum + stop - start, 0);
    return !this.#parquet.hasIndex(index) || decoded * 2 > numRows;
  }

  /** The rows of runs, without those between them; undefined if the pages have to be read whole. */
  async #excerpt(
    { index, first }: Group,
    runs: readonly RowRun[],
  ): Promise<readonly SourceRows[] | undefined> {
    const { wasm, input, head } = this.#parquet;
    const rows = positionsOf(runs).sort();
    const excerpt = await excerptOf(input, head, { group: index, columns: this.#columns, rows });
    if (excerpt === undefined) return undefined;
    const file = await ModuleFile.open(wasm, excerpt);
    const found: SourceRows[] = [];
    try {
      const request = { rowGroups: [0], batchSize: rows.length, limit: rows.length };
      const columns = this.#wanted.isSelection ? { columns: [...this.#columns] } : {};
      for await (const decoded of file.batches({ ...request, ...columns })) {
        const batch = restoredBatch(this.#copied(decoded), this.#wanted.schema, 0);
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

  /** The rows of a part in the order of the file, as they are decoded. */
  async *#forward(group: Group, { runs, ranges }: GroupPart): AsyncGenerator<SourceRows> {
    const wanted = new ForwardRuns(runs);
    const pick: PickRows = (start, stop) => wanted.take(start, stop);
    for (const range of ranges) {
      for await (const { start, batch, runs } of this.#decoded(group, range, pick)) {
        const firstRow = group.first + start;
        yield numRowsOf(runs) === batch.numRows ? { batch, firstRow } : { batch, runs, firstRow };
      }
    }
  }

  /** The rows of a part in any order, for which all its ranges are decoded first. */
  async *#held(group: Group, { runs, ranges }: GroupPart): AsyncGenerator<SourceRows> {
    const held: DecodedRows[] = [];
    for (const range of ranges) {
      const pick: PickRows = (start, stop) => {
        const from = Math.max(0, range.start - start);
        return from < stop - start ? [{ start: from, step: 1, count: stop - start - from }] : [];
      };
      for await (const rows of this.#decoded(group, range, pick)) held.push(rows);
    }
    for (const { chunk, runs: own } of splitRuns(runs, held.map(({ start }) => start))) {
      const { start, batch } = held[chunk]!;
      yield { batch, runs: own, firstRow: group.first + start };
    }
  }

  /** Decodes a few of the rows first, so that batches of long texts can have few rows. */
  async #learnSize({ index, shape }: Group, ranges: readonly RowRange[]): Promise<void> {
    if (this.#knowsSize) return;
    const [range] = ranges;
    const numRows = ranges.reduce((sum, { start, stop }) => sum + stop - start, 0);
    if (range === undefined || numRows <= fewRows) return;
    // The same pages are asked for as by the request for all of the rows.
    const [window] = groupWindows(shape, range);
    const start = shape.canSkip ? range.start : 0;
    const few = { start, stop: Math.min(range.stop, start + probedRows) };
    const isPart = window!.stop - start < shape.numRows;
    const { kept } = this.#parquet;
    kept.keep();
    for await (const batch of this.#requested(index, few, probedRows, isPart)) this.#copied(batch);
    kept.stopKeeping();
  }

  /** Decodes a range of rows of a group; copies those that `pick` takes, and what is between them. */
  async *#decoded(
    { index, shape, first }: Group,
    range: RowRange,
    pick: PickRows,
  ): AsyncGenerator<DecodedRows> {
    for (const { start, stop } of groupWindows(shape, range)) {
      const batchSize = this.#knowsSize
        ? this.#size.rowsOf(shape)
        : this.#size.unseenRowsOf(shape, carefulRows);
      let row = shape.canSkip ? start : 0;
      const isPart = stop - row < shape.numRows;
      for await (const batch of this.#requested(index, { start: row, stop }, batchSize, isPart)) {
        const numRows = Math.min(batch.numRows, stop - row);
        const runs = numRows > 0 ? pick(row, row + numRows) : [];
        if (runs.length === 0) batch.free();
        else {
          const [from, to] = [runs[0]!.start, lastRow(runs.at(-1)!) + 1];
          const copied = this.#copied(batch, { start: from, stop: to });
          const firstRow = first + row + from;
          const text = this.#parquet.readsTextAsBytes
            ? bytesAsText(copied, firstRow, this.#wanted.mayBeInvalid === true)
            : copied;
          const restored = restoredBatch(text, this.#wanted.schema, firstRow);
          const shifted = runs.map((run) => ({ ...run, start: run.start - from }));
          yield { start: row + from, batch: restored, runs: shifted };
        }
        row += numRows;
      }
    }
  }

  /** Copies rows of a batch, all unless said, out of the memory of the module, and frees it there. */
  #copied(batch: WasmBatch, rows: RowRange = { start: 0, stop: batch.numRows }): RecordBatch {
    this.#type ??= batchType(batch);
    const { wasm } = this.#parquet;
    const copied = copyBatch(wasm, batch, rows, this.#wanted.decodedSchema, this.#type);
    this.#size.saw(copied);
    this.#knowsSize = true;
    return copied;
  }

  /**
   * The rows [start, stop) of a group in the memory of the module, and perhaps one more. Uses the page index for parts of a
   * group, unless it is wrong or the module cannot read the rows by it; and rewrites pages that the
   * module would take for something else.
   */
  async *#requested(
    group: number,
    { start, stop }: RowRange,
    batchSize: number,
    isPart: boolean,
  ): AsyncGenerator<WasmBatch, void, void> {
    const parquet = this.#parquet;
    let row = start;
    await parquet.rewritePages(group, this.#columns, false);
    for (let mayUseIndex = isPart;; mayUseIndex = false) {
      const withIndex = mayUseIndex && await parquet.canUseIndex(group, this.#columns);
      // One row more brings the page in which the last row may go on.
      const isMore = withIndex && parquet.beginsPageOfLists(group, stop);
      const range = { start: row, stop: isMore ? stop + 1 : stop };
      try {
        for await (const batch of this.#batches(group, range, batchSize, withIndex)) {
          row += batch.numRows;
          yield batch;
        }
        if (row < stop) throw new TrapError(cannotDecode);
        return;
      } catch (error) {
        const isFact = isSluiceError(error, "PageFactError");
        if (!isFact && !isSluiceError(error, "TrapError")) throw error;
        if (withIndex) parquet.distrustIndex();
        else if (!isFact) await this.#turnToBytes(group, { start: row, stop }, error);
        else if (!await parquet.rewritePages(group, this.#columns, true)) throw error;
      }
    }
  }

  async *#batches(
    group: number,
    { start, stop }: RowRange,
    batchSize: number,
    withIndex: boolean,
    columns?: string[],
  ): AsyncGenerator<WasmBatch, void, void> {
    const { decodedSchema, isSelection } = this.#wanted;
    const isAsked = isSelection && decodedSchema.fields.every(canBeAskedFor);
    const asked = columns ?? (isAsked ? [...this.#columns] : undefined);
    const file = await this.#parquet.groupFile(group, this.#columns, withIndex);
    yield* file.batches({
      rowGroups: [0],
      batchSize,
      limit: stop - start,
      ...(start === 0 ? {} : { offset: start }),
      ...(asked === undefined ? {} : { columns: asked }),
    });
  }

  /**
   * Goes on with text as bytes, since text that is not UTF-8 is not decoded. Throws the error that names
   * what of the rows cannot be decoded if they are read so already.
   */
  async #turnToBytes(group: number, range: RowRange, error: TrapError): Promise<void> {
    const parquet = this.#parquet;
    const { fields } = this.#wanted.decodedSchema;
    const mayHelp = fields.some(({ type }) => isUnbounded(type)) && !parquet.readsTextAsBytes;
    if (!mayHelp) throw await this.#decodingError(group, range, error);
    parquet.readTextAsBytes();
    this.#type = undefined;
  }

  /** The error that names what of the rows cannot be decoded. */
  async #decodingError(group: number, range: RowRange, cause: TrapError): Promise<TypeError> {
    const column = await this.#columnThatTraps(group, range);
    const place = column === undefined
      ? `row group ${group}`
      : `column ${column}, row group ${group}`;
    const { message } = cause;
    if (message !== cannotDecode) return new TypeError(`${place}: ${message}`, { cause });
    return new TypeError(`${place}${column === undefined ? "" : ","} ${cannotDecode}`, { cause });
  }

  /** The first column that traps when it is read alone; undefined if none does. */
  async #columnThatTraps(group: number, range: RowRange): Promise<string | undefined> {
    for (const column of this.#columns) {
      try {
        const batches = this.#batches(group, range, carefulRows, false, [column]);
        for await (const batch of batches) batch.free();
      } catch (error) {
        if (isSluiceError(error, "TrapError")) return column;
        throw error;
      }
    }
    return undefined;
  }
}

/** Whether parquet-wasm can select a column: it traps on nested ones whose name is not ASCII. */
function canBeAskedFor({ name, type }: Field): boolean {
  return (type.children ?? []).length === 0 || /^[\0-\x7f]*$/.test(name);
}

/** Whether values of a type have no maximum length. */
function isUnbounded(type: DataType): boolean {
  switch (layoutOf(type)) {
    case "bits":
    case "values":
    case "null":
      return false;
    case "struct":
    case "fixed_list":
      return type.children.some((child) => isUnbounded(child.type));
    default:
      return true;
  }
}
