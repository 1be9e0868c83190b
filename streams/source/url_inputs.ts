/**
 * The inputs of a source over a URL: all of one version of the file, which is opened once.
 *
 * @module
 */

import { FileInput } from "../bytes/file_input.ts";
import { BodyStore } from "../bytes/http/body_store.ts";
import { type HttpOptions, httpSettings } from "../bytes/http/http_options.ts";
import { type FirstRange, openUrl } from "../bytes/http/open_url.ts";
import { RemoteFile } from "../bytes/http/remote_file.ts";
import { type FileVersion, isOther, wasReplaced } from "../bytes/http/request_range.ts";
import type { UrlFile } from "../bytes/http/url_file.ts";
import { UrlStore } from "../bytes/http/url_store.ts";
import type { SourceInputs } from "./source_inputs.ts";

/**
 * The inputs of a source over a URL: ranges, or the whole body if the server does not serve ranges.
 */
export class UrlInputs implements SourceInputs {
  readonly isRemote = true;
  bytesRead = 0;
  readonly #remote: RemoteFile;
  readonly #first: FirstRange;
  /** The opened file; a body is not kept here. */
  #opened: Promise<UrlFile | BodyStore> | undefined;
  #version: FileVersion | undefined;
  /** The body from a server without ranges, from which both the schema and the rows are read. */
  #body: FileInput | undefined;
  #servesRanges = false;

  /** Throws a FileError if the path is not a URL. */
  constructor(path: string, first: FirstRange, http: HttpOptions | undefined) {
    const count = (numBytes: number) => void (this.bytesRead += numBytes);
    this.#remote = new RemoteFile(path, httpSettings(http), count);
    this.#first = first;
  }

  /** The size in bytes, once the server has reported it. */
  get numBytes(): number | undefined {
    const size = this.#version?.size;
    return size === undefined || Number.isNaN(size) ? undefined : size;
  }

  get numRequests(): number {
    return this.#remote.numRequests;
  }

  /** Whether the server serves ranges, which its first answer tells. */
  async hasSize(connect: () => Promise<unknown>): Promise<boolean> {
    await connect();
    return this.#servesRanges;
  }

  async forMetadata<T>(
    chunkBytes: number,
    use: (input: FileInput) => Promise<T>,
  ): Promise<T> {
    const input = await this.#input(chunkBytes);
    try {
      return await use(input);
    } finally {
      if (input === this.#body) await input.rewind();
      else input.close();
    }
  }

  forRows(chunkBytes: number | undefined, signal: AbortSignal | undefined): Promise<FileInput> {
    return this.#input(chunkBytes, signal);
  }

  /** Drops the body too: the server sends it again to the next reader. */
  forget(body: FileInput): void {
    body.forget();
    this.#body = undefined;
  }

  /**
   * Returns an input over ranges of the file, or over its body if there are no ranges. Throws a
   * FileError if the file is another version than the first.
   */
  async #input(chunkBytes?: number, signal?: AbortSignal): Promise<FileInput> {
    if (this.#body !== undefined) return this.#body;
    const found = await (this.#opened ??= this.#open(signal));
    if (!(found instanceof BodyStore)) return FileInput.over(new UrlStore(found), chunkBytes);
    this.#opened = undefined;
    return this.#body = FileInput.over(found, chunkBytes);
  }

  async #open(signal: AbortSignal | undefined): Promise<UrlFile | BodyStore> {
    try {
      const found = await openUrl(this.#remote, this.#first, signal);
      this.#servesRanges = !(found instanceof BodyStore);
      const before = this.#version ??= found.version;
      if (!isOther(before, found.version)) return found;
      if (found instanceof BodyStore) found.close();
      throw this.#remote.error(wasReplaced);
    } catch (error) {
      // Let the next reader try again.
      this.#opened = undefined;
      throw error;
    }
  }
}
