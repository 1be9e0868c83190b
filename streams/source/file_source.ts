/**
 * The source over a file, which all formats share: it opens and closes the file, notices that it
 * has changed, and adds its name to errors.
 *
 * @module
 */

import type { OptionText } from "../../base/errors/option_text.ts";
import type { Schema } from "apache-arrow";
import { FileError } from "../../base/errors/file_error.ts";
import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import { toFileError } from "../../base/errors/wrap_error.ts";
import { isUrl, nameOfPath } from "../../base/url.ts";
import type { FileIdentity, FileInput } from "../bytes/file_input.ts";
import { kindBytes, otherEnding, otherKind } from "../bytes/file_kind.ts";
import type { HttpOptions } from "../bytes/http/http_options.ts";
import { nameOfInput } from "../bytes/standard_streams.ts";
import {
  checkAllRows,
  type OpenOptions,
  type Source,
  type SourceRows,
  type UntypedColumns,
} from "../plan/source.ts";
import { allRows, isAllRows, type RowRequest } from "../rows/row_request.ts";
import type { FileDecoder, FileDecoding } from "./file_decoder.ts";
import { PathInputs } from "./path_inputs.ts";
import type { SourceInputs } from "./source_inputs.ts";
import { UrlInputs } from "./url_inputs.ts";

/** The bytes of one read where only metadata is wanted, and where rows are skipped. */
const metadataChunkBytes = 8 << 10;
const seekingChunkBytes = 64 << 10;

/**
 * Returns a source over a file, over stdin for `-`, or over the URL of a file on a server. A pipe
 * can be read only once.
 */
export function fileSource(path: string, decoding: FileDecoding, http?: HttpOptions): Source {
  const inputs = isUrl(path)
    ? new UrlInputs(path, decoding.firstRange, http)
    : new PathInputs(path);
  return new FileSource(nameOfInput(path), inputs, decoding);
}

class FileSource implements Source {
  readonly name: string;
  /** The name of the file in errors. */
  readonly #file: string;
  readonly #inputs: SourceInputs;
  readonly #kind: string;
  readonly #openDecoder: FileDecoding["openDecoder"];
  #opening: Promise<FileDecoder> | undefined;
  /** The decoder, once it is open. */
  #decoder: FileDecoder | undefined;
  /** The identity of the file when it was first opened. The schema is valid for no other file. */
  #identity: FileIdentity | undefined;
  #schema: Promise<Schema> | undefined;
  #numRows: Promise<number | undefined> | undefined;
  #canSeek: Promise<boolean> | undefined;

  constructor(file: string, inputs: SourceInputs, { kind, openDecoder }: FileDecoding) {
    this.#file = file;
    this.name = nameOfPath(file);
    this.#inputs = inputs;
    this.#kind = kind;
    this.#openDecoder = openDecoder;
  }

  get bytesRead(): number {
    return this.#inputs.bytesRead;
  }

  get numBytes(): number | undefined {
    return this.#inputs.numBytes;
  }

  get numRequests(): number | undefined {
    return this.#inputs.numRequests;
  }

  get untyped(): UntypedColumns | undefined {
    return this.#decoder?.untyped;
  }

  schema(): Promise<Schema> {
    return this.#schema ??= this.#read((decoder, input) => decoder.schema(input), {
      mayGrow: true,
    });
  }

  canSeek(): Promise<boolean> {
    return this.#canSeek ??= this.#askSeek();
  }

  numRows(options?: OpenOptions): Promise<number | undefined> {
    return this.#numRows ??= this.#countRows(options);
  }

  async describeRows(request: RowRequest): Promise<string | undefined> {
    const { seeking } = await this.#open();
    if (seeking?.describe === undefined || !await this.canSeek()) return undefined;
    return await this.#read((_, input) => seeking.describe!(input, request), { mayGrow: true });
  }

  async *rows(
    request: RowRequest = allRows,
    options: OpenOptions = {},
  ): AsyncGenerator<SourceRows, void, void> {
    const { signal } = options;
    if (signal?.aborted) return;
    const decoder = await this.#open();
    if (decoder.seeking === undefined) checkAllRows(this.name, request);
    const isPart = !isAllRows(request);
    let input: FileInput | undefined;
    const close = () => input?.close();
    try {
      input = this.#identified(
        await this.#inputs.forRows(isPart ? seekingChunkBytes : undefined, signal),
      );
      signal?.throwIfAborted();
      signal?.addEventListener("abort", close, { once: true });
      // A request for a part was resolved for a file of the first size.
      await this.#checkSize(input, { mayGrow: !isPart });
      if (input.numBytes === undefined) {
        // The schema must be read while the pipe can still be rewound.
        await this.schema();
        this.#inputs.forget(input);
      }
      for await (const rows of await decoder.rows(input, request, options)) {
        yield rows;
        if (signal?.aborted) return;
      }
      await this.#checkSize(input, { mayGrow: isPart });
    } catch (cause) {
      if (signal?.aborted) return;
      if (input !== undefined) await this.#checkSize(input, { cause });
      // A missing row is not an error of the file.
      throw isSluiceError(cause, "MissingRowError") ? cause : toFileError(this.#file, cause);
    } finally {
      signal?.removeEventListener("abort", close);
      close();
    }
  }

  /** Opens the decoder at the first call. */
  async #open(): Promise<FileDecoder> {
    this.#opening ??= Promise.resolve(this.#openDecoder());
    return this.#decoder ??= await this.#opening;
  }

  async #countRows(options?: OpenOptions): Promise<number | undefined> {
    const { numRows } = await this.#open();
    if (numRows === undefined || !await this.#hasSize()) return undefined;
    return await this.#read((decoder, input) => decoder.numRows!(input, options));
  }

  async #askSeek(): Promise<boolean> {
    const { seeking } = await this.#open();
    if (seeking === undefined || !await this.#hasSize()) return false;
    if (seeking.canSeek === undefined || !this.#inputs.isRemote) return true;
    return await this.#read((_, input) => seeking.canSeek!(input), { mayGrow: true });
  }

  #hasSize(): Promise<boolean> {
    return this.#inputs.hasSize(() => this.schema());
  }

  /** Lends the input at its first byte to read metadata. */
  async #read<T>(
    use: (decoder: FileDecoder, input: FileInput) => Promise<T>,
    { mayGrow = false }: { readonly mayGrow?: boolean } = {},
  ): Promise<T> {
    try {
      const decoder = await this.#open();
      return await this.#inputs.forMetadata(metadataChunkBytes, async (input) => {
        this.#identified(input);
        try {
          await this.#checkKind(input);
          const result = await use(decoder, input);
          await this.#checkSize(input, { mayGrow });
          return result;
        } catch (cause) {
          await this.#checkSize(input, { cause });
          throw cause;
        }
      }, decoder.seeking);
    } catch (error) {
      throw toFileError(this.#file, error);
    }
  }

  /**
   * Throws if the file is of another kind. Of a URL, checks only bytes that the first answer has.
   */
  async #checkKind(input: FileInput): Promise<void> {
    const { numBytes } = input;
    let problem: OptionText | undefined;
    if (input.holds(0, kindBytes)) problem = otherKind(await input.peek(kindBytes), this.#kind);
    else if (numBytes !== undefined) {
      await input.seek(numBytes - kindBytes);
      problem = otherEnding(await input.read(kindBytes), this.#kind);
      await input.rewind();
    }
    if (problem !== undefined) throw FileError.naming(this.#file, problem);
  }

  /**
   * Throws if the size of the file has changed, since only a part may have been read. With
   * `mayGrow`, ignores appended bytes.
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
    // The file was truncated and has grown again.
    if (input.shortEnd !== undefined) {
      throw new FileError(this.#file, `${before} and ended after ${input.shortEnd}`, { cause });
    }
  }

  /**
   * Closes the input and throws if the path now names another file, which may have another schema.
   */
  #identified(input: FileInput): FileInput {
    const now = input.identity;
    const before = this.#identity ??= now;
    if (before?.inode === now?.inode && before?.device === now?.device) return input;
    input.close();
    throw new FileError(this.#file, "was replaced by another file while it was read");
  }
}
