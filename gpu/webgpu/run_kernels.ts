/**
 * Runs kernels that do not depend on each other over one batch: everything is submitted together,
 * and the totals of all texts come back in one readback.
 *
 * @module
 */

import type { ByteMapKernel, RowKernel } from "../kernel/ir.ts";
import { encodeByteMap } from "./byte_map.ts";
import { Commands } from "./commands.ts";
import type { WebGpuContext } from "./context.ts";
import {
  type AlignedRange,
  alignWindows,
  type ColumnWindow,
  WebGpuColumn,
} from "./device_column.ts";
import { type KernelRun, prepareRun } from "./kernel_run.ts";
import { Totals } from "./readback.ts";
import { Scope } from "./scope.ts";
import { encodeSingle, maxFixedRows } from "./single_pass.ts";
import {
  encodeSizes,
  encodeWrite,
  maxTextRows,
  type SizedRange,
  splitTooLarge,
} from "./two_pass.ts";

/** A kernel and the columns that it reads, in the order of `kernel.columns`. */
export interface KernelJob {
  readonly kernel: RowKernel | ByteMapKernel;
  readonly inputs: readonly WebGpuColumn[];
}

/** A range of a job that takes two passes. */
interface TextRange {
  readonly job: number;
  readonly run: KernelRun;
  readonly range: AlignedRange;
}

/**
 * Computes one column for each job; inputs are borrowed. Rejects with a `RowTooLargeError` if the
 * result of one row alone does not fit a window.
 */
export async function runKernels(
  context: WebGpuContext,
  jobs: readonly KernelJob[],
  numRows: number,
): Promise<WebGpuColumn[]> {
  using batch = new KernelBatch(context, jobs.length);
  let texts = await batch.start(jobs, numRows);
  while (texts.length > 0) texts = await batch.textRound(texts);
  const windows = batch.finish();
  return jobs.map(({ kernel, inputs }, job) =>
    new WebGpuColumn({
      type: kernel.type,
      hasValidity: kernel.kernel === "row" ? kernel.canBeNull : inputs[0]!.hasValidity,
      windows: windows[job]!,
      ascii: kernel.kernel === "byteMap" || kernel.ascii === true,
    })
  );
}

class KernelBatch implements Disposable {
  readonly #context: WebGpuContext;
  #commands: Commands;
  /** For each job, the windows of its result so far. */
  readonly #windows: ColumnWindow[][];
  /** The buffers of those windows, until they are complete. */
  readonly #results = new Scope();
  /** Buffers that nothing needs once all work is submitted. */
  readonly #temporaries = new Scope();

  constructor(context: WebGpuContext, numJobs: number) {
    this.#context = context;
    this.#commands = new Commands(context, "kernels");
    this.#windows = Array.from({ length: numJobs }, () => []);
  }

  /** Encodes what takes one pass; returns what takes two. */
  async start(jobs: readonly KernelJob[], numRows: number): Promise<TextRange[]> {
    const context = this.#context;
    const texts: TextRange[] = [];
    for (const [job, { kernel, inputs }] of jobs.entries()) {
      if (kernel.kernel === "byteMap") {
        for (const window of inputs[0]!.windows) {
          this.#add(job, await encodeByteMap(context, this.#commands, kernel, window));
        }
        continue;
      }
      const run = await prepareRun(context, this.#temporaries, kernel, inputs);
      const isText = kernel.type.kind === "string";
      const { windowBytes } = context;
      const maxRows = isText ? maxTextRows(windowBytes) : maxFixedRows(kernel.type, windowBytes);
      for (const range of alignWindows(inputs, numRows, maxRows)) {
        if (isText) texts.push({ job, run, range });
        else this.#add(job, await encodeSingle(context, this.#commands, run, range));
      }
    }
    return texts;
  }

  /** Counts, waits once, and encodes the writing; returns what was too large and must be cut. */
  async textRound(texts: readonly TextRange[]): Promise<TextRange[]> {
    const context = this.#context;
    const totals = this.#temporaries.own(await Totals.create(context, texts.length));
    const sized: SizedRange[] = [];
    for (const [slot, { run, range }] of texts.entries()) {
      const total = { totals: totals.buffer, slot };
      const sizes = await encodeSizes(context, this.#commands, run, range, total);
      this.#temporaries.own(sizes.sizes);
      sized.push(sizes);
    }
    const textBytes = await totals.read(this.#commands);
    this.#commands = new Commands(context, "kernels");
    const again: TextRange[] = [];
    for (const [slot, { job, run }] of texts.entries()) {
      const bytes = textBytes[slot]!;
      const pieces = splitTooLarge(sized[slot]!, bytes, context.windowBytes);
      if (pieces === null) {
        this.#add(job, await encodeWrite(context, this.#commands, sized[slot]!, bytes));
      } else {
        for (const range of pieces) again.push({ job, run, range });
      }
    }
    return again;
  }

  /** Submits what is left and hands over the windows of each job, in row order. */
  finish(): ColumnWindow[][] {
    this.#commands.submit();
    this.#results.keep();
    return this.#windows.map((windows) => windows.sort((a, b) => a.start - b.start));
  }

  [Symbol.dispose](): void {
    this.#commands[Symbol.dispose]();
    this.#temporaries[Symbol.dispose]();
    this.#results[Symbol.dispose]();
  }

  #add(job: number, window: ColumnWindow): void {
    this.#results.own(window.buffer);
    this.#windows[job]!.push(window);
  }
}
