/** @module */

import type { ResultRows } from "../backend.ts";
import type { HostColumn } from "../column/column.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { evaluateOnHost } from "./evaluate.ts";
import { HostKernelCache } from "./kernels/kernel_cache.ts";
import { HostThreads } from "./threads/host_threads.ts";
import type { ThreadOptions } from "./threads/thread_options.ts";

/** The kernels of a backend, which loads this, and with it the compiler, for the first of them. */
export class HostKernels {
  readonly #threads: HostThreads;
  readonly #cache: HostKernelCache;

  constructor(options: ThreadOptions) {
    this.#threads = new HostThreads(options);
    this.#cache = new HostKernelCache({ threads: this.#threads });
  }

  /** Kernels that were compiled. */
  get compilations(): number {
    return this.#cache.compilations;
  }

  /** Parts that failed on a worker and not here, and workers that an error ended. */
  get numFailed(): number {
    return this.#threads.numFailed;
  }

  /** Runs a program over the rows of some columns. */
  evaluate(program: Program, inputs: readonly HostColumn[], numRows: number): ResultRows {
    return evaluateOnHost(program, inputs, numRows, this.#cache);
  }

  /** Ends the workers. */
  close(): void {
    this.#threads.close();
  }
}
