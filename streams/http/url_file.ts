/**
 * One version of a file on a server that serves ranges, and what is kept of it.
 *
 * @module
 */

import type { ByteRange, PlacedBytes } from "../bytes/byte_store.ts";
import { BlockCache } from "./block_cache.ts";
import type { RemoteFile } from "./remote_file.ts";
import { type FileVersion, requestRange } from "./request_range.ts";

/** Answers up to this size are kept in blocks: metadata, which is read again. Bodies pass through. */
const mostKeptBytes = 1 << 20;

/** A file that was asked for once, and its bytes that were kept. Many stores may read it at once. */
export class UrlFile {
  readonly #remote: RemoteFile;
  readonly version: FileVersion;
  /** What the first answer had: the end of the file, or its beginning. */
  readonly #edge: PlacedBytes;
  readonly #cache = new BlockCache();

  constructor(remote: RemoteFile, version: FileVersion, edge: PlacedBytes) {
    this.#remote = remote;
    this.version = version;
    this.#edge = edge;
  }

  /** Size in bytes. */
  get size(): number {
    return this.version.size;
  }

  /** Requests so far, those that failed included. */
  get numRequests(): number {
    return this.#remote.numRequests;
  }

  /** Some bytes from `position` on, if they are kept; they must not be changed. */
  kept(position: number): Uint8Array<ArrayBuffer> | undefined {
    const { start, bytes } = this.#edge;
    const isInEdge = start <= position && position < start + bytes.length;
    return isInEdge ? bytes.subarray(position - start) : this.#cache.from(position);
  }

  /** Where bytes that are kept begin again, at or behind `position`; at the latest `stop`. */
  keptFrom(position: number, stop: number): number {
    const { start } = this.#edge;
    return start < position ? stop : Math.min(start, stop);
  }

  /** Requests the bytes of a range within the file. */
  async request(range: ByteRange, signal?: AbortSignal): Promise<PlacedBytes> {
    const bytes = await requestRange(this.#remote, this.version, range, signal);
    if (bytes.length <= mostKeptBytes) this.#cache.keep(range.start, bytes, this.size);
    return { start: range.start, bytes };
  }
}
