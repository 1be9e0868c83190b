/**
 * The sink that turns batches of chunks into a Zarr array.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { RecordBatch, Schema } from "apache-arrow";
import type { AnyItems, ArrayWriter, Chunked } from "./items/array.ts";
import { ChunkFinder } from "./rows/chunk_batch.ts";
import { FileError } from "../../../base/errors/file_error.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import type { SinkJob } from "../../sink/sink_job.ts";
import { OutputFolder } from "../../sink/output_folder.ts";
import { ownBatch } from "../../types/own_arrow.ts";
import { showControls } from "../../../base/show_controls.ts";
import { type ArrayOutput, outputOf } from "./store/array_output.ts";

/** Creates a new array in a folder. */
type CreateArray = (
  folder: string,
  array: Chunked,
) => Promise<ArrayWriter>;

/**
 * Creates the job of a sink for the chunks of one array, one row each, in any order and grouping. Chunks
 * that form a box become an array of the shape of that box. Fails with a RangeError for other chunks, and
 * for a chunk that comes twice. The sink accepts a batch when the one before is written. The folder
 * appears when the sink is closed, and never if it is aborted or fails. An existing folder is not
 * replaced.
 */
export function zarrJob(path: string, create: CreateArray): SinkJob {
  return new ZarrJob(path, create);
}

class ZarrJob implements SinkJob {
  readonly #path: string;
  readonly #create: CreateArray;
  #output: ArrayOutput<AnyItems> | undefined;
  #folder: OutputFolder | undefined;
  /** The schema of the last batch, and the finder of its chunks. */
  #last: { readonly schema: Schema; readonly finder: ChunkFinder } | undefined;

  constructor(path: string, create: CreateArray) {
    this.#path = path;
    this.#create = create;
  }

  get bytesWritten(): number {
    return this.#output?.bytesWritten ?? 0;
  }

  check(): Promise<void> {
    return OutputFolder.check(this.#path);
  }

  write(batch: RecordBatch): Promise<void> {
    return this.#orAbort(async () => {
      const own = ownBatch("write()", batch);
      const finder = this.#finderOf(own.schema);
      if (this.#output === undefined) {
        this.#folder = await OutputFolder.create(this.#path);
        const writer = await this.#create(this.#folder.path, finder.array);
        this.#output = outputOf({ writer, name: finder.array.name, folder: this.#folder.path });
      }
      for (const chunk of finder.chunks(own)) await this.#output.add(chunk);
    });
  }

  finish(): Promise<void> {
    return this.#orAbort(async () => {
      if (this.#output === undefined) throw new TypeError("got no batch, so the array is unknown");
      const part = await this.#output.end();
      if (part !== undefined) {
        const { keepPart } = await import("./store/keep_part.ts");
        const { array } = this.#last!.finder;
        await keepPart(this.#folder!.path, { array, part, create: this.#create });
      }
    });
  }

  commit(): Promise<void> {
    return this.#orAbort(() => this.#folder!.commit());
  }

  abort(): void {
    this.#folder?.discard();
  }

  #finderOf(schema: Schema): ChunkFinder {
    if (this.#last?.schema === schema) return this.#last.finder;
    const finder = new ChunkFinder(schema);
    const before = this.#last?.finder;
    if (before !== undefined && before.json !== finder.json) {
      const names = [before, finder].map(({ array }) => array.name).join(" and ");
      throw new TypeError(`the batches have chunks of two arrays, ${names}`);
    }
    this.#last = { schema, finder };
    return finder;
  }

  /** Runs a step, and aborts where it fails, since the streams standard does not after a failed write. */
  async #orAbort(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.abort();
      throw this.#named(error);
    }
  }

  /** Returns the error of a file in the partial folder as an error of the final folder. */
  #named(error: unknown): FileError {
    const partial = this.#folder?.path;
    if (!isSluiceError(error, "FileError") || partial === undefined) {
      return toFileError(this.#path, error);
    }
    if (!error.file.startsWith(partial)) return error;
    const file = this.#path + error.file.slice(partial.length);
    return new FileError(file, error.message.slice(showControls(error.file).length + 2), {
      cause: error,
    });
  }
}
