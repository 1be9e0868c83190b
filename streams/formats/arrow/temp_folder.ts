/**
 * A folder for rows that exceed memory: Arrow files that this process writes, reads back and removes,
 * or files of others.
 *
 * @module
 */

import type { RecordBatch, Schema } from "apache-arrow";
import { ArrowEncoder, readArrowBatches } from "./arrow.ts";
import { toFileError } from "../../../base/errors/wrap_error.ts";
import { FileInput } from "../../bytes/file_input.ts";
import { showControls } from "../../../base/show_controls.ts";
import { createTempFolder, removeQuietly, removeTempFolder } from "../../../base/temp_paths.ts";
import { localPath } from "../../../base/url.ts";

/** Bytes of one read of a small batch; larger ones are read at once. */
const CHUNK_BYTES = 64 << 10;

/** Small chunks are copied together up to this size, so that a batch is few system calls. */
const GATHER_BYTES = 256 << 10;

/**
 * A folder with a random name that only its owner may enter. It is created with its first file;
 * `remove` ends it, with all files in it.
 */
export class TempFolder implements Disposable {
  readonly #parent: string | undefined;
  /** What an error says beside its cause, as a clause. */
  readonly #purpose: string;
  #path: string | undefined;
  #numFiles = 0;
  readonly #open = new Set<TempFile>();
  /** Bytes written to its files so far. */
  bytesWritten = 0;
  #scratch: Uint8Array | undefined;

  /**
   * Creates nothing yet. `parent` is the folder to create it in; default: that of the system for
   * temporary files, which is that of the environment variable `TMPDIR` where it is set. A URL of
   * `file:` is a folder here. `purpose` says in errors what could not be done: "cannot hold rows that
   * exceed memory".
   */
  constructor(parent: string | undefined, purpose: string) {
    this.#parent = parent === undefined ? undefined : localPath(parent);
    this.#purpose = purpose;
  }

  /** Returns a new file for batches of a schema without dictionaries. An error names the folder. */
  create(schema: Schema): TempFile {
    return this.attempt(() => {
      const path = `${this.#folder()}/${this.#numFiles++}.arrows`;
      const file = new TempFile(this, path, schema);
      this.#open.add(file);
      return file;
    });
  }

  /** Returns a path in the folder, for files of others. An error names the folder. */
  pathOf(name: string): string {
    return this.attempt(() => `${this.#folder()}/${name}`);
  }

  /** Whether a file is one of it. */
  has(file: string): boolean {
    return this.#path !== undefined && file.startsWith(`${this.#path}/`);
  }

  /** Removes the folder, whatever is open in it. Never fails; nothing may be created afterwards. */
  remove(): void {
    for (const file of this.#open) file.close();
    this.#open.clear();
    if (this.#path !== undefined) removeTempFolder(this.#path);
  }

  [Symbol.dispose](): void {
    this.remove();
  }

  #folder(): string {
    return this.#path ??= createTempFolder(this.#parent);
  }

  /**
   * Room for the chunks of one write.
   *
   * @internal
   */
  get scratch(): Uint8Array {
    return this.#scratch ??= new Uint8Array(GATHER_BYTES);
  }

  /**
   * Runs what touches its files; an error names the folder and the purpose.
   *
   * @internal
   */
  attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.errorOf(error);
    }
  }

  /**
   * Returns the error of a file in it, as one of the folder: which of its files it is tells nobody
   * anything. It is no FileError, as it is none of a file that a user has named.
   *
   * @internal
   */
  errorOf(cause: unknown): Error {
    const folder = this.#path ?? this.#parent ?? systemFolder;
    const fileError = toFileError(folder, cause);
    const problem = cause instanceof Deno.errors.NotFound
      ? "no such folder"
      : fileError.message.replace(`${showControls(folder)}: `, "");
    const message = `${folder}: ${this.#purpose}, ${problem}`;
    return new Error(showControls(message), { cause: fileError });
  }

  /**
   * Forgets a file that is closed for good.
   *
   * @internal
   */
  forget(file: TempFile): void {
    this.#open.delete(file);
  }
}

const systemFolder = "the folder for temporary files";

/** Batches in a file of a temporary folder: written one after the other, then read any number of times. */
export class TempFile {
  readonly #folder: TempFolder;
  readonly #path: string;
  readonly #encoder: ArrowEncoder;
  #file: Deno.FsFile | undefined;
  /** Rows written so far. */
  numRows = 0;

  /**
   * Creates the file, which only its owner may read.
   *
   * @internal
   */
  constructor(folder: TempFolder, path: string, schema: Schema) {
    this.#folder = folder;
    this.#path = path;
    this.#encoder = new ArrowEncoder(schema, { format: "stream" });
    this.#file = Deno.openSync(path, { write: true, createNew: true, mode: 0o600 });
    this.#write(this.#encoder.begin());
  }

  /** Appends a batch. Synchronous: the page cache of the system takes the bytes at once. */
  write(batch: RecordBatch): void {
    this.#folder.attempt(() => this.#write(this.#encoder.batch(batch)));
    this.numRows += batch.numRows;
  }

  /** Ends the writing. */
  finish(): void {
    if (this.#file === undefined) return;
    this.#folder.attempt(() => this.#write(this.#encoder.end()));
    this.close();
  }

  /** Yields the batches, in order; of the named columns only, where some are named. */
  async *batches(columns?: readonly string[]): AsyncGenerator<RecordBatch, void, void> {
    let input: FileInput | undefined;
    try {
      input = await FileInput.open(this.#path, { chunkBytes: CHUNK_BYTES });
      yield* readArrowBatches(input, columns === undefined ? {} : { columns });
    } catch (error) {
      throw this.#folder.errorOf(error);
    } finally {
      input?.close();
    }
  }

  /** Removes the file, so that the disk has its room again. */
  remove(): void {
    this.close();
    removeQuietly(this.#path);
  }

  /**
   * Closes what is open for writing.
   *
   * @internal
   */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#folder.forget(this);
  }

  #write(chunks: readonly Uint8Array[]): void {
    const { scratch } = this.#folder;
    let size = 0;
    for (const chunk of chunks) {
      if (size + chunk.length > scratch.length) {
        this.#writeAll(scratch.subarray(0, size));
        size = 0;
      }
      if (chunk.length > scratch.length) this.#writeAll(chunk);
      else {
        scratch.set(chunk, size);
        size += chunk.length;
      }
    }
    this.#writeAll(scratch.subarray(0, size));
  }

  #writeAll(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length;) {
      written += this.#file!.writeSync(bytes.subarray(written));
    }
    this.#folder.bytesWritten += bytes.length;
  }
}
