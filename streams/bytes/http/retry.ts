/**
 * Decides which failed requests are tried again, and when.
 *
 * @module
 */

import type { Failure } from "../../../base/errors/request_error.ts";

/** The longest wait between two tries, unless the server asks for more, in milliseconds. */
const mostMs = 5000;
/** The longest wait that a server may ask for. */
const mostAskedMs = 60_000;

/**
 * Returns the wait in milliseconds before the next try, where `attempt` counts from 0; undefined to give
 * up. Waits double, and `random`, a number in [0, 1), draws them, so that readers that failed together do
 * not come back together.
 */
export function retryDelay(
  attempt: number,
  failure: Failure,
  tries: number,
  random: number,
): number | undefined {
  const askedMs = (failure.kind === "status" && failure.retryAfterMs) || 0;
  if (attempt + 1 >= tries || askedMs > mostAskedMs) return undefined;
  return Math.max(askedMs, random * Math.min(mostMs, 100 * 2 ** attempt));
}

/** Whether a later answer may have another status. */
export function mayPass(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Returns the milliseconds that a Retry-After header asks to wait: a number of seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
