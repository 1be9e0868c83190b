/**
 * The programs of a backend. It loads this module, and with it the compiler, for the first program.
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

/** Evaluates programs with its own kernels and threads. */
export class HostPrograms {
  readonly #threads: HostThreads;
  readonly #kernels: HostKernels;

  constructor(options: ThreadOptions) {
    this.#threads = new HostThreads(options);
    this.#kernels = new HostKernels({ threads: this.#threads });
  }

  /** The number of variants of kernels in use. */
  get compilations(): number {
    return this.#kernels.compilations;
  }

  /** The number of parts that failed only on a worker, and of workers that an error ended. */
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
