/**
 * Shared by the stages of rechunking: temporary files, and batches that come while a run writes chunks.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { Schema } from "apache-arrow";
import { TempFolder } from "../../../streams/formats/arrow/temp_folder.ts";
import { Batch } from "../../batch/batch.ts";
import type { BatchPipe } from "./batch_pipe.ts";
import type { InputPace } from "./input_pace.ts";

type Batches = AsyncGenerator<Batch, void, void>;

/** Runs with a temporary folder in `parent`. An error of a file in it becomes an error of the folder. */
export async function* withTempFolder(
  parent: string | undefined,
  run: (folder: TempFolder) => Batches,
): Batches {
  using folder = new TempFolder(parent, "cannot hold chunks of an array");
  try {
    yield* run(folder);
  } catch (error) {
    // Readers and writers name the file of an array; a temporary file belongs to this step.
    const isOwn = isSluiceError(error, "FileError") && folder.has(error.file);
    throw isOwn ? folder.errorOf(error.cause ?? error) : error;
  }
}

/** The target to which a run writes chunks. */
interface Outlet {
  readonly schema: Schema;
  readonly batches: BatchPipe["batches"];
  pump(write: () => Promise<void>): Promise<void>;
}

/** Yields the batches of an outlet while a run writes to it. The run ends early when `signal` aborts. */
export async function* outletBatches(
  outlet: Outlet,
  { write, pace, signal }: {
    write(signal: AbortSignal): Promise<void>;
    readonly pace: InputPace | undefined;
    readonly signal: AbortSignal;
  },
): Batches {
  const left = new AbortController();
  const moved = outlet.pump(() => write(AbortSignal.any([signal, left.signal])));
  const batches = outlet.batches.getReader();
  try {
    for (;;) {
      const { done, value } = await batches.read();
      if (done) break;
      yield Batch.fromRecordBatch(outlet.schema, value);
    }
  } finally {
    left.abort();
    // A consumer that leaves early gets no error from the run that this aborts.
    await batches.cancel().catch(() => {});
    await moved;
    await pace?.end();
  }
}
