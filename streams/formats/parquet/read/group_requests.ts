/**
 * Requests rows of row groups from parquet-wasm. If that fails, it tries again without the page
 * index, with rewritten pages, or with text as bytes. If that fails too, the error names the
 * column.
 *
 * @module
 */

import { TrapError } from "../../../../base/errors/data_error.ts";
import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import type { Field } from "apache-arrow";
import type { RecordBatch as WasmBatch } from "parquet-wasm/esm";
import type { RowRange } from "../../../types/select_columns.ts";
import type { OpenParquet } from "./open.ts";
import { cannotDecode } from "../module/trap.ts";

/** The rows of a batch while it searches for the column to blame. */
const blamedRows = 512;

/** Facts about the wanted columns. */
interface WantedFacts {
  /** Whether the file has more columns. */
  readonly isSelection: boolean;
  /** Whether some columns have values without a maximum length. */
  readonly hasTexts: boolean;
}

/** Requests columns of a file. */
export class GroupRequests {
  readonly #parquet: OpenParquet;
  readonly #columns: ReadonlySet<string>;
  /** The columns to name in a request; undefined if all columns of the file are read. */
  readonly #named: string[] | undefined;
  readonly #hasTexts: boolean;

  constructor(parquet: OpenParquet, fields: readonly Field[], facts: WantedFacts) {
    this.#parquet = parquet;
    this.#columns = new Set(fields.map(({ name }) => name));
    const isNamed = facts.isSelection && fields.every(canBeNamed);
    this.#named = isNamed ? [...this.#columns] : undefined;
    this.#hasTexts = facts.hasTexts;
  }

  /**
   * Reads the rows [start, stop) of a group, and perhaps one more, into the module's memory. Uses
   * the page index for a part of a group, unless the index is wrong or the module cannot read the
   * rows with it. Rewrites pages that the module would misread.
   */
  async *batches(
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
      // One more row brings in the page in which the last row may continue.
      const isMore = withIndex && parquet.beginsPageOfLists(group, stop);
      const range = { start: row, stop: isMore ? stop + 1 : stop };
      try {
        for await (const batch of await this.#request(group, range, batchSize, withIndex)) {
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

  async #request(
    group: number,
    { start, stop }: RowRange,
    batchSize: number,
    withIndex: boolean,
    columns: string[] | undefined = this.#named,
  ): Promise<AsyncGenerator<WasmBatch, void, void>> {
    const file = await this.#parquet.groupFile(group, this.#columns, withIndex);
    return file.batches({
      rowGroups: [0],
      batchSize,
      limit: stop - start,
      ...(start === 0 ? {} : { offset: start }),
      ...(columns === undefined ? {} : { columns }),
    });
  }

  /**
   * Switches to reading text as bytes, since the module rejects invalid UTF-8. If that was done
   * already or cannot help, throws an error that names the column that cannot be decoded.
   */
  async #turnToBytes(group: number, range: RowRange, error: TrapError): Promise<void> {
    const parquet = this.#parquet;
    const mayHelp = this.#hasTexts && !parquet.readsTextAsBytes;
    if (!mayHelp) throw await this.#decodingError(group, range, error);
    parquet.readTextAsBytes();
  }

  /** Returns an error that names the column that cannot be decoded. */
  async #decodingError(group: number, range: RowRange, cause: TrapError): Promise<TypeError> {
    const column = await this.#columnThatTraps(group, range);
    const place = column === undefined
      ? `row group ${group}`
      : `column ${column}, row group ${group}`;
    const { message } = cause;
    if (message !== cannotDecode) return new TypeError(`${place}: ${message}`, { cause });
    return new TypeError(`${place}${column === undefined ? "" : ","} ${cannotDecode}`, { cause });
  }

  /** Returns the first column that fails when it is read alone; undefined if none does. */
  async #columnThatTraps(group: number, range: RowRange): Promise<string | undefined> {
    for (const column of this.#columns) {
      try {
        const batches = await this.#request(group, range, blamedRows, false, [column]);
        for await (const batch of batches) batch.free();
      } catch (error) {
        if (isSluiceError(error, "TrapError")) return column;
        throw error;
      }
    }
    return undefined;
  }
}

/**
 * Whether parquet-wasm can select a column by name: it traps at nested ones whose name is not
 * ASCII.
 */
function canBeNamed({ name, type }: Field): boolean {
  return (type.children ?? []).length === 0 || /^[\0-\x7f]*$/.test(name);
}
