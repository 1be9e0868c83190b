/**
 * How many threads a backend uses, and how.
 *
 * @module
 */

import type { StartJoinWorker } from "../join/threads/join_worker.ts";
import type { StartWorker } from "./worker_handle.ts";

/** Threads that are used by default: more of them would wait for the main thread. */
const MAX_THREADS = 8;
/** How a backend uses threads. */
export interface ThreadOptions {
  /** Threads that compute, this one included. Default: as many as processors, at most 8. */
  readonly threads?: number;
  /** How many of these threads have work elsewhere, such as a file to decode. Default: none. */
  readonly numElsewhere?: () => number;
  /** For tests: what starts a worker, and whether every batch is divided. */
  readonly start?: StartWorker;
  readonly always?: boolean;
  /** For tests: what starts a worker of joins. */
  readonly startJoins?: StartJoinWorker;
}

/** Threads that compute at most, the one that calls included: as many as were asked for, or 1. */
export function mostThreads(threads: number | undefined): number {
  const count = threads ?? Math.min(navigator.hardwareConcurrency, MAX_THREADS);
  return count > 1 && canShare() ? count : 1;
}

/** Whether workers can be used from here. */
function canShare(): boolean {
  if (typeof SharedArrayBuffer === "undefined" || typeof Worker === "undefined") return false;
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}
