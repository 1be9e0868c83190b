/**
 * Failed requests to a server.
 *
 * @module
 */

import { formatCount } from "../quantities.ts";

/** The reason why a request failed; a later try may succeed. */
export type Failure =
  /** A status that may be temporary; `retryAfterMs` is the wait that the server requested. */
  | {
    readonly kind: "status";
    readonly status: string;
    readonly retryAfterMs?: number | undefined;
  }
  /** No response. */
  | { readonly kind: "network"; readonly reason: string }
  /** A body that ends too early. */
  | { readonly kind: "short"; readonly numBytes: number; readonly wantedBytes: number }
  /** No bytes within `stallMs`. */
  | { readonly kind: "stall"; readonly stallMs: number }
  /** Too few bytes within `stallMs`. */
  | { readonly kind: "slow"; readonly numBytes: number; readonly stallMs: number };

/** A failed request that may be tried again. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(describeFailure(failure));
    this.failure = failure;
  }
}

/** Describes a failure in one clause; `times` is the number of tries. */
export function describeFailure(failure: Failure, times = 1): string {
  const tries = times === 1 ? "" : ` (${times} tries)`;
  switch (failure.kind) {
    case "status":
      return `the server says ${failure.status}${tries}`;
    case "network":
      return `no connection${tries}: ${failure.reason}`;
    case "short": {
      const [got, wanted] = [failure.numBytes, failure.wantedBytes].map(formatCount);
      return `only ${got} of ${wanted} bytes arrived${tries}`;
    }
    case "stall":
      return `nothing arrived for ${failure.stallMs / 1000} s${tries}`;
    case "slow": {
      const bytes = formatCount(failure.numBytes);
      return `only ${bytes} bytes arrived in ${failure.stallMs / 1000} s${tries}`;
    }
  }
}
