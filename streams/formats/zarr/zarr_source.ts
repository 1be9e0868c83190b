/**
 * The source over an array of Zarr: a row for each chunk, in C order of its grid.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { RecordBatch, Schema } from "apache-arrow";
import { gridShape, numChunks } from "./grid/grid.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import { allRows, resolveRows, type RowRequest } from "../../rows/row_request.ts";
import { numRowsOf, type RowRun } from "../../rows/row_run.ts";
import type { OpenOptions, Source, SourceRows } from "../../plan/source.ts";
import { nameOfPath } from "../../../base/url.ts";
import type { ArrayReader } from "./items/array.ts";
import type { ChunkRowsReader } from "./rows/chunk_rows_reader.ts";

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
  readonly #openArray: () => Promise<ArrayReader>;
  #opened: Promise<OpenedArray> | undefined;
  #reader: ArrayReader | undefined;

  /** `openArray` is called once, when something is first asked of the array. */
  constructor(path: string, openArray: () => Promise<ArrayReader>) {
    this.#path = path;
    this.name = nameOfPath(path);
    this.#openArray = openArray;
  }

  get bytesRead(): number {
    return this.#reader?.bytesRead ?? 0;
  }

  /** The array, for one who reads its chunks without rows; what is read counts here too. */
  async array(): Promise<ArrayReader> {
    return (await this.#array()).reader;
  }

  async schema(): Promise<Schema> {
    return (await this.#array()).rows.schema;
  }

  canSeek(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async numRows(): Promise<number> {
    return numChunks((await this.#array()).rows.grid);
  }

  async *rows(
    request: RowRequest = allRows,
    options: OpenOptions = {},
  ): AsyncGenerator<SourceRows, void, void> {
    if (options.signal?.aborted) return;
    yield* this.#rowsOf(resolveRows(request, await this.numRows()), options);
  }

  async describeRows(request: RowRequest): Promise<string | undefined> {
    const numRows = await this.numRows();
    try {
      return `${numRowsOf(resolveRows(request, numRows))} of ${numRows} chunks`;
    } catch (error) {
      if (isSluiceError(error, "MissingRowError")) return undefined;
      throw error;
    }
  }

  /** The array, opened once; a failure is told to all who ask. */
  #array(): Promise<OpenedArray> {
    return this.#opened ??= (async () => {
      try {
        const reader = await this.#openArray();
        const { ChunkRowsReader } = await import("./rows/chunk_rows_reader.ts");
        this.#reader = reader;
        return { reader, rows: new ChunkRowsReader(reader) };
      } catch (error) {
        throw toFileError(this.#path, error);
      }
    })();
  }

  async *#rowsOf(
    runs: readonly RowRun[],
    options: OpenOptions,
  ): AsyncGenerator<SourceRows, void, void> {
    const { columns, together, signal } = options;
    const { rows } = await this.#array();
    const readsChunks = columns?.includes(rows.column) ?? true;
    const most = readsChunks
      ? rows.mostRows(together)
      : Math.min(originRows, Math.ceil(numChunks(rows.grid) * originPart));
    const counts = gridShape(rows.grid);
    let given = 0;
    for (const { start, step, count } of runs) {
      for (let done = 0; done < count;) {
        const first = start + done * step;
        const room = step === 1 ? Math.min(most, readsChunks ? given * growth : most) : 1;
        const numRows = Math.min(count - done, Math.max(1, Math.floor(room)));
        const places = Array.from({ length: numRows }, (_, row) => placeOf(first + row, counts));
        const batch = await this.#read(rows, places, options);
        if (batch === undefined) return;
        yield { batch, firstRow: first };
        if (signal?.aborted) return;
        done += numRows;
        given += numRows;
      }
    }
  }

  /** The chunks at some places; undefined once they are not wanted any more. */
  async #read(
    rows: ChunkRowsReader,
    places: readonly (readonly number[])[],
    options: OpenOptions,
  ): Promise<RecordBatch | undefined> {
    try {
      return await rows.read(places, options);
    } catch (error) {
      throw toFileError(this.#path, error);
    }
  }
}

interface OpenedArray {
  readonly reader: ArrayReader;
  readonly rows: ChunkRowsReader;
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
