/**
 * Decides what of a Parquet file another thread decodes.
 *
 * @module
 */

import type { FileInput } from "../../../bytes/file_input.ts";
import type { RowRequest } from "../../../rows/row_request.ts";
import { mostRows } from "../../../rows/row_slice.ts";
import type { OpenOptions, SourceRows } from "../../../plan/source.ts";
import { claimDecodeWorker } from "./decode_worker.ts";
import { describeByWorker, type Described, rowsByWorker } from "./read_by_worker.ts";

/** Fewer rows are there before a worker has started. */
const fewRows = 1 << 18;

/** Another thread's help with one file. */
export class DecodeHelper {
  readonly #path: string;
  readonly #aheadBytes: number;
  #described: (Described & { readonly numBytes: number | undefined }) | undefined;

  constructor(path: string, aheadBytes: number) {
    this.#path = path;
    this.#aheadBytes = aheadBytes;
  }

  /** Returns the schema and the length, if there is a worker that can tell: none is started for that. */
  async describe(input: FileInput): Promise<Described | undefined> {
    const worker = claimDecodeWorker({ start: false });
    const described = worker && await describeByWorker(worker, this.#path, input);
    if (described !== undefined) this.#described = { ...described, numBytes: input.numBytes };
    return described;
  }

  /** Returns the number of rows, if the worker has told it of a file of this size. */
  numRowsOf({ numBytes }: FileInput): number | undefined {
    return this.#described?.numBytes === numBytes ? this.#described?.numRows : undefined;
  }

  /** Returns the rows of a request; undefined if they are read as fast without help (see `rowsByWorker`). */
  rows(
    input: FileInput,
    request: RowRequest,
    options: OpenOptions,
  ): AsyncGenerator<SourceRows, boolean, void> | undefined {
    if (!isForward(request)) return undefined;
    const start = request.every((pick) => pick.kind === "slice" && mostRows(pick) > fewRows);
    const worker = claimDecodeWorker({ start });
    const wanted = { path: this.#path, request, options, aheadBytes: this.#aheadBytes };
    return worker && rowsByWorker(worker, input, wanted);
  }
}

/** Whether a request is for rows that follow each other: then each batch is wanted once. */
function isForward(request: RowRequest): boolean {
  return request.every((pick) => pick.kind === "slice" && pick.step === 1);
}
