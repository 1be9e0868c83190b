/**
 * How many threads a backend uses, and how.
 *
 * @module
 */

import type { StartWorker } from "./worker_handle.ts";

/** How a backend uses threads. */
export interface ThreadOptions {
  /** Threads that compute, this one included. Default: as many as processors, at most 8. */
  readonly threads?: number;
  /** How many of these threads have work elsewhere, such as a file to decode. Default: none. */
  readonly numElsewhere?: () => number;
  /** For tests: what starts a worker of kernels, and whether every batch is divided. */
  readonly start?: StartWorker;
  readonly always?: boolean;
}
