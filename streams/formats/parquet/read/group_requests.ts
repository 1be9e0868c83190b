/**
 * Requests rows of row groups from parquet-wasm, and requests them in another way where it fails: without
 * the page index, with pages rewritten, with text as bytes. What then fails is an error that names the
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

/** Rows of a batch of the column that is looked for. */
const blamedRows = 512;

/** Facts about the wanted columns. */
interface WantedFacts {
  /** Whether the file has more columns. */
  readonly isSelection: boolean;
  /** Whether some columns have values of any length. */
  readonly hasTexts: boolean;
}

/** Requests columns of a file. */
export class GroupRequests {
  readonly #parquet: OpenParquet;
  readonly #columns: ReadonlySet<string>;
  /** The columns to name in a request; absent: all of the file are read. */
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
   * Reads the rows [start, stop) of a group, and perhaps one more, into the memory of the module. Uses
   * the page index for parts of a group, unless it is wrong or the module cannot read the rows by it; and
   * rewrites pages that the module would take for something else.
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
      // One row more brings the page in which the last row may go on.
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
   * Reads text as bytes from now on, since the module decodes no text that is not UTF-8. If that is so
   * already, or cannot help, throws the error that names the column of the rows that cannot be decoded.
   */
  async #turnToBytes(group: number, range: RowRange, error: TrapError): Promise<void> {
    const parquet = this.#parquet;
    const mayHelp = this.#hasTexts && !parquet.readsTextAsBytes;
    if (!mayHelp) throw await this.#decodingError(group, range, error);
    parquet.readTextAsBytes();
  }

  /** Returns the error that names the column of the rows that cannot be decoded. */
  async #decodingError(group: number, range: RowRange, cause: TrapError): Promise<TypeError> {
    const column = await this.#columnThatTraps(group, range);
    const place = column === undefined
      ? `row group ${group}`
      : `column ${column}, row group ${group}`;
    const { message } = cause;
    if (message !== cannotDecode) return new TypeError(`${place}: ${message}`, { cause });
    return new TypeError(`${place}${column === undefined ? "" : ","} ${cannotDecode}`, { cause });
  }

  /** Returns the first column that traps when it is read alone; undefined if none does. */
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

/** Whether parquet-wasm can select a column: it traps on nested ones whose name is not ASCII. */
function canBeNamed({ name, type }: Field): boolean {
  return (type.children ?? []).length === 0 || /^[\0-\x7f]*$/.test(name);
}
