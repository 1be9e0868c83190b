/**
 * The inputs that a source over a URL opens: all of one version of the file, which is opened once.
 *
 * @module
 */

import type { OnRead } from "../byte_store.ts";
import { FileInput } from "../file_input.ts";
import type { ReadKind } from "../file_kind.ts";
import { BodyStore } from "./body_store.ts";
import { type HttpOptions, httpSettings } from "./http_options.ts";
import { type FirstRange, openUrl } from "./open_url.ts";
import { RemoteFile } from "./remote_file.ts";
import { type FileVersion, isOther, wasReplaced } from "./request_range.ts";
import type { UrlFile } from "./url_file.ts";
import { UrlStore } from "./url_store.ts";

/**
 * What is asked for first. A footer of Arrow has 24 bytes for a batch: 512 KiB are enough for 20,000
 * of them.
 */
const firstRanges: Readonly<Record<ReadKind, FirstRange>> = {
  "Arrow data": { from: "end", numBytes: 512 << 10 },
  "Parquet": { from: "end", numBytes: 64 << 10, needsRanges: "Parquet" },
  "CSV": { from: "start", numBytes: 64 << 10 },
  "NDJSON": { from: "start", numBytes: 64 << 10 },
};

/** Opens the inputs of one source. */
export class UrlInputs {
  readonly #remote: RemoteFile;
  readonly #first: FirstRange;
  /** What was opened: kept, unless it is a body. */
  #opened: Promise<UrlFile | BodyStore> | undefined;
  #version: FileVersion | undefined;
  #servesRanges = false;

  /** Throws a FileError for what is no URL. */
  constructor(path: string, kind: ReadKind, http: HttpOptions | undefined, onRead: OnRead) {
    this.#remote = new RemoteFile(path, httpSettings(http), onRead);
    this.#first = firstRanges[kind];
  }

  /** Size in bytes, once the server has told it. */
  get numBytes(): number | undefined {
    const size = this.#version?.size;
    return size === undefined || Number.isNaN(size) ? undefined : size;
  }

  /** Whether it is read by ranges; known once it was opened. */
  get servesRanges(): boolean {
    return this.#servesRanges;
  }

  /** Requests so far. */
  get numRequests(): number {
    return this.#remote.numRequests;
  }

  /**
   * An input over ranges of the file; or over its body, if there are no ranges: then a new one each
   * time. Throws a FileError if it is another version than the first.
   */
  async open(chunkBytes?: number, signal?: AbortSignal): Promise<FileInput> {
    const found = await (this.#opened ??= this.#open(signal));
    if (!(found instanceof BodyStore)) return FileInput.over(new UrlStore(found), chunkBytes);
    this.#opened = undefined;
    return FileInput.over(found, chunkBytes);
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
      // The next reader may have more luck.
      this.#opened = undefined;
      throw error;
    }
  }
}
