/**
 * One request and its answer, watched for stalls.
 *
 * @module
 */

import { FileError } from "../../../base/errors/file_error.ts";
import { nameOfUrl } from "../../../base/url.ts";
import { Pace } from "./pace.ts";
import { RequestError } from "../../../base/errors/request_error.ts";

/** The parts of a request. */
interface RequestFacts {
  /** The file as the user named it, for errors. */
  readonly path: string;
  /** The URL of the request. */
  readonly url: string;
  readonly headers: Headers;
  /** See `HttpOptions`. */
  readonly stallMs: number;
  /** Returns the time in milliseconds, counted from any moment. */
  readonly now: () => number;
  /** Called with the number of bytes of the body as they come. */
  readonly onRead: (numBytes: number) => void;
}

/**
 * A running request, which follows no redirects. Its methods throw a `RequestError` where nothing arrives,
 * or nothing more; the reason of the signal once that is aborted; and a FileError if the program may not
 * connect. The caller reads it to its end, or cancels it.
 */
export class Exchange {
  readonly #facts: RequestFacts;
  readonly #signal: AbortSignal | undefined;
  readonly #stop = new AbortController();
  readonly #abort = (): void => this.#stop.abort();
  #isStalled = false;
  #response: Response | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  readonly #pace: Pace;

  private constructor(facts: RequestFacts, signal: AbortSignal | undefined) {
    this.#facts = facts;
    this.#pace = new Pace(facts.stallMs);
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** Sends a request and waits for the head of its answer. */
  static async send(facts: RequestFacts, signal?: AbortSignal): Promise<Exchange> {
    signal?.throwIfAborted();
    const exchange = new Exchange(facts, signal);
    try {
      await exchange.#start();
    } catch (error) {
      await exchange.cancel();
      throw error;
    }
    return exchange;
  }

  get response(): Response {
    return this.#response!;
  }

  /** Returns the next bytes of the body; undefined at its end. */
  async read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { body } = this.response;
    if (body === null) return undefined;
    const reader = this.#reader ??= body.getReader();
    const { now, onRead, stallMs } = this.#facts;
    const start = now();
    const { value, done } = await this.#watch(reader.read());
    if (done) {
      this.#forget();
      return undefined;
    }
    onRead(value.length);
    const numBytes = this.#pace.add(value.length, now() - start);
    if (numBytes !== undefined) throw new RequestError({ kind: "slow", numBytes, stallMs });
    return value;
  }

  /** Ends the request, if it has not ended. */
  async cancel(): Promise<void> {
    this.#forget();
    const body = this.#reader ?? this.#response?.body;
    // A body that failed has ended, and rejects with its error.
    await body?.cancel().catch(() => {});
    this.#stop.abort();
  }

  async #start(): Promise<void> {
    const { url, headers } = this.#facts;
    const { signal } = this.#stop;
    this.#response = await this.#watch(fetch(url, { headers, signal, redirect: "manual" }));
  }

  /** Waits for a promise, or until nothing arrived for too long. */
  async #watch<T>(pending: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      this.#isStalled = true;
      this.#stop.abort();
    }, this.#facts.stallMs);
    try {
      return await pending;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #failure(error: unknown): unknown {
    const { path, url, stallMs } = this.#facts;
    if (this.#signal?.aborted) return this.#signal.reason;
    if (this.#isStalled) return new RequestError({ kind: "stall", stallMs });
    if (error instanceof Deno.errors.NotCapable) {
      const host = /"([^"]+)"/.exec(error.message)?.[1] ?? new URL(url).host;
      const cure = `needs the permission to connect; run with --allow-net=${host}`;
      return new FileError(path, cure, { cause: error });
    }
    return new RequestError({ kind: "network", reason: reasonOf(error, url) });
  }

  #forget(): void {
    this.#signal?.removeEventListener("abort", this.#abort);
  }
}

/** The text that Deno puts before the reason for a failed connection. */
const wrapping = /^.*client error \(\w+\): (?:(?:tcp connect|dns) error: )?/s;

/** Returns the reason of an error of fetch, on one line and without the URL, which may hold secrets. */
function reasonOf(error: unknown, url: string): string {
  const { message, cause } = error as Error;
  const told = cause instanceof Error ? cause.message : message;
  const reason = told.replaceAll(url, nameOfUrl(url)).replace(wrapping, "");
  return reason.replace(/ \(os error \d+\)$/, "").replace(/\s+/g, " ");
}
