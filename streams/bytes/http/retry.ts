/**
 * Which failed requests are tried again, and when.
 *
 * @module
 */

/** Why a request failed that may succeed later. */
export type Failure =
  /** An answer with a status that may pass; `retryAfterMs` is what the server asks to wait. */
  | {
    readonly kind: "status";
    readonly status: string;
    readonly retryAfterMs?: number | undefined;
  }
  /** No answer. */
  | { readonly kind: "network"; readonly reason: string }
  /** A body that ends too early. */
  | { readonly kind: "short"; readonly numBytes: number; readonly wantedBytes: number }
  /** No byte in this time. */
  | { readonly kind: "stall"; readonly stallMs: number }
  /** So few bytes in this time that the rest would take forever. */
  | { readonly kind: "slow"; readonly numBytes: number; readonly stallMs: number };

/** A request that failed, and may be tried again. */
export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(describeFailure(failure));
    this.failure = failure;
  }
}

/** The longest wait between two tries, unless the server asks for more, in milliseconds. */
const mostMs = 5000;
/** The longest wait that a server may ask for. */
const mostAskedMs = 60_000;

/**
 * How long to wait in milliseconds before the next try, `attempt` counted from 0; undefined to give
 * up. Waits grow to twice their length and are drawn by `random`, a number in [0, 1), so that many
 * readers that failed at once do not come back at once.
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

/** Whether a status may be another one later. */
export function mayPass(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Milliseconds that a Retry-After header asks to wait: a number of seconds, or a date. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The failure for an error: one clause. `times` is how often it was tried. */
export function describeFailure(failure: Failure, times = 1): string {
  const inRow = times === 1 ? "" : `, ${times} times in a row`;
  switch (failure.kind) {
    case "status":
      return `the server says ${failure.status}${inRow}`;
    case "network":
      return `no connection${inRow}: ${failure.reason}`;
    case "short": {
      const [got, wanted] = [failure.numBytes, failure.wantedBytes].map(withCommas);
      return `only ${got} of ${wanted} bytes came${inRow}`;
    }
    case "stall":
      return `nothing came for ${failure.stallMs / 1000} s${inRow}`;
    case "slow": {
      const bytes = withCommas(failure.numBytes);
      return `only ${bytes} bytes came in ${failure.stallMs / 1000} s${inRow}`;
    }
  }
}

function withCommas(value: number): string {
  return value.toLocaleString("en-US");
}
