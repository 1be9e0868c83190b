/**
 * The source over an array of Zarr: a row for each chunk, in C order of its grid.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { ChunkBatches } from "../chunks/chunk_batch.ts";
import { gridShape, numChunks, product } from "../chunks/grid.ts";
import { toFileError } from "../errors.ts";
import { MissingRowError, resolveRows, type RowRequest } from "../rows/row_request.ts";
import { numRowsOf, type RowRun } from "../rows/row_run.ts";
import type { OpenOptions, Source, SourceRows } from "../source.ts";
import { nameOfPath } from "../url.ts";
import { repeatItem } from "./repeat_item.ts";
import type { ZarrReader } from "./zarr_array.ts";

/** Rows that one batch may have for each that was given before: the first batches have one row. */
const growth = 1 / 16;
/** Rows of a batch whose chunks are not wanted: at most so many, and this part of all rows. */
const originRows = 8192;
const originPart = 1 / 128;

/**
 * A source over an array. Its rows are known from metadata, and each can be read alone: what is
 * not wanted is not read, nor any chunk where only the column `origin` is. A chunk that is missing
 * is one of fill values. Small chunks come several to a batch.
 */
export class ZarrSource implements Source {
  readonly name: string;
  readonly #path: string;
  readonly #openArray: () => Promise<ZarrReader>;
  #opened: Promise<OpenedArray> | undefined;
  #reader: ZarrReader | undefined;

  /** `openArray` is called once, when something is first asked of the array. */
  constructor(path: string, openArray: () => Promise<ZarrReader>) {
    this.#path = path;
    this.name = nameOfPath(path);
    this.#openArray = openArray;
  }

  get bytesRead(): number {
    return this.#reader?.bytesRead ?? 0;
  }

  /** The array, for one who reads its chunks without rows; what is read counts here too. */
  async reader(): Promise<ZarrReader> {
    return (await this.#array()).reader;
  }

  async schema(): Promise<Schema> {
    return (await this.#array()).batches.schema;
  }

  canSeek(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async numRows(): Promise<number> {
    return numChunks((await this.#array()).reader.grid);
  }

  async *open(options: OpenOptions): AsyncGenerator<RecordBatch, void, void> {
    if (options.signal?.aborted) return;
    const all = [{ start: 0, step: 1, count: await this.numRows() }];
    for await (const { batch } of this.#rowsOf(all, options)) yield batch;
  }

  async *openRows(
    request: RowRequest,
    options: OpenOptions,
  ): AsyncGenerator<SourceRows, void, void> {
    if (options.signal?.aborted) return;
    yield* this.#rowsOf(resolveRows(request, await this.numRows()), options);
  }

  async describeRows(request: RowRequest): Promise<string | undefined> {
    const numRows = await this.numRows();
    try {
      return `${numRowsOf(resolveRows(request, numRows))} of ${numRows} chunks`;
    } catch (error) {
      if (error instanceof MissingRowError) return undefined;
      throw error;
    }
  }

  /** The array, opened once; a failure is told to all who ask. */
  #array(): Promise<OpenedArray> {
    return this.#opened ??= (async () => {
      try {
        const reader = await this.#openArray();
        this.#reader = reader;
        return { reader, batches: new ChunkBatches(reader) };
      } catch (error) {
        throw toFileError(this.#path, error);
      }
    })();
  }

  async *#rowsOf(
    runs: readonly RowRun[],
    { columns, together, signal }: OpenOptions,
  ): AsyncGenerator<SourceRows, void, void> {
    const { reader, batches } = await this.#array();
    const readsChunks = columns === undefined || columns.includes(batches.column);
    const { chunk } = reader.grid;
    const chunkBytes = product(chunk) * reader.itemBytes;
    const most = readsChunks
      ? Math.min(together?.rows ?? 1, Math.floor((together?.bytes ?? 0) / chunkBytes))
      : Math.min(originRows, Math.ceil(numChunks(reader.grid) * originPart));
    const places = gridShape(reader.grid);
    let given = 0;
    for (const { start, step, count } of runs) {
      for (let done = 0; done < count;) {
        const first = start + done * step;
        const room = step === 1 ? Math.min(most, readsChunks ? given * growth : most) : 1;
        const numRows = Math.min(count - done, Math.max(1, Math.floor(room)));
        const rows = Array.from({ length: numRows }, (_, row) => placeOf(first + row, places));
        const items = readsChunks ? new Uint8Array(numRows * chunkBytes) : undefined;
        for (const [row, place] of items === undefined ? [] : rows.entries()) {
          await this.#read(
            reader,
            place,
            items!.subarray(row * chunkBytes, (row + 1) * chunkBytes),
          );
          if (signal?.aborted) return;
        }
        yield { batch: batches.batch(rows, items, columns), firstRow: first };
        if (signal?.aborted) return;
        done += numRows;
        given += numRows;
      }
    }
  }

  /** Reads a chunk into memory that is all zeros. */
  async #read(reader: ZarrReader, place: readonly number[], into: Uint8Array): Promise<void> {
    try {
      if (!await reader.readChunk(place, into)) repeatItem(into, reader.fill);
    } catch (error) {
      throw toFileError(this.#path, error);
    }
  }
}

interface OpenedArray {
  readonly reader: ZarrReader;
  readonly batches: ChunkBatches;
}

/** The place in a grid of the chunk of a row. */
function placeOf(row: number, places: readonly number[]): number[] {
  const place: number[] = new Array(places.length);
  let rest = row;
  for (let axis = places.length - 1; axis >= 0; axis--) {
    place[axis] = rest % places[axis]!;
    rest = Math.floor(rest / places[axis]!);
  }
  return place;
}
