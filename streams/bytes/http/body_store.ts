/**
 * A file on a server that serves no ranges: one body, read once and forwards like a pipe.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { ByteStore } from "../byte_store.ts";
import type { Exchange } from "./exchange.ts";
import type { RemoteFile } from "./remote_file.ts";
import { type FileVersion, versionOf } from "./request_range.ts";
import { describeFailure, RequestError } from "../../../base/errors/request_error.ts";

/** A store over the body of an answer that has the whole file. */
export class BodyStore implements ByteStore {
  readonly numBytes = undefined;
  readonly identity = undefined;
  readonly tripBytes = 0;
  /** The version of the file. */
  readonly version: FileVersion;
  readonly #remote: RemoteFile;
  readonly #exchange: Exchange;
  #rest = new Uint8Array(0);
  #numBytes = 0;

  constructor(remote: RemoteFile, exchange: Exchange) {
    this.version = versionOf(exchange.response);
    this.#remote = remote;
    this.#exchange = exchange;
  }

  get numRequests(): number {
    return this.#remote.numRequests;
  }

  async read(target: Uint8Array<ArrayBuffer>): Promise<number> {
    if (this.#rest.length === 0) this.#rest = await this.#next() ?? this.#rest;
    const bytes = this.#rest.subarray(0, target.length);
    target.set(bytes);
    this.#rest = this.#rest.subarray(bytes.length);
    return bytes.length;
  }

  holds(): boolean {
    return true;
  }

  prepare(): void {}

  readMany(): Promise<never> {
    return Promise.reject(new Error("cannot be read from the middle"));
  }

  currentSize(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): void {
    void this.#exchange.cancel();
  }

  /** Returns the next bytes of the body; undefined at its end. A body that ends too early is an error. */
  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const bytes = await this.#exchange.read();
      this.#numBytes += bytes?.length ?? 0;
      if (bytes === undefined && this.#numBytes < this.version.size) throw this.#short();
      return bytes;
    } catch (error) {
      if (!isSluiceError(error, "RequestError")) throw error;
      const isLost = error.failure.kind === "network" && !Number.isNaN(this.version.size);
      const told = isLost ? this.#short() : error;
      throw this.#remote.error(describeFailure(told.failure), error);
    }
  }

  #short(): RequestError {
    const wantedBytes = this.version.size;
    return new RequestError({ kind: "short", numBytes: this.#numBytes, wantedBytes });
  }
}
