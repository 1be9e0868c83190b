/**
 * The options for reading files on servers.
 *
 * @module
 */

import { showValue } from "../../../base/kind_of.ts";

/** How files on servers are read. */
export interface HttpOptions {
  /** Headers of every request, such as Authorization. Default: none. */
  readonly headers?: HeadersInit | undefined;
  /** The number of tries of a request before its failure is an error. Default: 5. */
  readonly tries?: number | undefined;
  /**
   * How long in milliseconds nothing may come before a request has failed; nor less than 1 KiB a
   * second, counted over this time. Default: 30,000.
   */
  readonly stallMs?: number | undefined;
}

/** The chance and the time that tests replace. */
interface HttpClock {
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** Waits some milliseconds; rejects once the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Returns the time in milliseconds, counted from any moment. */
  readonly now: () => number;
}

/** The options with all defaults. */
export interface HttpSettings extends HttpClock {
  readonly headers: Headers;
  readonly tries: number;
  readonly stallMs: number;
}

/** Throws a TypeError or RangeError for invalid options. */
export function httpSettings(options: HttpOptions & Partial<HttpClock> = {}): HttpSettings {
  const { headers = {}, tries = 5, stallMs = 30_000 } = options;
  const { random = Math.random, wait = sleep, now = () => performance.now() } = options;
  if (!Number.isSafeInteger(tries) || tries < 1) {
    const given = showValue(tries);
    throw new RangeError(`read() option http.tries must be an integer of at least 1, not ${given}`);
  }
  if (!(stallMs > 0)) {
    const given = showValue(stallMs);
    throw new RangeError(`read() option http.stallMs must be a number above 0, not ${given}`);
  }
  return { headers: new Headers(headers), tries, stallMs, random, wait, now };
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
