/**
 * A temporary folder for rows that exceed memory: Arrow files that this process writes, reads back
 * and removes, or files that a caller writes.
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

/** Bytes to read at a time where batches are small. */
const CHUNK_BYTES = 64 << 10;

/** Small chunks are gathered up to this size, so that a batch takes few system calls. */
const GATHER_BYTES = 256 << 10;

/**
 * A folder with a random name that only its owner may enter. It is created with its first file;
 * `remove` removes it with all its files.
 */
export class TempFolder implements Disposable {
  readonly #parent: string | undefined;
  /** The clause that errors put before their cause. */
  readonly #purpose: string;
  #path: string | undefined;
  #numFiles = 0;
  readonly #open = new Set<TempFile>();
  /** Bytes written to its files so far. */
  bytesWritten = 0;
  #scratch: Uint8Array | undefined;

  /**
   * Creates nothing on disk yet. `parent` is a path or a `file:` URL; default: the folder of the
   * system for temporary files, which `TMPDIR` may set. `purpose` is a clause for errors, such as
   * "cannot hold rows that exceed memory".
   */
  constructor(parent: string | undefined, purpose: string) {
    this.#parent = parent === undefined ? undefined : localPath(parent);
    this.#purpose = purpose;
  }

  /** Creates a file for batches of a schema without dictionaries. An error names the folder. */
  create(schema: Schema): TempFile {
    return this.attempt(() => {
      const path = `${this.#folder()}/${this.#numFiles++}.arrows`;
      const file = new TempFile(this, path, schema);
      this.#open.add(file);
      return file;
    });
  }

  /** Returns the path of a file in the folder that the caller writes. An error names the folder. */
  pathOf(name: string): string {
    return this.attempt(() => `${this.#folder()}/${name}`);
  }

  /** Whether a path lies in the folder. */
  has(file: string): boolean {
    return this.#path !== undefined && file.startsWith(`${this.#path}/`);
  }

  /** Closes all files and removes the folder. Never throws. Nothing may be created afterwards. */
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
   * The buffer in which the chunks of one write are gathered.
   *
   * @internal
   */
  get scratch(): Uint8Array {
    return this.#scratch ??= new Uint8Array(GATHER_BYTES);
  }

  /**
   * Runs `work`, which touches files of the folder; errors name the folder and the purpose.
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
   * Returns the error of a file as an error of the folder, since the names of temporary files mean
   * nothing to a user. For the same reason it is not a FileError.
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
   * Stops tracking a file that is closed for good.
   *
   * @internal
   */
  forget(file: TempFile): void {
    this.#open.delete(file);
  }
}

const systemFolder = "the folder for temporary files";

/** A file of batches in a temporary folder: written once, then read any number of times. */
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

  /** Appends a batch synchronously: the page cache of the system takes the bytes. */
  write(batch: RecordBatch): void {
    this.#folder.attempt(() => this.#write(this.#encoder.batch(batch)));
    this.numRows += batch.numRows;
  }

  /** Writes the end of the stream and closes the file for writing. */
  finish(): void {
    if (this.#file === undefined) return;
    this.#folder.attempt(() => this.#write(this.#encoder.end()));
    this.close();
  }

  /** Yields the batches in order, with all columns or only `columns`. */
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

  /** Removes the file to free its disk space. */
  remove(): void {
    this.close();
    removeQuietly(this.#path);
  }

  /**
   * Closes the file for writing, if it is open.
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
