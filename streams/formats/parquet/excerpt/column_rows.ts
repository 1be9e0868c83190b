/**
 * Extracts some rows of one column from its pages, with plain encoding.
 *
 * Encodings: https://parquet.apache.org/docs/file-format/data-pages/encodings/
 *
 * @module
 */

import { GrowingBytes } from "../../../bytes/growing_bytes.ts";
import { encoding } from "../metadata/metadata.ts";
import type { ChunkPages, PageBytes } from "./chunk_pages.ts";
import { DamagedPageError } from "../../../../base/errors/data_error.ts";
import { HybridReader } from "./levels.ts";
import type { PageMemory } from "./page_memory.ts";

/** Rows of a column. */
export interface ColumnRows {
  /** A bit for each row, set where it has a value; absent in a required column. */
  readonly validity?: Uint8Array;
  /** The values, with plain encoding. */
  readonly values: Uint8Array;
}

/**
 * Text is decompressed in steps of this many bytes, so that they are still in the cache when they
 * are read.
 */
const stepBytes = 64 << 10;

/** The column from which rows are extracted. */
interface RowColumn {
  /** The bytes of a value (see `widthOf`). */
  readonly width: number;
  readonly isOptional: boolean;
  /** The number of rows of the row group. */
  readonly numRows: number;
}

/** Returns the given rows of a column. `rows` must ascend. */
export async function columnRows(
  pages: ChunkPages,
  rows: Int32Array,
  { width, isOptional, numRows }: RowColumn,
  memory: PageMemory,
): Promise<ColumnRows> {
  const taken = new TakenRows(rows.length, isOptional);
  let dictionary: Dictionary | undefined;
  let first = 0;
  for (let index = 0; index < rows.length;) {
    const page = await pages.next();
    const { dictionaryPage, dataPage, dataPageV2 } = page.header;
    if (dictionaryPage !== undefined) {
      dictionary = await Dictionary.read(page, dictionaryPage.numValues, width, memory);
      continue;
    }
    const { numValues = -1, encoding } = dataPage ?? dataPageV2 ?? {};
    if (numValues < 0) throw new DamagedPageError("values");
    const start = index;
    while (index < rows.length && rows[index]! < first + numValues) index++;
    if (index > start) {
      const own = rows.subarray(start, index).map((row) => row - first);
      const data = await DataPage.open(page, numValues, isOptional, memory);
      const values = valuesOf(data, encoding, width, dictionary);
      for (const row of own) {
        if (data.isNull(row)) taken.addNull();
        else taken.add(await values.at(data.valueOf(row)));
      }
    }
    first += numValues;
  }
  // A page does not store its first row: only the total shows that no page was miscounted.
  if (first + await pages.countRest() !== numRows) throw new DamagedPageError("rows");
  return taken.column;
}

/** Collects rows. */
class TakenRows {
  readonly #validity: Uint8Array | undefined;
  readonly #values = new GrowingBytes();
  #numRows = 0;

  constructor(numRows: number, isOptional: boolean) {
    if (isOptional) this.#validity = new Uint8Array(Math.ceil(numRows / 8));
  }

  addNull(): void {
    this.#numRows++;
  }

  add(value: Uint8Array): void {
    const row = this.#numRows++;
    if (this.#validity !== undefined) this.#validity[row >> 3]! |= 1 << (row & 7);
    this.#values.append(value);
  }

  get column(): ColumnRows {
    const values = this.#values.bytes;
    return this.#validity === undefined ? { values } : { values, validity: this.#validity };
  }
}

/** A data page and the validity of its rows. */
class DataPage {
  readonly page: PageBytes;
  readonly memory: PageMemory;
  readonly numValues: number;
  /** The start of the values. */
  readonly start: number;
  readonly #levels: HybridReader | undefined;

  private constructor(
    page: PageBytes,
    memory: PageMemory,
    numValues: number,
    start: number,
    levels: HybridReader | undefined,
  ) {
    this.page = page;
    this.memory = memory;
    this.numValues = numValues;
    this.start = start;
    this.#levels = levels;
  }

  static async open(
    page: PageBytes,
    numValues: number,
    isOptional: boolean,
    memory: PageMemory,
  ): Promise<DataPage> {
    const { dataPage, dataPageV2 } = page.header;
    const levelsAt = async (start: number, numBytes: number) => {
      await page.ensure(start + numBytes);
      return new HybridReader(new Uint8Array(memory.buffer, page.base + start, numBytes), 1);
    };
    if (dataPageV2 !== undefined) {
      const { definitionBytes = 0, repetitionBytes = 0 } = dataPageV2;
      if (repetitionBytes > 0) throw new DamagedPageError("repeated values");
      const levels = isOptional ? await levelsAt(0, definitionBytes) : undefined;
      return new DataPage(page, memory, numValues, definitionBytes, levels);
    }
    if (!isOptional) return new DataPage(page, memory, numValues, 0, undefined);
    if (dataPage!.definitionEncoding !== encoding.hybrid) throw new DamagedPageError("levels");
    await page.ensure(4);
    const numBytes = new DataView(memory.buffer).getUint32(page.base, true);
    return new DataPage(page, memory, numValues, 4 + numBytes, await levelsAt(4, numBytes));
  }

  /** Whether a row has no value. Rows must ascend over the calls of `isNull` and `valueOf`. */
  isNull(row: number): boolean {
    return this.#levels !== undefined && this.#levels.at(row) === 0;
  }

  /** Returns the index of the value of a row. */
  valueOf(row: number): number {
    return this.#levels === undefined ? row : this.#levels.onesBefore(row);
  }
}

/** Access to values by ascending index. The returned bytes are views of the memory. */
interface Values {
  at(index: number): Promise<Uint8Array>;
}

function valuesOf(
  data: DataPage,
  of: number | undefined,
  width: number,
  dictionary: Dictionary | undefined,
): Values {
  switch (of) {
    case encoding.plain:
      return width > 0 ? new FixedValues(data, width) : new TextValues(data);
    case encoding.dictionary:
    case encoding.oldDictionary:
      if (dictionary !== undefined) return new DictionaryValues(data, dictionary);
  }
  throw new DamagedPageError(`encoding ${of}`);
}

class FixedValues implements Values {
  readonly #data: DataPage;
  readonly #width: number;

  constructor(data: DataPage, width: number) {
    this.#data = data;
    this.#width = width;
  }

  async at(index: number): Promise<Uint8Array> {
    const { page, start, memory } = this.#data;
    const from = start + index * this.#width;
    if (from + this.#width > page.available) await page.ensure(from + this.#width);
    return new Uint8Array(memory.buffer, page.base + from, this.#width);
  }
}

/** Values that each follow their length in four bytes. */
class TextValues implements Values {
  readonly #data: DataPage;
  #index = 0;
  /** The start of the value at `#index`. */
  #position: number;

  constructor(data: DataPage) {
    this.#data = data;
    this.#position = data.start;
  }

  async at(index: number): Promise<Uint8Array> {
    const { page, memory } = this.#data;
    for (;;) {
      const numBytes = this.#walk(index);
      const stop = this.#position + numBytes;
      if (this.#index === index && numBytes > 0 && stop <= page.available) {
        return new Uint8Array(memory.buffer, page.base + this.#position, numBytes);
      }
      // Load at least the rest of this value, or its length.
      const least = Math.max(stop, this.#position + 4, page.available + 1);
      await page.ensure(Math.max(least, Math.min(page.available + stepBytes, page.size)));
    }
  }

  /**
   * Walks toward a value as far as bytes are loaded. Returns the size of the value that it stops
   * at, 0 if unknown.
   */
  #walk(index: number): number {
    const { page, memory } = this.#data;
    const view = new DataView(memory.buffer, page.base, page.available);
    const last = page.available - 4;
    let position = this.#position;
    let at = this.#index;
    let numBytes = 0;
    while (position <= last) {
      numBytes = 4 + view.getUint32(position, true);
      if (at === index || position + numBytes > page.available) break;
      position += numBytes;
      numBytes = 0;
      at++;
    }
    this.#position = position;
    this.#index = at;
    return numBytes;
  }
}

/** Values that are indices into a dictionary. */
class DictionaryValues implements Values {
  readonly #data: DataPage;
  readonly #dictionary: Dictionary;
  #indices: HybridReader | undefined;

  constructor(data: DataPage, dictionary: Dictionary) {
    this.#data = data;
    this.#dictionary = dictionary;
  }

  async at(index: number): Promise<Uint8Array> {
    this.#indices ??= await this.#open();
    return this.#dictionary.at(this.#indices.at(index));
  }

  async #open(): Promise<HybridReader> {
    const { page, start, memory } = this.#data;
    await page.ensure(page.size);
    if (start >= page.size) throw new DamagedPageError("indices");
    const bytes = new Uint8Array(memory.buffer, page.base + start, page.size - start);
    return new HybridReader(bytes.subarray(1), bytes[0]!);
  }
}

/** The values of a dictionary page. */
class Dictionary {
  readonly #memory: PageMemory;
  readonly #page: PageBytes;
  /** The starts of the values, and the end of the last one. */
  readonly #starts: Int32Array;

  private constructor(memory: PageMemory, page: PageBytes, starts: Int32Array) {
    this.#memory = memory;
    this.#page = page;
    this.#starts = starts;
  }

  static async read(
    page: PageBytes,
    numValues = -1,
    width: number,
    memory: PageMemory,
  ): Promise<Dictionary> {
    await page.ensure(page.size);
    // Each value has at least one byte, or four of length.
    if (!(numValues >= 0 && numValues <= page.size)) throw new DamagedPageError("dictionary");
    const starts = new Int32Array(numValues + 1);
    const view = new DataView(memory.buffer, page.base, page.size);
    let position = 0;
    for (let index = 0; index < numValues; index++) {
      if (width === 0 && position + 4 > page.size) throw new DamagedPageError("dictionary");
      position += width === 0 ? 4 + view.getUint32(position, true) : width;
      if (position > page.size) throw new DamagedPageError("dictionary");
      starts[index + 1] = position;
    }
    return new Dictionary(memory, page, starts);
  }

  /** Returns a value in plain encoding. */
  at(index: number): Uint8Array {
    if (index + 1 >= this.#starts.length) throw new DamagedPageError("index");
    const [start, stop] = [this.#starts[index]!, this.#starts[index + 1]!];
    return new Uint8Array(this.#memory.buffer, this.#page.base + start, stop - start);
  }
}
