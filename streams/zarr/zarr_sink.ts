/**
 * The sink that makes an array of Zarr of batches of chunks.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { type ChunkedArray, type ChunkedText, isChunkedText } from "../chunks/array_json.ts";
import { ChunkFinder } from "../chunks/chunk_batch.ts";
import { arrayFieldOf } from "../chunks/chunk_rows.ts";
import { type Grid, gridShape } from "../chunks/grid.ts";
import { TextFinder } from "../chunks/text_batch.ts";
import { FileError, toFileError } from "../errors.ts";
import type { FileSink } from "../file_sink.ts";
import { OutputFolder } from "../output_folder.ts";
import { checkIsFile } from "../output_target.ts";
import { ownBatch } from "../own_arrow.ts";
import { showControls } from "../show_controls.ts";
import { type ItemsForm, numbersForm, textForm } from "./items_form.ts";
import { ShardGather } from "./shard_gather.ts";
import type { TextItems, TextWriter } from "./text_array.ts";
import type { ZarrWriter } from "./zarr_array.ts";

/** Makes a new array in an empty folder: of text or bytes for one of those. */
type CreateArray = (
  folder: string,
  array: ChunkedArray | ChunkedText,
) => Promise<ZarrWriter | TextWriter>;

/**
 * A sink for the chunks of one array, a row each, in any order and grouped in any way: chunks that do
 * not come are missing. It accepts a batch when the one before is written. The folder appears when the
 * sink is closed, and never if it is aborted or fails; one that exists is not replaced.
 */
export function zarrSink(path: string, create: CreateArray): FileSink {
  checkIsFile(path);
  return new ZarrStream(path, new ZarrJob(path, create));
}

class ZarrStream extends WritableStream<RecordBatch> implements FileSink {
  readonly name: string;
  readonly #job: ZarrJob;

  constructor(path: string, job: ZarrJob) {
    super({
      start: () => OutputFolder.check(path),
      write: (batch) => job.write(batch),
      close: () => job.close(),
      abort: () => job.abort(),
    });
    this.name = path;
    this.#job = job;
  }

  get bytesWritten(): number {
    return this.#job.bytesWritten;
  }
}

class ZarrJob {
  readonly #path: string;
  readonly #create: CreateArray;
  #output: ArrayOutput<Uint8Array> | ArrayOutput<TextItems> | undefined;
  #folder: OutputFolder | undefined;
  /** The schema of the last batch, and what finds chunks in batches of it. */
  #last: { readonly schema: Schema; readonly finder: ChunkFinder | TextFinder } | undefined;

  constructor(path: string, create: CreateArray) {
    this.#path = path;
    this.#create = create;
  }

  get bytesWritten(): number {
    return this.#output?.bytesWritten ?? 0;
  }

  write(batch: RecordBatch): Promise<void> {
    return this.#orAbort(async () => {
      const own = ownBatch("write()", batch);
      const finder = this.#finderOf(own.schema);
      if (this.#output === undefined) {
        this.#folder = await OutputFolder.create(this.#path);
        const writer = await this.#create(this.#folder.path, finder.array);
        this.#output = outputOf(writer, this.#folder.path);
      }
      // Both are of the same kind: they are of the same array.
      const output = this.#output as ArrayOutput<Uint8Array | TextItems>;
      for (const chunk of finder.chunks(own)) await output.add(chunk);
    });
  }

  close(): Promise<void> {
    return this.#orAbort(async () => {
      if (this.#output === undefined) throw new TypeError("there is no batch that says what it is");
      await this.#output.end();
      await this.#folder!.commit();
    });
  }

  abort(): void {
    this.#folder?.discard();
  }

  #finderOf(schema: Schema): ChunkFinder | TextFinder {
    if (this.#last?.schema === schema) return this.#last.finder;
    const isText = isChunkedText(arrayFieldOf(schema).array);
    const finder = isText ? new TextFinder(schema) : new ChunkFinder(schema);
    const before = this.#last?.finder;
    if (before !== undefined && before.json !== finder.json) {
      const names = [before, finder].map(({ array }) => array.name).join(" and ");
      throw new TypeError(`the batches have chunks of two arrays, ${names}`);
    }
    this.#last = { schema, finder };
    return finder;
  }

  /** The streams standard does not call `abort` after a failed write, so this does. */
  async #orAbort(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.abort();
      throw this.#named(error);
    }
  }

  /** The error of a file in the partial folder, as one of the folder that it was to become. */
  #named(error: unknown): FileError {
    const partial = this.#folder?.path;
    if (!(error instanceof FileError) || partial === undefined) {
      return toFileError(this.#path, error);
    }
    if (!error.file.startsWith(partial)) return error;
    const file = this.#path + error.file.slice(partial.length);
    return new FileError(file, error.message.slice(showControls(error.file).length + 2), {
      cause: error,
    });
  }
}

/** What is written to an array with this writer. */
function outputOf(
  writer: ZarrWriter | TextWriter,
  folder: string,
): ArrayOutput<Uint8Array> | ArrayOutput<TextItems> {
  return "itemBytes" in writer
    ? new ArrayOutput(writer, numbersForm(writer), folder)
    : new ArrayOutput(writer, textForm(writer), folder);
}

/** A writer of chunks of any kind. */
interface AnyWriter<Items> {
  readonly grid: Grid;
  readonly writeGrid: Grid;
  readonly bytesWritten: number;
  writeChunk(index: readonly number[], items: Items): Promise<void>;
}

/** An array that is being written. */
class ArrayOutput<Items> {
  readonly #writer: AnyWriter<Items>;
  readonly #places: readonly number[];
  readonly #gather: ShardGather<Items> | undefined;
  readonly #shardFolder: string;
  readonly #seen = new PlaceSet();

  constructor(writer: AnyWriter<Items>, form: ItemsForm<Items>, folder: string) {
    this.#writer = writer;
    this.#places = gridShape(writer.grid);
    this.#shardFolder = `${folder}/.shards`;
    const { grid, writeGrid } = writer;
    if (grid.chunk.some((length, axis) => length !== writeGrid.chunk[axis])) {
      Deno.mkdirSync(this.#shardFolder);
      this.#gather = new ShardGather(writer, form, this.#shardFolder);
    }
  }

  get bytesWritten(): number {
    return this.#writer.bytesWritten;
  }

  async add(
    { index, items }: { readonly index: readonly number[]; readonly items: Items },
  ): Promise<void> {
    const number = index.reduce((sum, place, axis) => sum * this.#places[axis]! + place, 0);
    if (!this.#seen.add(number)) {
      const start = index.map((place, axis) => place * this.#writer.grid.chunk[axis]!);
      throw new RangeError(`the chunk at [${start.join(", ")}] comes twice`);
    }
    if (this.#gather === undefined) await this.#writer.writeChunk(index, items);
    else await this.#gather.add(index, items);
  }

  async end(): Promise<void> {
    if (this.#gather === undefined) return;
    await this.#gather.end();
    Deno.removeSync(this.#shardFolder, { recursive: true });
  }
}

const pageBits = 2 ** 18;

/** Numbers from 0 on, in pages of bits: a grid may have very many places. */
class PlaceSet {
  readonly #pages = new Map<number, Uint8Array>();

  /** False if the number was there already. */
  add(number: number): boolean {
    const page = Math.floor(number / pageBits);
    let bits = this.#pages.get(page);
    if (bits === undefined) this.#pages.set(page, bits = new Uint8Array(pageBits / 8));
    const at = number % pageBits;
    const bit = 1 << (at % 8);
    if ((bits[at >> 3]! & bit) !== 0) return false;
    bits[at >> 3]! |= bit;
    return true;
  }
}
