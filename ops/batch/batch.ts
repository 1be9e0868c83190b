/**
 * The batch, in which operators exchange rows. Its columns stay where they were last used: on the
 * host or the device.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import type { HostColumn } from "../../gpu/column/column.ts";
import { concatColumns } from "../../gpu/column/concat.ts";
import { PartOrigins, type RowsOrigin } from "../../gpu/column/text_origin.ts";
import { lastRow, numRowsOf, positionsOf, type RowRun } from "../../streams/rows/row_run.ts";
import { isBinary, isText } from "../../streams/data/plain_schema.ts";
import { BatchColumn } from "./batch_column.ts";
import type { OffsetRule } from "./offset_rule.ts";
import { recordBatchOf } from "./to_arrow.ts";

/** Up to this share of its rows, rows of a batch are gathered where its columns are. */
const MOST_GATHERED = 1 / 2;

/**
 * Rows with a plain schema. The owner of a batch releases it once, or passes it on. A batch made
 * from columns of another one shares them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromArrays } from "apache-arrow";
 * import { Batch, createEngine } from "../../mod.ts";
 *
 * const backend = await createEngine({ device: "cpu" }).backend();
 * const { schema, batches } = tableFromArrays({ id: Int32Array.of(1, 2, 3) });
 * const backwards = Batch.fromRecordBatch(schema, batches[0]!).gather(Int32Array.of(2, 1, 0));
 * const { data } = await backwards.toRecordBatch(backend);
 * assertEquals(data.children[0]?.values, Int32Array.of(3, 2, 1));
 * ```
 */
export class Batch {
  /** The Arrow schema of the columns, with one type for each logical type: all text is Utf8. */
  readonly schema: Schema;
  /** The number of rows of every column. */
  readonly numRows: number;
  /**
   * The columns, in schema order.
   *
   * @internal
   */
  readonly columns: readonly BatchColumn[];

  /**
   * Takes ownership of the columns.
   *
   * @internal
   */
  constructor(schema: Schema, numRows: number, columns: readonly BatchColumn[]) {
    this.schema = schema;
    this.numRows = numRows;
    this.columns = columns;
  }

  /**
   * Creates a batch of a record batch, under the plain form of its schema. Copies nothing yet.
   * Errors in text name `origin`: the source, the row at which the batch begins, and the distance
   * between its rows.
   */
  static fromRecordBatch(
    schema: Schema,
    batch: RecordBatch,
    origin?: Omit<RowsOrigin, "column">,
    rule?: OffsetRule,
  ): Batch {
    const columns = schema.fields.map(({ name, type }, index) =>
      BatchColumn.fromArrow(type, batch.data.children[index]!, {
        name,
        origin: origin && (isText(type) || isBinary(type))
          ? { ...origin, column: name }
          : undefined,
        rule,
      })
    );
    return new Batch(schema, batch.numRows, columns);
  }

  /** Returns a batch of some of the columns, which both batches then share. */
  pick(schema: Schema, indices: readonly number[]): Batch {
    return new Batch(schema, this.numRows, indices.map((index) => this.columns[index]!.share()));
  }

  /**
   * Whether all columns are on the host, so that a download is unnecessary.
   *
   * @internal
   */
  get isOnHost(): boolean {
    for (const column of this.columns) if (column.isOnDevice) return false;
    return true;
  }

  /** Downloads the columns that are on the device, in one wait. */
  async toHost(backend: Backend): Promise<void> {
    if (this.isOnHost) return;
    const columns = this.columns.filter((column) => column.isOnDevice);
    const host = await backend.download(columns.map((column) => column.column));
    columns.forEach((column, index) => column.moveToHost(host[index]!));
  }

  /** Returns the rows [start, stop) of a host batch, which share its buffers. */
  slice(start: number, stop: number): Batch {
    const columns = this.columns.map((column) => column.slice(start, stop));
    return new Batch(this.schema, stop - start, columns);
  }

  /** Returns rows of a host batch in a new order; -1 selects a row of nulls. */
  gather(selection: Int32Array): Batch {
    const columns = this.columns.map((column) => column.gather(selection));
    return new Batch(this.schema, selection.length, columns);
  }

  /**
   * Returns the rows of runs, in their order, as a batch of their own. Few rows of columns on the
   * device are gathered there; for many, the columns move to the host.
   *
   * @internal
   */
  async rows(backend: Backend, runs: readonly RowRun[]): Promise<Batch> {
    const [only, ...others] = runs;
    const isPart = only !== undefined && others.length === 0 && only.step === 1;
    if (isPart && only.count === this.numRows) return this.share();
    const numRows = numRowsOf(runs);
    if (numRows > MOST_GATHERED * this.numRows) await this.toHost(backend);
    const onDevice = this.columns.filter(({ isOnDevice }) => isOnDevice);
    const selection = isPart && onDevice.length === 0
      ? new Int32Array(0)
      : positionsOf(runs, new Int32Array(numRows));
    const gathered = onDevice.length === 0
      ? []
      : await backend.gather(onDevice.map(({ column }) => column), selection);
    const next = gathered.values();
    const columns = this.columns.map((column) => {
      if (column.isOnDevice) return BatchColumn.fromColumn(column.type, next.next().value!);
      return isPart ? column.slice(only.start, lastRow(only) + 1) : column.gather(selection);
    });
    return new Batch(this.schema, numRows, columns);
  }

  /** Returns another owner of the same rows. */
  share(): Batch {
    return new Batch(this.schema, this.numRows, this.columns.map((column) => column.share()));
  }

  /** Moves this batch to the host and returns it. Releases it if the device fails. */
  async onHost(backend: Backend): Promise<this> {
    try {
      await this.toHost(backend);
      return this;
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /**
   * Converts text offsets on the host to the width that the rule requires. Throws an OverflowError
   * if the rule forbids 64 bits; it first downloads text on the device, to name the row. Returns
   * undefined if it was done synchronously.
   *
   * @internal
   */
  settle(rule: OffsetRule, backend: Backend): Promise<void> | undefined {
    const isOver = !rule.enabled &&
      this.columns.some((column) => column.isOnDevice && column.textBytes >= rule.threshold);
    if (isOver) return this.toHost(backend).then(() => this.#settleHost(rule));
    this.#settleHost(rule);
    return undefined;
  }

  #settleHost(rule: OffsetRule): void {
    this.columns.forEach((column, index) => column.settle(rule, this.schema.fields[index]!.name));
  }

  /**
   * Returns the rows as an Arrow record batch, and downloads them if necessary. Its schema is that
   * of the batch, except that columns with 64-bit offsets have the large types.
   */
  toRecordBatch(backend: Backend): Promise<RecordBatch>;
  /**
   * Takes the rule that decides which offsets have 64 bits.
   *
   * @internal
   */
  toRecordBatch(backend: Backend, rule?: OffsetRule): Promise<RecordBatch>;
  async toRecordBatch(backend: Backend, rule?: OffsetRule): Promise<RecordBatch> {
    await this.toHost(backend);
    return this.recordBatch(rule);
  }

  /**
   * Returns the rows of a host batch as an Arrow record batch.
   *
   * @internal
   */
  recordBatch(rule?: OffsetRule): RecordBatch {
    const data = this.columns.map((column) => column.toArrow(rule));
    return recordBatchOf(this.schema, this.numRows, data);
  }

  /** The bytes that the rows occupy. */
  get numBytes(): number {
    let numBytes = 0;
    for (const column of this.columns) numBytes += column.numBytes;
    return numBytes;
  }

  /** Releases the columns. */
  release(): void {
    for (const column of this.columns) column.release();
  }
}

/** Concatenates one or more host batches into new buffers. */
export function concatBatches(schema: Schema, batches: readonly Batch[]): Batch {
  const numRows = batches.reduce((sum, batch) => sum + batch.numRows, 0);
  const columns = schema.fields.map(({ type }, index) =>
    BatchColumn.fromColumn(type, concatParts(batches.map((batch) => batch.columns[index]!)))
  );
  return new Batch(schema, numRows, columns);
}

function concatParts(columns: readonly BatchColumn[]): HostColumn {
  if (columns.length === 1) return columns[0]!.column as HostColumn;
  const parts = columns.map(({ rows }) => rows);
  const whole = concatColumns(parts);
  if (whole.type.kind === "string") {
    const origins = new PartOrigins();
    for (const [index, part] of parts.entries()) origins.add(part, columns[index]!.origin);
    origins.remember(whole);
  }
  return whole;
}
