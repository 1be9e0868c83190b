/**
 * The programs of a backend, which loads this module, and with it the compiler, for the first of them.
 *
 * @module
 */

import type { ResultRows } from "../backend.ts";
import type { HostColumn } from "../column/column.ts";
import type { Program } from "../kernel/tree/tree.ts";
import { evaluateOnHost } from "./evaluate.ts";
import { HostKernels } from "./host_kernels.ts";
import { HostThreads } from "./threads/host_threads.ts";
import type { ThreadOptions } from "./threads/thread_options.ts";

/** Evaluates programs with kernels and threads of its own. */
export class HostPrograms {
  readonly #threads: HostThreads;
  readonly #kernels: HostKernels;

  constructor(options: ThreadOptions) {
    this.#threads = new HostThreads(options);
    this.#kernels = new HostKernels({ threads: this.#threads });
  }

  /** Kernels that were compiled. */
  get compilations(): number {
    return this.#kernels.compilations;
  }

  /** Parts that failed on a worker and not here, and workers that an error ended. */
  get numFailed(): number {
    return this.#threads.numFailed;
  }

  /** Runs a program over the rows of some columns. */
  evaluate(program: Program, inputs: readonly HostColumn[], numRows: number): ResultRows {
    return evaluateOnHost(program, inputs, numRows, this.#kernels);
  }

  /** Ends the workers. */
  close(): void {
    this.#threads.close();
  }
}
