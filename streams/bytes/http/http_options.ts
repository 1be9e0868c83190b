/**
 * The options for reading files on servers.
 *
 * @module
 */

import { showValue } from "../../../base/kind_of.ts";
import { checkNamed } from "../../../base/option_kinds.ts";

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
  checkNamed("read() option http", "settings", options);
  const { headers = {}, tries = 5, stallMs = 30_000 } = options;
  const { random = Math.random, wait = sleep, now = () => performance.now() } = options;
  if (!Number.isSafeInteger(tries) || tries < 1) {
    const given = showValue(tries);
    throw new RangeError(`read() option http.tries must be an integer of at least 1, not ${given}`);
  }
  if (typeof stallMs !== "number" || !(stallMs > 0)) {
    const given = showValue(stallMs);
    throw new RangeError(`read() option http.stallMs must be a number above 0, not ${given}`);
  }
  return {
    headers: headersOf(headers),
    tries,
    stallMs: Math.min(stallMs, mostMs),
    random,
    wait,
    now,
  };
}

/** The longest time that a timer counts; a longer one would end at once. */
const mostMs = 2 ** 31 - 1;

function headersOf(headers: unknown): Headers {
  try {
    return new Headers(headers as HeadersInit);
  } catch (cause) {
    const given = typeof headers === "object" && headers !== null ? "others" : showValue(headers);
    const message = `read() option http.headers takes headers as fetch() does, not ${given}`;
    throw new TypeError(message, { cause });
  }
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
