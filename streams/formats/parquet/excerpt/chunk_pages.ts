/**
 * Reads the pages of one column in one row group, and decompresses each only as far as it is
 * needed.
 *
 * @module
 */

import { crc32For } from "../../../bytes/crc.ts";
import type { FileInput } from "../../../bytes/file_input.ts";
import {
  codecs,
  type ColumnChunk,
  type PageHeader,
  pageHeader,
  startOf,
} from "../metadata/metadata.ts";
import { readThrift } from "../metadata/thrift.ts";
import { varintAt } from "../metadata/varint.ts";
import { DamagedPageError } from "../../../../base/errors/data_error.ts";
import type { PageMemory } from "./page_memory.ts";

/**
 * The most uncompressed bytes of a page, and the most compressed bytes of a column: larger ones are
 * left to parquet-wasm.
 */
const mostBytes = 64 << 20;
/** The bytes first read for a header, and the bytes that `readShare` reads beyond its share. */
const headerBytes = 512;
const moreBytes = 32 << 10;
/** The most bytes of the length before compressed bytes. */
const mostVarintBytes = 5;
/** Bytes of one read: reads of a file up to this size are synchronous (see `file_store.ts`). */
const readBytes = 256 << 10;

/** The pages of a column, in order. */
export class ChunkPages {
  readonly #input: FileInput;
  readonly #memory: PageMemory;
  readonly #start: number;
  readonly #size: number;
  readonly #isSnappy: boolean;
  /** The place of the column in the memory, and the number of its bytes that were read. */
  readonly #base: number;
  #filled = 0;
  /** The start of the next page. */
  #position = 0;

  constructor(input: FileInput, chunk: ColumnChunk, memory: PageMemory) {
    const { codec, compressedBytes = 0 } = chunk.metadata!;
    if (!(compressedBytes > 0 && compressedBytes <= mostBytes)) throw new DamagedPageError("size");
    this.#input = input;
    this.#memory = memory;
    this.#start = startOf(chunk);
    this.#size = compressedBytes;
    this.#isSnappy = codec === codecs.snappy;
    this.#base = memory.place(compressedBytes);
  }

  /** Counts the values of the remaining pages by their headers. */
  async countRest(): Promise<number> {
    let numValues = 0;
    for (let position = this.#position; position < this.#size;) {
      await this.#input.seek(this.#start + position);
      const bytes = await this.#input.read(Math.min(headerBytes, this.#size - position));
      const header = readHeader(bytes);
      if (header === undefined) throw new DamagedPageError("header");
      const { dataPage, dataPageV2, compressedBytes } = header.value;
      numValues += (dataPage ?? dataPageV2)?.numValues ?? 0;
      position += header.numBytes + compressedBytes!;
      if (position > this.#size) throw new DamagedPageError("page size");
    }
    return numValues;
  }

  /** Reads a share of the column, from its start, ahead of use. */
  async readShare(share: number): Promise<void> {
    await this.#load(Math.ceil(this.#size * share) + moreBytes);
  }

  /** Returns the next page and moves past it. */
  async next(): Promise<PageBytes> {
    const from = this.#position;
    for (let most = headerBytes;; most *= 16) {
      await this.#load(from + most);
      const bytes = new Uint8Array(this.#memory.buffer, this.#base + from, this.#filled - from);
      const header = readHeader(bytes);
      if (header !== undefined) {
        const start = from + header.numBytes;
        this.#position = start + header.value.compressedBytes!;
        if (this.#position > this.#size) throw new DamagedPageError("page size");
        return await this.#open(header.value, start);
      }
      if (from + most >= this.#size) throw new DamagedPageError("header");
    }
  }

  /** Opens the page whose body begins at `start`. */
  async #open(header: PageHeader, start: number): Promise<PageBytes> {
    const raw = { base: this.#base + start, size: header.compressedBytes! };
    const load = async (numBytes: number) => {
      await this.#load(start + numBytes);
      return Math.min(raw.size, this.#filled - start);
    };
    await this.#checkSum(header, raw, load);
    const levelBytes = levelBytesOf(header);
    const numLoaded = await load(Math.min(raw.size, levelBytes + mostVarintBytes));
    const isPacked = this.#isSnappy && header.dataPageV2?.isCompressed !== false;
    if (!isPacked) return new PageBytes(header, { ...raw, numLoaded, load });
    const memory = this.#memory;
    const size = header.uncompressedBytes!;
    const base = memory.place(size);
    // Levels of version 2 pages are never compressed.
    new Uint8Array(memory.buffer).copyWithin(base, raw.base, raw.base + levelBytes);
    const packed = new PackedBytes(memory, { ...raw, numLoaded, load }, { base, size }, levelBytes);
    const unpack = (numBytes: number) => packed.unpack(numBytes);
    return new PageBytes(header, { base, size, numLoaded: levelBytes, load: unpack });
  }

  /** Verifies the checksum of a page, if it has one; this reads the whole page. */
  async #checkSum(
    { crc }: PageHeader,
    { base, size }: Pick<Placed, "base" | "size">,
    load: (numBytes: number) => Promise<number>,
  ): Promise<void> {
    if (crc === undefined) return;
    if (await load(size) < size) throw new DamagedPageError("end");
    const crc32 = await crc32For(size);
    const sum = crc32(new Uint8Array(this.#memory.buffer, base, size));
    if (sum !== crc >>> 0) throw new DamagedPageError("checksum");
  }

  /** Reads the column up to byte `stop`. */
  async #load(stop: number): Promise<void> {
    const end = Math.min(stop, this.#size);
    if (end <= this.#filled) return;
    await this.#input.seek(this.#start + this.#filled);
    while (this.#filled < end) {
      const { buffer } = this.#memory;
      const numBytes = Math.min(end - this.#filled, readBytes);
      const target = new Uint8Array(buffer, this.#base + this.#filled, numBytes);
      const count = await this.#input.readInto(target);
      if (count === 0) throw new DamagedPageError("end");
      this.#filled += count;
    }
  }
}

/** Returns the header at the start of the bytes; undefined if the bytes may end before it does. */
function readHeader(
  bytes: Uint8Array,
): ReturnType<typeof readThrift<typeof pageHeader>> | undefined {
  let header;
  try {
    header = readThrift(bytes, pageHeader);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const { compressedBytes = -1, uncompressedBytes = -1 } = header.value;
  const isValid = compressedBytes >= 0 && uncompressedBytes >= 0 && uncompressedBytes <= mostBytes;
  if (!isValid) throw new DamagedPageError("page size");
  return header;
}

/** Returns the bytes of levels before the values of a version 2 page; 0 for version 1. */
function levelBytesOf(
  { dataPageV2, compressedBytes = 0, uncompressedBytes = 0 }: PageHeader,
): number {
  const { definitionBytes = 0, repetitionBytes = 0 } = dataPageV2 ?? {};
  const levelBytes = definitionBytes + repetitionBytes;
  const isValid = definitionBytes >= 0 && repetitionBytes >= 0 &&
    levelBytes <= Math.min(compressedBytes, uncompressedBytes);
  if (!isValid) throw new DamagedPageError("levels");
  return levelBytes;
}

/** Bytes in the memory from `base` on, of which the first `numLoaded` are loaded. */
interface Placed {
  readonly base: number;
  readonly size: number;
  /** The number of bytes loaded so far. */
  readonly numLoaded: number;
  /** Loads at least `numBytes` of them if possible; returns the number loaded. */
  readonly load: (numBytes: number) => number | Promise<number>;
}

/** The levels and values of a page. */
export class PageBytes {
  readonly header: PageHeader;
  /** The place of the bytes in the memory. */
  readonly base: number;
  readonly size: number;
  /** The number of bytes loaded so far. */
  available: number;
  readonly #load: Placed["load"];

  constructor(header: PageHeader, { base, size, numLoaded, load }: Placed) {
    this.header = header;
    this.base = base;
    this.size = size;
    this.available = numLoaded;
    this.#load = load;
  }

  /** Loads at least the first `numBytes` bytes. Throws a DamagedPageError if the page has fewer. */
  async ensure(numBytes: number): Promise<void> {
    if (numBytes <= this.available) return;
    if (numBytes <= this.size) this.available = await this.#load(numBytes);
    if (!(numBytes <= this.available)) throw new DamagedPageError("page");
  }
}

/** Snappy data that is decompressed as far as it is needed. */
class PackedBytes {
  readonly #memory: PageMemory;
  readonly #raw: Placed;
  readonly #output: { readonly start: number; readonly end: number };
  readonly #base: number;
  /** The position in the input, the end of its loaded bytes, and the position in the output. */
  #from: number;
  #stop: number;
  #at: number;

  /** The first `levelBytes` bytes are not compressed. */
  constructor(
    memory: PageMemory,
    raw: Placed,
    { base, size }: Pick<Placed, "base" | "size">,
    levelBytes: number,
  ) {
    this.#memory = memory;
    this.#raw = raw;
    this.#base = base;
    this.#at = base + levelBytes;
    this.#output = { start: this.#at, end: base + size };
    this.#stop = raw.base + raw.numLoaded;
    const bytes = new Uint8Array(memory.buffer, raw.base, raw.numLoaded);
    const { value, stop } = varintAt(bytes, levelBytes);
    if (value !== size - levelBytes) throw new DamagedPageError("size of a page");
    this.#from = raw.base + stop;
  }

  /**
   * Decompresses at least the first `numBytes` bytes if possible; returns the number decompressed.
   */
  async unpack(numBytes: number): Promise<number> {
    const { base, size, load } = this.#raw;
    const want = this.#base + numBytes;
    this.#decode(want);
    while (this.#at < want && this.#stop < base + size) {
      this.#stop = base + await load(Math.min(size, 4 * (this.#stop - base)));
      this.#decode(want);
    }
    return this.#at - this.#base;
  }

  #decode(want: number): void {
    const { start, end } = this.#output;
    const reached = this.#memory.decode(
      this.#from,
      this.#stop,
      { start, at: this.#at, end },
      want,
    );
    if (reached === undefined) throw new DamagedPageError("compressed bytes");
    this.#from = reached.from;
    this.#at = reached.at;
  }
}
