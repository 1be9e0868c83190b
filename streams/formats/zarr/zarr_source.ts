/**
 * The source of a Zarr array: a row for each chunk, in C order of its grid.
 *
 * @module
 */

import type { Schema } from "apache-arrow";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import { nameOfPath } from "../../../base/url.ts";
import type { OpenOptions, Source, SourceRows } from "../../plan/source.ts";
import type { RowRequest } from "../../rows/row_request.ts";
import type { ArrayReader } from "./items/array.ts";
import type { ArrayRows } from "./rows/array_rows.ts";

/**
 * A source of an array. The metadata determines its rows, and each can be read separately: only requested
 * rows are read, and no chunk where only the column `origin` is requested. A missing chunk consists of
 * fill values. Small chunks share a batch.
 */
export class ZarrSource implements Source {
  readonly name: string;
  readonly #path: string;
  readonly #openArray: () => Promise<ArrayReader>;
  #opening: Promise<ArrayRows> | undefined;
  #reader: ArrayReader | undefined;

  /** Calls `openArray` once, with the first use of the array. */
  constructor(path: string, openArray: () => Promise<ArrayReader>) {
    this.#path = path;
    this.name = nameOfPath(path);
    this.#openArray = openArray;
  }

  get bytesRead(): number {
    return this.#reader?.bytesRead ?? 0;
  }

  /** Returns the array for callers that read chunks without rows; their reads count here too. */
  async array(): Promise<ArrayReader> {
    return (await this.#array()).reader;
  }

  async schema(): Promise<Schema> {
    return (await this.#array()).schema;
  }

  canSeek(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async numRows(): Promise<number> {
    return (await this.#array()).numRows;
  }

  async *rows(
    request?: RowRequest,
    options?: OpenOptions,
  ): AsyncGenerator<SourceRows, void, void> {
    if (options?.signal?.aborted) return;
    yield* (await this.#array()).read(request, options);
  }

  async describeRows(request: RowRequest): Promise<string | undefined> {
    return (await this.#array()).describe(request);
  }

  /** Opens the array once; all callers get the same failure. */
  #array(): Promise<ArrayRows> {
    return this.#opening ??= (async () => {
      try {
        const reader = await this.#openArray();
        const { ArrayRows } = await import("./rows/array_rows.ts");
        this.#reader = reader;
        return new ArrayRows(this.#path, reader);
      } catch (error) {
        throw toFileError(this.#path, error);
      }
    })();
  }
}
