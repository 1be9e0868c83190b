/**
 * The options of a backend for its threads.
 *
 * @module
 */

import type { StartWorker } from "./worker_handle.ts";

/** Options for the threads of a backend. */
export interface ThreadOptions {
  /**
   * The number of threads that compute, including this one. Default: the number of processors, at
   * most 8.
   */
  readonly threads?: number;
  /**
   * Returns the number of these threads that have work elsewhere, such as a file to decode.
   * Default: 0.
   */
  readonly numElsewhere?: () => number;
  /** For tests: starts a worker of kernels, and whether every batch is divided. */
  readonly start?: StartWorker;
  readonly always?: boolean;
}
