/**
 * Decodes ranges of rows of row groups, in batches that fit the memory of parquet-wasm.
 *
 * @module
 */

import type { DataType, RecordBatch, Schema, Struct } from "apache-arrow";
import type { RecordBatch as WasmBatch } from "parquet-wasm/esm";
import { layoutOf } from "../../../data/arrow_data.ts";
import { lastRow, type RowRun } from "../../../rows/row_run.ts";
import type { RowRange } from "../../../types/select_columns.ts";
import { batchType, copyBatch } from "../module/copy_batch.ts";
import { GroupRequests } from "./group_requests.ts";
import { BatchSize, type GroupShape, groupWindows } from "./group_shape.ts";
import type { OpenParquet } from "./open.ts";
import { restoredBatch } from "./restore.ts";
import { bytesAsText } from "../metadata/text_as_bytes.ts";

/**
 * Where more than `fewRows` rows are wanted, this many are decoded first to learn the length of
 * texts.
 */
const probedRows = 64;
export const fewRows = 4096;
/** The rows of a batch of a large group while the length of texts is unknown. */
const carefulRows = 512;

/** The columns that are read. */
export interface WantedColumns {
  /** The wanted columns as parquet-wasm decodes them, with narrowed types. */
  readonly decodedSchema: Schema;
  /** The columns as they are returned (see `restoredSchema`). */
  readonly schema: Schema;
  /** Whether the file has more columns. */
  readonly isSelection: boolean;
  /** Whether invalid UTF-8 is passed on. Default: it is an error. */
  readonly mayBeInvalid?: boolean;
}

/** A row group that is read. */
export interface Group {
  readonly index: number;
  readonly shape: GroupShape;
  /** The row of the file at which the group begins. */
  readonly first: number;
}

/** Rows that are decoded. */
export interface DecodedRows {
  /** The row of the group at which the batch begins. */
  readonly start: number;
  readonly batch: RecordBatch;
  /** The wanted rows of the batch. */
  readonly runs: readonly RowRun[];
}

/**
 * A function that returns the wanted rows among [start, stop) of a group, in order, counted from
 * `start`.
 */
type PickRows = (start: number, stop: number) => readonly RowRun[];

/** Decodes columns of a file. */
export class GroupDecoder {
  /** The names of the wanted columns. */
  readonly columns: ReadonlySet<string>;
  /** Whether the file has more columns than these. */
  readonly isSelection: boolean;
  readonly #parquet: OpenParquet;
  readonly #wanted: WantedColumns;
  readonly #requests: GroupRequests;
  readonly #size = new BatchSize();
  #knowsSize: boolean;
  /** The type of the module's batches, and whether text is bytes in it. */
  #type: { readonly struct: Struct; readonly asBytes: boolean } | undefined;

  constructor(parquet: OpenParquet, wanted: WantedColumns) {
    const { fields } = wanted.decodedSchema;
    this.#parquet = parquet;
    this.#wanted = wanted;
    this.columns = new Set(fields.map(({ name }) => name));
    this.isSelection = wanted.isSelection;
    const hasTexts = fields.some(({ type }) => isUnbounded(type));
    this.#requests = new GroupRequests(parquet, fields, {
      isSelection: this.isSelection,
      hasTexts,
    });
    this.#knowsSize = !hasTexts;
  }

  /** Returns the number of rows of a group that may be buffered. */
  bufferedRows({ shape }: Group): number {
    return this.#size.bufferedRows(shape);
  }

  /** Decodes a few rows first, so that batches of long texts can have fewer rows. */
  async learnSize({ index, shape }: Group, ranges: readonly RowRange[]): Promise<void> {
    if (this.#knowsSize) return;
    const [range] = ranges;
    const numRows = ranges.reduce((sum, { start, stop }) => sum + stop - start, 0);
    if (range === undefined || numRows <= fewRows) return;
    // Request the same pages that the rows need later.
    const [window] = groupWindows(shape, range);
    const start = shape.canSkip ? range.start : 0;
    const few = { start, stop: Math.min(range.stop, start + probedRows) };
    const isPart = window!.stop - start < shape.numRows;
    const { kept } = this.#parquet;
    kept.keep();
    const batches = this.#requests.batches(index, few, probedRows, isPart);
    for await (const batch of batches) this.copied(batch);
    kept.stopKeeping();
  }

  /** Decodes a row range of a group. Copies the rows that `pick` returns, and those in between. */
  async *decode(
    { index, shape, first }: Group,
    range: RowRange,
    pick: PickRows,
  ): AsyncGenerator<DecodedRows, void, void> {
    for (const { start, stop } of groupWindows(shape, range)) {
      const batchSize = this.#knowsSize
        ? this.#size.rowsOf(shape)
        : this.#size.unseenRowsOf(shape, carefulRows);
      let row = shape.canSkip ? start : 0;
      const isPart = stop - row < shape.numRows;
      const batches = this.#requests.batches(index, { start: row, stop }, batchSize, isPart);
      for await (const batch of batches) {
        const numRows = Math.min(batch.numRows, stop - row);
        const runs = numRows > 0 ? pick(row, row + numRows) : [];
        if (runs.length === 0) batch.free();
        else {
          const [from, to] = [runs[0]!.start, lastRow(runs.at(-1)!) + 1];
          const copied = this.copied(batch, { start: from, stop: to });
          const restored = this.restored(copied, first + row + from);
          const shifted = runs.map((run) => ({ ...run, start: run.start - from }));
          yield { start: row + from, batch: restored, runs: shifted };
        }
        row += numRows;
      }
    }
  }

  /**
   * Copies rows of a batch, by default all, out of the module's memory, and frees the batch there.
   */
  copied(batch: WasmBatch, rows: RowRange = { start: 0, stop: batch.numRows }): RecordBatch {
    const { wasm, readsTextAsBytes: asBytes } = this.#parquet;
    if (this.#type?.asBytes !== asBytes) this.#type = { struct: batchType(batch), asBytes };
    const copied = copyBatch(wasm, batch, rows, this.#wanted.decodedSchema, this.#type.struct);
    this.#size.saw(copied);
    this.#knowsSize = true;
    return copied;
  }

  /**
   * Converts a batch, which begins at row `firstRow` of the file, to the types that the file means.
   */
  restored(batch: RecordBatch, firstRow: number): RecordBatch {
    const text = this.#parquet.readsTextAsBytes
      ? bytesAsText(batch, firstRow, this.#wanted.mayBeInvalid === true)
      : batch;
    return restoredBatch(text, this.#wanted.schema, firstRow);
  }
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
