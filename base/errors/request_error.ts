/**
 * A request to a server that failed.
 *
 * @module
 */

import { formatCount } from "../quantities.ts";

/** Why a request failed that may succeed later. */
export type Failure =
  /** A status that may be temporary; `retryAfterMs` is the wait that the server asks for. */
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
  /** Too few bytes in this time for the rest ever to arrive. */
  | { readonly kind: "slow"; readonly numBytes: number; readonly stallMs: number };

/** A request that failed, and may be tried again. */
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
  const inRow = times === 1 ? "" : `, ${times} times in a row`;
  switch (failure.kind) {
    case "status":
      return `the server says ${failure.status}${inRow}`;
    case "network":
      return `no connection${inRow}: ${failure.reason}`;
    case "short": {
      const [got, wanted] = [failure.numBytes, failure.wantedBytes].map(formatCount);
      return `only ${got} of ${wanted} bytes came${inRow}`;
    }
    case "stall":
      return `nothing came for ${failure.stallMs / 1000} s${inRow}`;
    case "slow": {
      const bytes = formatCount(failure.numBytes);
      return `only ${bytes} bytes came in ${failure.stallMs / 1000} s${inRow}`;
    }
  }
}
