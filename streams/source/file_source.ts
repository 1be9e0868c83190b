/**
 * The source over a file that all formats share: opening, counting, closing, and errors that name the
 * file.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { Schema } from "apache-arrow";
import { FileError } from "../../base/errors/file_error.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { type FileIdentity, FileInput } from "../bytes/file_input.ts";
import { kindBytes, otherEnding, otherKind, type ReadKind } from "../bytes/file_kind.ts";
import type { HttpOptions } from "../bytes/http/http_options.ts";
import { UrlInputs } from "../bytes/http/url_inputs.ts";
import { allRows, isAllRows, type RowRequest } from "../rows/row_request.ts";
import {
  checkAllRows,
  type OpenOptions,
  type Source,
  type SourceRows,
  type UntypedColumns,
} from "../plan/source.ts";
import { isStdin } from "../bytes/standard_streams.ts";
import { isUrl, nameOfPath } from "../../base/url.ts";

/** The decoder of a format. Each function gets the file at its first byte. */
interface FileFormat {
  /** The kind of file it reads; other kinds are rejected. */
  readonly kind: ReadKind;
  schema(input: FileInput): Promise<Schema>;
  /** The columns of which no value shows the type. */
  readonly untyped?: UntypedColumns;
  /** The number of rows, if known without reading all; called for regular files only. */
  numRows?(input: FileInput, options?: OpenOptions): Promise<number | undefined>;
  /** Reads the rows of a request: of all rows alone if the format cannot seek. */
  rows(
    input: FileInput,
    request: RowRequest,
    options: OpenOptions,
  ): AsyncIterable<SourceRows> | Promise<AsyncIterable<SourceRows>>;
  /** What a format does that has metadata, by which it reads rows from the middle; absent: it has none. */
  readonly seeking?: SeekingFormat;
}

/** What a format does that can read rows from the middle of a file. */
interface SeekingFormat {
  /** Whether a file on a server can be read from the middle, if ranges of it can. Default: it can. */
  canSeek?(input: FileInput): Promise<boolean>;
  /** What of the file a request reads. */
  describe?(input: FileInput, request: RowRequest): Promise<string | undefined>;
  /** Whether all metadata is read once more with the rows, to see whether the file has changed. */
  readonly rereads?: boolean;
}

/** Bytes per read if only metadata is wanted, and if rows are skipped. */
const metadataChunkBytes = 8 << 10;
const seekingChunkBytes = 64 << 10;

/**
 * A source over a file, over stdin for `-`, or over the URL of a file on a server. Pipes can be read
 * once.
 */
export function fileSource(path: string, format: FileFormat, http?: HttpOptions): Source {
  return new FileSource(path, format, http);
}

class FileSource implements Source {
  readonly name: string;
  bytesRead = 0;
  /** Bytes of `bytesRead` that are metadata which is read again with the rows. */
  #metadataBytes = 0;
  readonly #path: string;
  /** What errors call the file. */
  readonly #file: string;
  readonly #format: FileFormat;
  /** What is read of a URL. */
  readonly #url: UrlInputs | undefined;
  /** An open pipe, kept because both the schema and the rows are read from it. */
  #pipe: FileInput | undefined;
  #pipeTaken = false;
  /** The file that was opened first; its schema is valid for no other. */
  #identity: FileIdentity | undefined;
  #schema: Promise<Schema> | undefined;
  #numRows: Promise<number | undefined> | undefined;
  #canSeek: Promise<boolean> | undefined;

  constructor(path: string, format: FileFormat, http: HttpOptions | undefined) {
    this.#path = path;
    this.#format = format;
    this.#file = FileInput.nameOf(path);
    this.name = nameOfPath(this.#file);
    const count = (numBytes: number) => void (this.bytesRead += numBytes);
    if (isUrl(path)) this.#url = new UrlInputs(path, format.kind, http, count);
  }

  get numBytes(): number | undefined {
    if (this.#url !== undefined) return this.#url.numBytes;
    if (isStdin(this.#path)) return undefined;
    try {
      const { isFile, size } = Deno.statSync(this.#path);
      return isFile ? size : undefined;
    } catch {
      return undefined;
    }
  }

  get untyped(): UntypedColumns | undefined {
    return this.#format.untyped;
  }

  get numRequests(): number | undefined {
    return this.#url?.numRequests;
  }

  schema(): Promise<Schema> {
    return this.#schema ??= this.#read(this.#format.schema, { mayGrow: true });
  }

  canSeek(): Promise<boolean> {
    return this.#canSeek ??= this.#askSeek();
  }

  numRows(options?: OpenOptions): Promise<number | undefined> {
    return this.#numRows ??= this.#countRows(options);
  }

  async describeRows(request: RowRequest): Promise<string | undefined> {
    const { seeking } = this.#format;
    if (seeking?.describe === undefined || !await this.canSeek()) return undefined;
    return await this.#read((input) => seeking.describe!(input, request), { mayGrow: true });
  }

  async *rows(
    request: RowRequest = allRows,
    options: OpenOptions = {},
  ): AsyncGenerator<SourceRows, void, void> {
    const { seeking } = this.#format;
    if (seeking === undefined) checkAllRows(this.name, request);
    const { signal } = options;
    const isPart = !isAllRows(request);
    let input: FileInput | undefined;
    const close = () => input?.close();
    try {
      signal?.throwIfAborted();
      const opened = await this.#open(isPart ? seekingChunkBytes : undefined, signal);
      const isPipe = opened === this.#pipe;
      if (isPipe) this.#claimPipe();
      input = opened;
      signal?.throwIfAborted();
      signal?.addEventListener("abort", close, { once: true });
      this.bytesRead -= this.#metadataBytes;
      this.#metadataBytes = 0;
      // A part was computed for a file of the first size.
      await this.#checkSize(input, { mayGrow: !isPart });
      if (isPipe) {
        // The schema must be read while the pipe can still be rewound.
        await this.schema();
        input.forget();
        // A server gives its body again.
        if (this.#url !== undefined) this.#pipe = undefined;
      }
      for await (const rows of await this.#format.rows(input, request, options)) {
        yield rows;
        if (signal?.aborted) return;
      }
      await this.#checkSize(input, { mayGrow: isPart });
    } catch (cause) {
      if (signal?.aborted) return;
      if (input !== undefined) await this.#checkSize(input, { cause });
      // A row that is not there is no fault of the file.
      throw isSluiceError(cause, "MissingRowError") ? cause : toFileError(this.#file, cause);
    } finally {
      signal?.removeEventListener("abort", close);
      close();
    }
  }

  async #countRows(options?: OpenOptions): Promise<number | undefined> {
    const { numRows } = this.#format;
    if (numRows === undefined || !await this.#hasSize()) return undefined;
    return await this.#read((input) => numRows(input, options));
  }

  async #askSeek(): Promise<boolean> {
    const { seeking } = this.#format;
    if (seeking === undefined || !await this.#hasSize()) return false;
    const { canSeek } = seeking;
    if (canSeek === undefined || this.#url === undefined) return true;
    return await this.#read((input) => canSeek(input), { mayGrow: true });
  }

  /** Whether it is a file, and no pipe, which is not touched: it may be being read. */
  async #hasSize(): Promise<boolean> {
    if (this.#url === undefined) return this.numBytes !== undefined;
    // A server tells with its first answer whether it serves ranges.
    await this.schema();
    return this.#url.servesRanges;
  }

  /** Reads from the start of the file; a pipe is rewound afterwards. */
  async #read<T>(
    use: (input: FileInput) => Promise<T>,
    { mayGrow = false }: { readonly mayGrow?: boolean } = {},
  ): Promise<T> {
    try {
      const before = this.bytesRead;
      let numBytes = 0;
      const input = await this.#open(metadataChunkBytes, undefined, (count) => numBytes += count);
      try {
        await this.#checkKind(input);
        const result = await use(input);
        await this.#checkSize(input, { mayGrow });
        return result;
      } catch (cause) {
        await this.#checkSize(input, { cause });
        throw cause;
      } finally {
        if (input === this.#pipe) await input.rewind();
        else {
          input.close();
          if (this.#url === undefined) this.#countOnce(numBytes);
          else if (this.#format.seeking === undefined) this.bytesRead = before;
        }
      }
    } catch (error) {
      throw toFileError(this.#file, error);
    }
  }

  /**
   * Takes back what was counted twice. What has no metadata shows its schema by its first rows, which are
   * read again with the others.
   */
  #countOnce(numBytes: number): void {
    const { seeking } = this.#format;
    if (seeking === undefined) this.bytesRead -= numBytes;
    if (seeking?.rereads !== true) return;
    this.bytesRead -= Math.min(numBytes, this.#metadataBytes);
    this.#metadataBytes = Math.max(numBytes, this.#metadataBytes);
  }

  /** Throws if it is a file of another kind; of a URL, as far as the first answer tells. */
  async #checkKind(input: FileInput): Promise<void> {
    const { kind } = this.#format;
    const { numBytes } = input;
    let problem: string | undefined;
    if (input.holds(0, kindBytes)) problem = otherKind(await input.peek(kindBytes), kind);
    else if (numBytes !== undefined) {
      await input.seek(numBytes - kindBytes);
      problem = otherEnding(await input.read(kindBytes), kind);
      await input.rewind();
    }
    if (problem !== undefined) throw new FileError(this.#file, problem);
  }

  async #open(
    chunkBytes?: number,
    signal?: AbortSignal,
    onRead?: (numBytes: number) => void,
  ): Promise<FileInput> {
    if (this.#pipe !== undefined) return this.#pipe;
    const input = await this.#newInput(chunkBytes, signal, onRead);
    if (input.numBytes === undefined) this.#pipe = input;
    try {
      this.#checkIdentity(input.identity);
    } catch (error) {
      input.close();
      throw error;
    }
    return input;
  }

  /** Of a file, `onRead` is told what is counted. */
  #newInput(
    chunkBytes?: number,
    signal?: AbortSignal,
    onRead?: (numBytes: number) => void,
  ): Promise<FileInput> {
    if (this.#url !== undefined) return this.#url.open(chunkBytes, signal);
    const count = (numBytes: number) => {
      this.bytesRead += numBytes;
      onRead?.(numBytes);
    };
    const options = { onRead: count, ...(chunkBytes === undefined ? {} : { chunkBytes }) };
    return FileInput.open(this.#path, options);
  }

  /**
   * Throws if the size of the file has changed, since only a part may have been read. With `mayGrow`,
   * appended bytes are ignored.
   */
  async #checkSize(
    input: FileInput,
    { mayGrow = false, cause }: { readonly mayGrow?: boolean; readonly cause?: unknown } = {},
  ): Promise<void> {
    const size = await input.currentSize();
    const first = this.#identity?.size;
    if (size === undefined || first === undefined) return;
    const before = `had ${first} bytes when it was opened`;
    if (size < first || (size > first && !mayGrow)) {
      throw new FileError(this.#file, `${before} and has ${size} now`, { cause });
    }
    // It was truncated, and has grown again.
    if (input.shortEnd !== undefined) {
      throw new FileError(this.#file, `${before} and ended after ${input.shortEnd}`, { cause });
    }
  }

  /** Throws if the path now names another file, which may have another schema. */
  #checkIdentity(now: FileIdentity | undefined): void {
    const before = this.#identity ??= now;
    if (before?.inode === now?.inode && before?.device === now?.device) return;
    throw new FileError(this.#file, "was replaced by another file while it was read");
  }

  #claimPipe(): void {
    if (this.#pipeTaken && this.#url === undefined) {
      throw new FileError(this.#file, "can be read only once");
    }
    this.#pipeTaken = true;
  }
}
