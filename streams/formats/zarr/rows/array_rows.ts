/**
 * The chunks of an array as the rows of a source, in C order of its grid.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import { toFileError } from "../../../../base/errors/wrap_error.ts";
import type { OpenOptions, SourceRows } from "../../../plan/source.ts";
import { allRows, resolveRows, type RowRequest } from "../../../rows/row_request.ts";
import { numRowsOf } from "../../../rows/row_run.ts";
import { gridShape, numChunks, placeAt } from "../grid/grid.ts";
import type { ArrayReader } from "../items/array.ts";
import { ChunkRowsReader } from "./chunk_rows_reader.ts";

/** The share of the rows yielded so far that the next batch may have; the first batches have one row. */
const growth = 1 / 16;
/** The limits of a batch without its chunks: a number of rows, and a share of all rows. */
const originRows = 8192;
const originPart = 1 / 128;

/** The rows of one array. */
export class ArrayRows {
  readonly reader: ArrayReader;
  readonly #path: string;
  readonly #rows: ChunkRowsReader;

  /** Errors of reading name `path`. */
  constructor(path: string, reader: ArrayReader) {
    this.#path = path;
    this.reader = reader;
    this.#rows = new ChunkRowsReader(reader);
  }

  get schema(): ChunkRowsReader["schema"] {
    return this.#rows.schema;
  }

  get numRows(): number {
    return numChunks(this.#rows.grid);
  }

  /** Describes the number of chunks that a request reads; undefined for a row that does not exist. */
  describe(request: RowRequest): string | undefined {
    const { numRows } = this;
    try {
      return `${numRowsOf(resolveRows(request, numRows))} of ${numRows} chunks`;
    } catch (error) {
      if (isSluiceError(error, "MissingRowError")) return undefined;
      throw error;
    }
  }

  /** Reads the rows of a request. */
  async *read(
    request: RowRequest = allRows,
    options: OpenOptions = {},
  ): AsyncGenerator<SourceRows, void, void> {
    const { columns, together, signal } = options;
    const rows = this.#rows;
    const readsChunks = columns?.includes(rows.column) ?? true;
    const most = readsChunks
      ? rows.mostRows(together)
      : Math.min(originRows, Math.ceil(this.numRows * originPart));
    const counts = gridShape(rows.grid);
    let given = 0;
    for (const { start, step, count } of resolveRows(request, this.numRows)) {
      for (let done = 0; done < count;) {
        const first = start + done * step;
        const room = step === 1 ? Math.min(most, readsChunks ? given * growth : most) : 1;
        const numRows = Math.min(count - done, Math.max(1, Math.floor(room)));
        const places = Array.from({ length: numRows }, (_, row) => placeAt(first + row, counts));
        const batch = await rows.read(places, options).catch((error) => {
          throw toFileError(this.#path, error);
        });
        // The signal was aborted.
        if (batch === undefined) return;
        yield { batch, firstRow: first };
        if (signal?.aborted) return;
        done += numRows;
        given += numRows;
      }
    }
  }
}
