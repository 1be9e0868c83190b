/**
 * Reads Parquet files that a worker decodes.
 *
 * @module
 */

import { isSluiceError } from "../../../../base/errors/is_sluice_error.ts";
import type { Schema } from "apache-arrow";
import { decodeSchema } from "../../../data/arrow_data.ts";
import { FileError } from "../../../../base/errors/file_error.ts";
import type { FileInput } from "../../../bytes/file_input.ts";
import type { RowRequest } from "../../../rows/row_request.ts";
import type { OpenOptions, SourceRows } from "../../../plan/source.ts";
import { batchOf } from "./batch_message.ts";
import type { DecodeWorker } from "./decode_worker.ts";
import type { FromDecodeWorker, Job } from "./messages.ts";

/** A worker's description of a file. */
export interface Described {
  readonly schema: Schema;
  readonly numRows: number;
}

/**
 * Returns the schema and the number of rows of a file; undefined if the worker cannot read it.
 * Throws a FileError if the file is broken.
 */
export async function describeByWorker(
  worker: DecodeWorker,
  path: string,
  input: FileInput,
): Promise<Described | undefined> {
  const job: Job = { kind: "describe", path, chunkBytes: input.chunkBytes };
  let described: Described | undefined;
  for await (const answer of answersOf(worker, job, input)) {
    if (answer.kind !== "schema") continue;
    described = { schema: decodeSchema(answer.schema), numRows: answer.numRows };
  }
  return described;
}

/** The rows that a worker is to read. */
interface WantedRows {
  readonly path: string;
  readonly request: RowRequest;
  readonly options: OpenOptions;
  /** The bytes that the worker may decode ahead. */
  readonly aheadBytes: number;
}

/**
 * Yields rows of an open file. Returns false, without having yielded any, if the worker cannot read
 * them. Throws a FileError if the file is broken. Ends the worker if the iteration ends early.
 */
export async function* rowsByWorker(
  worker: DecodeWorker,
  input: FileInput,
  { path, request, options: { columns, signal }, aheadBytes }: WantedRows,
): AsyncGenerator<SourceRows, boolean, void> {
  const { device, inode, size } = input.identity!;
  const job: Job = {
    ...{ kind: "rows", path, chunkBytes: input.chunkBytes, device, inode, size },
    ...{ request, aheadBytes },
    ...(columns === undefined ? {} : { columns }),
  };
  const end = () => worker.end();
  signal?.addEventListener("abort", end, { once: true });
  try {
    let schema: Schema | undefined;
    let isRead = false;
    for await (const answer of answersOf(worker, job, input)) {
      isRead = true;
      if (answer.kind === "schema") schema = decodeSchema(answer.schema);
      if (answer.kind !== "rows") continue;
      worker.took(answer.numBytes);
      const { firstRow, runs } = answer;
      const batch = batchOf(answer, schema!);
      yield runs === undefined ? { batch, firstRow } : { batch, firstRow, runs };
    }
    return isRead;
  } finally {
    signal?.removeEventListener("abort", end);
  }
}

/**
 * Yields the answers to a job, up to its "end"; none if the worker cannot do it. Releases the
 * worker after the last answer, and ends it if the iteration ends before.
 */
async function* answersOf(
  worker: DecodeWorker,
  job: Job,
  input: FileInput,
): AsyncGenerator<FromDecodeWorker, void, void> {
  let hasEnded = false;
  let isRead = false;
  try {
    worker.begin(job);
    for (;;) {
      const answer = await worker.next();
      input.noteElsewhere(answer.bytesRead);
      hasEnded = answer.kind === "end" || answer.kind === "failed" || answer.kind === "unable";
      if (answer.kind === "unable") return;
      if (answer.kind === "failed") throw failureOf(answer, job.path, input);
      isRead = true;
      yield answer;
      if (hasEnded) return;
    }
  } catch (error) {
    // Nothing was yielded yet, so the caller can read without the worker.
    if (isSluiceError(error, "WorkerLostError") && !isRead) return;
    throw error;
  } finally {
    if (hasEnded) worker.release();
    else worker.end();
  }
}

function failureOf(
  { problem, row, column, shortEnd }: Extract<FromDecodeWorker, { kind: "failed" }>,
  path: string,
  input: FileInput,
): FileError {
  if (shortEnd !== undefined) input.noteShortEnd(shortEnd);
  const place = {
    ...(row === undefined ? {} : { row }),
    ...(column === undefined ? {} : { column }),
  };
  return new FileError(path, problem, place);
}
