/**
 * The inputs of a source over a path: a file, which is opened for each use, or a pipe, which is
 * read once.
 *
 * @module
 */

import { FileError } from "../../base/errors/file_error.ts";
import { FileInput } from "../bytes/file_input.ts";
import { isStdin, nameOfInput } from "../bytes/standard_streams.ts";
import type { SeekingDecoder } from "./file_decoder.ts";
import type { SourceInputs } from "./source_inputs.ts";

/** The inputs of a source over a path; `-` is stdin. */
export class PathInputs implements SourceInputs {
  readonly numRequests: undefined;
  readonly isRemote = false;
  bytesRead = 0;
  readonly #path: string;
  /** The bytes of `bytesRead` that are metadata and will be read again with the rows. */
  #metadataBytes = 0;
  /** The open pipe, from which both the schema and the rows are read. */
  #pipe: FileInput | undefined;
  #isPipeTaken = false;

  constructor(path: string) {
    this.#path = path;
  }

  get numBytes(): number | undefined {
    if (isStdin(this.#path)) return undefined;
    try {
      const { isFile, size } = Deno.statSync(this.#path);
      return isFile ? size : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the path is a file. Never touches a pipe, which may be in use. */
  hasSize(): Promise<boolean> {
    return Promise.resolve(this.numBytes !== undefined);
  }

  async forMetadata<T>(
    chunkBytes: number,
    use: (input: FileInput) => Promise<T>,
    seeking: SeekingDecoder | undefined,
  ): Promise<T> {
    let numBytes = 0;
    const input = await this.#open(chunkBytes, (count) => numBytes += count);
    try {
      return await use(input);
    } finally {
      if (input === this.#pipe) await input.rewind();
      else {
        input.close();
        this.#countOnce(numBytes, seeking);
      }
    }
  }

  async forRows(chunkBytes: number | undefined): Promise<FileInput> {
    const input = await this.#open(chunkBytes);
    if (input === this.#pipe) {
      if (this.#isPipeTaken) throw new FileError(nameOfInput(this.#path), "can be read only once");
      this.#isPipeTaken = true;
    }
    this.bytesRead -= this.#metadataBytes;
    this.#metadataBytes = 0;
    return input;
  }

  forget(pipe: FileInput): void {
    pipe.forget();
  }

  async #open(
    chunkBytes: number | undefined,
    onRead?: (numBytes: number) => void,
  ): Promise<FileInput> {
    if (this.#pipe !== undefined) return this.#pipe;
    const count = (numBytes: number) => {
      this.bytesRead += numBytes;
      onRead?.(numBytes);
    };
    const options = { onRead: count, ...(chunkBytes === undefined ? {} : { chunkBytes }) };
    const input = await FileInput.open(this.#path, options);
    if (input.numBytes === undefined) this.#pipe = input;
    return input;
  }

  /**
   * Subtracts bytes that would be counted twice. A format without metadata reads its schema from
   * the first rows, which are read again with the others.
   */
  #countOnce(numBytes: number, seeking: SeekingDecoder | undefined): void {
    if (seeking === undefined) this.bytesRead -= numBytes;
    if (seeking?.rereads !== true) return;
    this.bytesRead -= Math.min(numBytes, this.#metadataBytes);
    this.#metadataBytes = Math.max(numBytes, this.#metadataBytes);
  }
}
