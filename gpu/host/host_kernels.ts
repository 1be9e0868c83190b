/**
 * The kernels of one backend: the threads that they run on, and what the backend counts and
 * remembers.
 *
 * @module
 */

import type { Variant } from "../kernel/ir/ir.ts";
import type { Program } from "../kernel/tree/tree.ts";
import type { ExecutorHost } from "./executors/executor.ts";
import type { HostKernel } from "./kernels/host_kernel.ts";
import type { CompiledKernel } from "./kernels/compiled_kernel.ts";
import type { KernelResult } from "./kernels/kernel_result.ts";
import type { KernelWork } from "./kernels/kernel_work.ts";
import { runScheduled } from "./schedule.ts";
import type { HostThreads } from "./threads/host_threads.ts";

/** The rows of a batch from which WebAssembly is used. */
const MIN_WASM_ROWS = 1024;

/** Options of the kernels of a backend. */
interface HostKernelOptions {
  /** The threads that they run on. Default: only the calling thread. */
  readonly threads?: HostThreads;
  /** The fewest rows of a batch for which WebAssembly is used, if there is any. Tests set 1. */
  readonly minWasmRows?: number;
}

/** The kernels of a backend. */
export class HostKernels implements ExecutorHost {
  /** The number of variants of kernels that this backend has used. */
  compilations = 0;
  readonly minWasmRows: number;
  readonly #threads: HostThreads | undefined;
  readonly #used = new WeakSet<CompiledKernel>();
  /** Programs whose text was guessed to be ASCII, wrongly. */
  readonly #notAscii = new WeakSet<Program>();

  constructor({ threads, minWasmRows }: HostKernelOptions = {}) {
    this.#threads = threads;
    this.minWasmRows = minWasmRows ?? Math.min(MIN_WASM_ROWS, threads?.minRows ?? Infinity);
  }

  codeFor(kernel: HostKernel, variant: Variant): CompiledKernel {
    const code = kernel.codeFor(variant);
    if (!this.#used.has(code)) {
      this.#used.add(code);
      this.compilations++;
    }
    return code;
  }

  run(work: KernelWork): KernelResult {
    return runScheduled(work, this.#threads);
  }

  /** Whether text that was not inspected may be taken for ASCII, for the kernels to check. */
  mayGuess(program: Program, numRows: number): boolean {
    return this.mayCheck(numRows) && !this.#notAscii.has(program);
  }

  /** Whether kernels that can check text do so while they read `numRows` rows. */
  mayCheck(numRows: number): boolean {
    return numRows >= this.minWasmRows;
  }

  /** Records that a guess was wrong. */
  noteNotAscii(program: Program): void {
    this.#notAscii.add(program);
  }
}
