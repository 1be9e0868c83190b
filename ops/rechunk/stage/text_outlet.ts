/**
 * A target of rechunking whose chunks of text are rows for one who pulls them.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import type {
  ChunkedText,
  TextItems,
  TextWriter,
} from "../../../streams/formats/zarr/items/text_array.ts";
import { type Grid, numChunks } from "../../../streams/formats/zarr/grid/grid.ts";
import { TextBatches, type TextChunk } from "../../../streams/formats/zarr/rows/text_batch.ts";
import { BatchPipe } from "./batch_pipe.ts";
import { itemsBytes } from "../plan/text_sizes.ts";

/** Small chunks come several to a batch, up to so many bytes. */
const MOST_BYTES = 1 << 20;
/** The part of all chunks that a batch may have. */
const BATCH_PART = 1 / 64;

/** Gives the chunks that are written as batches, each when the one before was taken. */
export class TextOutlet implements TextWriter {
  readonly name: string;
  readonly grid: Grid;
  readonly writeGrid: Grid;
  readonly dataType: TextWriter["dataType"];
  readonly fill: Uint8Array;
  readonly dimensionNames: TextWriter["dimensionNames"];
  readonly attributes: TextWriter["attributes"];
  bytesWritten = 0;
  readonly #pipe = new BatchPipe();
  readonly #rows: TextBatches;
  readonly #mostRows: number;
  #chunks: TextChunk[] = [];
  #numBytes = 0;

  constructor(array: ChunkedText) {
    this.name = array.name;
    this.grid = array.grid;
    this.writeGrid = array.grid;
    this.dataType = array.dataType;
    this.fill = array.fill;
    this.dimensionNames = array.dimensionNames;
    this.attributes = array.attributes;
    this.#rows = new TextBatches(array);
    this.#mostRows = Math.max(1, Math.floor(numChunks(array.grid) * BATCH_PART));
  }

  /** The batches, of one run. */
  get batches(): BatchPipe["batches"] {
    return this.#pipe.batches;
  }

  get schema(): Schema {
    return this.#rows.schema;
  }

  /** Runs what writes all chunks. Never fails: who pulls the batches gets the error. */
  async give(write: () => Promise<void>): Promise<void> {
    await this.#pipe.give(async () => {
      await write();
      await this.#flush();
    });
  }

  /** The items are copied. */
  async writeChunk(index: readonly number[], { offsets, data }: TextItems): Promise<void> {
    const items = { offsets: offsets.slice(), data: data.slice() };
    const numBytes = itemsBytes(items);
    if (this.#numBytes + numBytes > MOST_BYTES) await this.#flush();
    this.#chunks.push({ index, items });
    this.#numBytes += numBytes;
    if (this.#chunks.length >= this.#mostRows || this.#numBytes > MOST_BYTES) await this.#flush();
    this.bytesWritten += numBytes;
  }

  hasChunk(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async #flush(): Promise<void> {
    const chunks = this.#chunks;
    if (chunks.length === 0) return;
    this.#chunks = [];
    this.#numBytes = 0;
    const items = joinItems(chunks.map(({ items }) => items));
    await this.#pipe.write(this.#rows.batch(chunks.map(({ index }) => index), items));
  }
}

/** Items of several chunks, one after the other. */
function joinItems(chunks: readonly TextItems[]): TextItems {
  const [first] = chunks;
  if (chunks.length === 1) return first!;
  const sizes = chunks.map(({ offsets }) => ({
    numItems: offsets.length - 1,
    numBytes: offsets.at(-1)! - offsets[0]!,
  }));
  const offsets = new Int32Array(sizes.reduce((sum, { numItems }) => sum + numItems, 1));
  const data = new Uint8Array(sizes.reduce((sum, { numBytes }) => sum + numBytes, 0));
  let [item, at] = [1, 0];
  for (const chunk of chunks) {
    const start = chunk.offsets[0]!;
    for (let i = 1; i < chunk.offsets.length; i++) offsets[item++] = chunk.offsets[i]! - start + at;
    data.set(chunk.data.subarray(start, chunk.offsets.at(-1)!), at);
    at = offsets[item - 1]!;
  }
  return { offsets, data };
}
