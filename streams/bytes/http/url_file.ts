/**
 * One version of a file on a server that serves ranges, and the bytes that are kept of it.
 *
 * @module
 */

import { formatCount } from "../../../base/quantities.ts";
import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { ByteRange, PlacedBytes } from "../byte_store.ts";
import { BlockCache } from "./block_cache.ts";
import type { Exchange } from "./exchange.ts";
import type { RemoteFile } from "./remote_file.ts";
import { type FileVersion, requestRange, versionOf, wasReplaced } from "./request_range.ts";
import { RequestError } from "../../../base/errors/request_error.ts";
import { readWholeBody } from "./whole_body.ts";

/** Answers up to this size are kept in blocks: metadata, which is read again. Bodies pass through. */
const mostKeptBytes = 1 << 20;

/** A file that was requested once, and its kept bytes. Many stores may read it at the same time. */
export class UrlFile {
  readonly #remote: RemoteFile;
  readonly version: FileVersion;
  /** The bytes of the first answer, the end of the file or its beginning; or of a later one, all. */
  #edge: PlacedBytes;
  readonly #cache = new BlockCache();
  /** The body of an answer that has all bytes, while it is read. */
  #whole: Promise<Uint8Array<ArrayBuffer>> | undefined;

  constructor(remote: RemoteFile, version: FileVersion, edge: PlacedBytes) {
    this.#remote = remote;
    this.version = version;
    this.#edge = edge;
  }

  /** Size in bytes. */
  get size(): number {
    return this.version.size;
  }

  /** The number of requests so far, failed ones included. */
  get numRequests(): number {
    return this.#remote.numRequests;
  }

  /** Returns kept bytes from `position` on, which must not be changed. */
  kept(position: number): Uint8Array<ArrayBuffer> | undefined {
    const { start, bytes } = this.#edge;
    const isInEdge = start <= position && position < start + bytes.length;
    return isInEdge ? bytes.subarray(position - start) : this.#cache.from(position);
  }

  /** Returns the start of the next kept bytes, at or after `position`; at the latest `stop`. */
  keptFrom(position: number, stop: number): number {
    const { start } = this.#edge;
    return start < position ? stop : Math.min(start, stop);
  }

  /** Requests the bytes of a range within the file; the server may send all bytes of the file. */
  async request(range: ByteRange, signal?: AbortSignal): Promise<PlacedBytes> {
    const source = {
      remote: this.#remote,
      version: this.version,
      readWhole: (exchange: Exchange) => this.#readWhole(exchange, signal),
    };
    const found = await requestRange(source, range, signal);
    const { start, bytes } = found;
    if (bytes.length > range.stop - range.start) {
      this.#edge = found;
      return { start: range.start, bytes: bytes.subarray(range.start, range.stop) };
    }
    if (bytes.length <= mostKeptBytes) this.#cache.keep(start, bytes, this.size);
    return found;
  }

  /** Reads all bytes from an answer, once for all requests that have such an answer. */
  async #readWhole(
    exchange: Exchange,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const reading = this.#whole;
    if (reading === undefined) {
      const own = this.#whole = this.#readBody(exchange);
      return await own.finally(() => this.#whole = undefined);
    }
    await exchange.cancel();
    try {
      return await reading;
    } catch (error) {
      signal?.throwIfAborted();
      if (isSluiceError(error, "FileError") || isSluiceError(error, "RequestError")) throw error;
      // The request that read the body was aborted, and this one was not.
      throw new RequestError({ kind: "short", numBytes: 0, wantedBytes: this.size });
    }
  }

  async #readBody(exchange: Exchange): Promise<Uint8Array<ArrayBuffer>> {
    const { size } = versionOf(exchange.response);
    const bytes = await readWholeBody(this.#remote, exchange, size);
    if (bytes === undefined) {
      const all = `all ${formatCount(this.size)} bytes where a range is asked for`;
      throw this.#remote.error(`the server sends ${all}; download it first`);
    }
    if (bytes.length === this.size) return bytes;
    throw this.#remote.error(wasReplaced);
  }
}
