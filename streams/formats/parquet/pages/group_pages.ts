/**
 * The pages of one row group, checked before parquet-wasm gets them.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { firstWhere } from "../../../../base/search.ts";
import { type ColumnChunk, type Leaf, type RowGroup, startOf } from "../metadata/metadata.ts";
import type { ByteRange } from "../../../bytes/byte_store.ts";
import type { ReadRange } from "../metadata/range_blob.ts";
import { checkColumn, checkDictionary, checkIndexed, type ColumnPages } from "./check_pages.ts";
import { canDecompress } from "./decompress.ts";
import { PageFactError } from "../../../../base/errors/data_error.ts";
import { type PageLocation, pageLocations } from "./page_index.ts";
import { plainChunk, plainPages } from "./plain_pages.ts";

/** Facts about the file of the row group. */
interface GroupOptions {
  readonly leaves: readonly Leaf[];
  /** Whether byte arrays of a page may share a prefix with the page before. */
  readonly mayGoOn: boolean;
  /** The byte at which the pages of the file end. */
  readonly pagesStop: number;
  readonly read: ReadRange;
}

/** A row group whose pages are checked as they are read. */
export class GroupPages {
  readonly #group: RowGroup;
  readonly #index: number;
  readonly #options: GroupOptions;
  readonly #columns: readonly ColumnPages[];
  /** The pages of the columns whose page index was checked. */
  readonly #located = new Map<ColumnPages, readonly PageLocation[]>();
  /** The rewritten columns, which are placed after all pages of the file. */
  readonly #rewritten = new Map<ColumnPages, { start: number; bytes: Uint8Array<ArrayBuffer> }>();
  #stop: number;

  constructor(group: RowGroup, index: number, options: GroupOptions) {
    this.#group = group;
    this.#index = index;
    this.#options = options;
    this.#stop = options.pagesStop;
    const { numRows = 0 } = group;
    const { leaves, mayGoOn } = options;
    this.#columns = (group.columns ?? []).map((chunk, leaf) => ({
      leaf: leaves[leaf]!,
      chunk,
      numRows,
      mayGoOn,
    }));
  }

  /** The metadata of the row group, with the places of rewritten columns. */
  get metadata(): RowGroup {
    if (this.#rewritten.size === 0) return this.#group;
    const columns = this.#columns.map((column): ColumnChunk => {
      const own = this.#rewritten.get(column);
      return own === undefined ? column.chunk : plainChunk(column.chunk, own.start, own.bytes);
    });
    return { ...this.#group, columns };
  }

  /** The byte at which the pages end, rewritten ones included. */
  get stop(): number {
    return this.#stop;
  }

  /** The number of rewritten columns. */
  get numRewritten(): number {
    return this.#rewritten.size;
  }

  /**
   * Returns a function that reads bytes of the file and checks the pages of some columns in them:
   * whole columns or, with the page index, single pages. It throws a PageFactError that names the
   * column if they are wrong.
   */
  reader(columns: ReadonlySet<string>, withIndex: boolean): ReadRange {
    const wanted = this.#columns.filter(({ leaf }) => columns.has(leaf.column));
    return async (start, stop) => {
      const buffer = await this.#read(start, stop);
      for (const column of wanted) {
        const bytesOf = ({ start: from, stop: to }: ByteRange): Uint8Array | undefined =>
          from >= start && to <= stop ? new Uint8Array(buffer, from - start, to - from) : undefined;
        if (withIndex) await this.#checkIndexed(column, start, bytesOf);
        else {
          const bytes = this.#rewritten.has(column) ? undefined : bytesOf(rangeOf(column));
          if (bytes !== undefined) await this.#named(column, () => checkColumn(bytes, column));
        }
      }
      return buffer;
    };
  }

  /** Reads bytes of the file, or of the rewritten columns after its pages. */
  async #read(start: number, stop: number): Promise<ArrayBuffer> {
    const { read, pagesStop } = this.#options;
    if (stop <= pagesStop) return await read(start, stop);
    const bytes = new Uint8Array(stop - start);
    if (start < pagesStop) bytes.set(new Uint8Array(await read(start, pagesStop)));
    for (const { start: first, bytes: own } of this.#rewritten.values()) {
      if (first >= stop || first + own.length <= start) continue;
      const from = Math.max(start, first);
      const part = own.subarray(from - first, stop - first);
      bytes.set(part, from - start);
    }
    return bytes.buffer;
  }

  /** Checks the dictionary and the pages that lie completely in the bytes read from `start` on. */
  async #checkIndexed(
    column: ColumnPages,
    start: number,
    bytesOf: (range: ByteRange) => Uint8Array | undefined,
  ): Promise<void> {
    const locations = this.#located.get(column)!;
    const dictionary = { start: rangeOf(column).start, stop: locations[0]?.start ?? 0 };
    await this.#named(column, async () => {
      const own = dictionary.start < dictionary.stop ? bytesOf(dictionary) : undefined;
      if (own !== undefined) await checkDictionary(own, column);
      for (let index = pageAt(locations, start); index < locations.length; index++) {
        const location = locations[index]!;
        const bytes = bytesOf(location);
        if (bytes === undefined) break;
        await checkIndexed(bytes, column, location);
      }
    });
  }

  /** Reads and checks the page index. Returns whether it leads to the pages of these columns. */
  async canUseIndex(columns: ReadonlySet<string>): Promise<boolean> {
    const wanted = this.#columns.filter((column) =>
      columns.has(column.leaf.column) && !this.#located.has(column)
    );
    if (wanted.length === 0) return true;
    // Read the index of all columns in one range, as parquet-wasm will.
    const [first, last] = indexRange(this.#columns);
    const bytes = new Uint8Array(await this.#options.read(first, last));
    for (const column of wanted) {
      const { chunk, numRows } = column;
      const start = chunk.offsetIndexOffset! - first;
      const own = bytes.subarray(start, start + chunk.offsetIndexLength!);
      const locations = pageLocations(own, chunk, numRows);
      if (locations === undefined) return false;
      this.#located.set(column, locations);
    }
    return true;
  }

  /**
   * Whether a page of lists begins at a row. That page may begin in the middle of the row before,
   * so that a reader of the row before needs it too.
   */
  beginsPageOfLists(row: number): boolean {
    for (const [{ leaf }, locations] of this.#located) {
      if (leaf.maxRepetition > 0 && locations.some(({ firstRow }) => firstRow === row)) return true;
    }
    return false;
  }

  /**
   * Checks the pages of some columns, and rewrites those that need it. Returns whether any did.
   * Throws a PageFactError for pages that rewriting cannot help.
   */
  async rewrite(columns: ReadonlySet<string>): Promise<boolean> {
    const { numRewritten } = this;
    for (const column of this.#columns) {
      if (!columns.has(column.leaf.column) || this.#rewritten.has(column)) continue;
      const { start, stop } = rangeOf(column);
      const bytes = new Uint8Array(await this.#options.read(start, stop));
      await this.#named(column, async () => {
        try {
          await checkColumn(bytes, column);
        } catch (error) {
          if (!isSluiceError(error, "PageFactError") || error.remedy === "none") throw error;
          const { codec } = column.chunk.metadata!;
          if (!canDecompress(codec)) {
            throw new PageFactError(
              `${error.message}; decompressing codec ${codec}, which would help, is not supported`,
            );
          }
          const own = await plainPages(bytes, column);
          this.#rewritten.set(column, { start: this.#stop, bytes: own });
          this.#stop += own.length;
        }
      });
    }
    return this.numRewritten > numRewritten;
  }

  async #named(column: ColumnPages, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isSluiceError(error, "PageFactError")) throw error;
      const place = `column ${column.leaf.column}, row group ${this.#index}`;
      throw new PageFactError(`${place}, is corrupt: ${error.message}`, error.remedy);
    }
  }
}

/** Returns the byte range of a column. */
function rangeOf({ chunk }: ColumnPages): ByteRange {
  const start = startOf(chunk);
  return { start, stop: start + chunk.metadata!.compressedBytes! };
}

/** Returns the first page that begins at byte `start` or later. */
function pageAt(locations: readonly PageLocation[], start: number): number {
  return firstWhere(0, locations.length, (page) => locations[page]!.start >= start);
}

/** Returns the byte range of the page index of a row group. */
function indexRange(columns: readonly ColumnPages[]): [number, number] {
  let [first, last] = [Infinity, 0];
  for (const { chunk: { offsetIndexOffset = 0, offsetIndexLength = 0 } } of columns) {
    first = Math.min(first, offsetIndexOffset);
    last = Math.max(last, offsetIndexOffset + offsetIndexLength);
  }
  return [first, last];
}
