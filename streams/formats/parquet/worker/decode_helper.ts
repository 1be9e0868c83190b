/**
 * Decides which requests of a Parquet file a worker decodes.
 *
 * @module
 */

import type { FileInput } from "../../../bytes/file_input.ts";
import type { RowRequest } from "../../../rows/row_request.ts";
import { mostRows } from "../../../rows/row_slice.ts";
import type { OpenOptions, SourceRows } from "../../../plan/source.ts";
import { claimDecodeWorker } from "./decode_worker.ts";
import { describeByWorker, type Described, rowsByWorker } from "./read_by_worker.ts";

/** Up to this many rows are decoded sooner than a worker starts. */
const fewRows = 1 << 18;

/** A worker's help with one file. */
export class DecodeHelper {
  readonly #path: string;
  readonly #aheadBytes: number;
  #described: (Described & { readonly numBytes: number | undefined }) | undefined;

  constructor(path: string, aheadBytes: number) {
    this.#path = path;
    this.#aheadBytes = aheadBytes;
  }

  /** Asks an idle worker, if there is one, for the schema and the number of rows. Starts none. */
  async describe(input: FileInput): Promise<Described | undefined> {
    const worker = claimDecodeWorker({ start: false });
    const described = worker && await describeByWorker(worker, this.#path, input);
    if (described !== undefined) this.#described = { ...described, numBytes: input.numBytes };
    return described;
  }

  /** Returns the number of rows, if a worker has reported it for a file of this size. */
  numRowsOf({ numBytes }: FileInput): number | undefined {
    return this.#described?.numBytes === numBytes ? this.#described?.numRows : undefined;
  }

  /**
   * Yields the rows of a request (see `rowsByWorker`). Undefined if reading here is as fast or no
   * worker is available.
   */
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

/** Whether a request is for consecutive rows, so that each batch is needed once. */
function isForward(request: RowRequest): boolean {
  return request.every((pick) => pick.kind === "slice" && pick.step === 1);
}
