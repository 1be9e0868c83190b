/**
 * Runs kernels that do not depend on each other over one batch: everything is submitted together,
 * and one readback returns the totals of all texts and lists.
 *
 * @module
 */

import { hasOffsets } from "../../column/column.ts";
import { ownPasses } from "../../kernel/emit/wgsl/print/pass.ts";
import type { ByteMapKernel, RowKernel } from "../../kernel/ir/ir.ts";
import type { PooledBuffer } from "../memory/buffer_pool.ts";
import { encodeByteMap } from "../strategies/byte_map.ts";
import { Commands } from "../dispatch/commands.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import {
  type AlignedRange,
  alignWindows,
  type ColumnWindow,
  WebGpuColumn,
} from "../memory/device_column.ts";
import {
  type CompiledRun,
  type KernelRun,
  mustCountSteps,
  type Passes,
  pipelineSpecs,
  prepareRun,
} from "../strategies/kernel_run.ts";
import { Totals } from "../transfer/readback.ts";
import { Scope } from "../memory/scope.ts";
import { laneWidth } from "../strategies/lanes.ts";
import { encodeSingle, maxFixedRows, type SingleResult } from "../strategies/single_pass.ts";
import {
  encodeSizes,
  encodeSure,
  encodeWrite,
  maxSizedRows,
  numTotals,
  ownSized,
  rangesThatFit,
  resultSize,
  type SizedRange,
  sureBytes,
} from "../strategies/two_pass.ts";
import {
  copyTiledTotals,
  encodeTiles,
  fittingCapacity,
  NUM_TILED_TOTALS,
  tiledCapacity,
  type TiledRange,
  tiledResult,
  tiledWindow,
} from "../strategies/tiled_pass.ts";

/** A kernel and the columns that it reads, in the order of `kernel.columns`. */
export interface KernelJob {
  readonly kernel: RowKernel | ByteMapKernel;
  readonly inputs: readonly WebGpuColumn[];
}

/** A range of a job whose result is text or lists. */
interface SizedJob {
  readonly job: number;
  readonly run: KernelRun;
  readonly range: AlignedRange;
  /** The bytes of text reserved for one pass; null for two passes. */
  readonly capacity: number | null;
}

/** The encoded work of a round for a range, and the slot of its first total. */
interface Encoded {
  readonly made: SizedRange | TiledRange;
  readonly slot: number;
}

/** A word that a kernel sets if one of its rows takes too many rounds. */
interface Flag {
  readonly buffer: PooledBuffer;
  readonly word: number;
}

/**
 * Computes one column for each job; inputs are borrowed. Returns null if the result of a single row
 * does not fit a window, or a row takes too many rounds. Rejects with the reason of the context's
 * signal.
 */
export async function runKernels(
  context: WebGpuContext,
  jobs: readonly KernelJob[],
  numRows: number,
): Promise<WebGpuColumn[] | null> {
  using batch = new KernelBatch(context, jobs.length);
  let ranges: SizedJob[] | null = await batch.start(jobs, numRows);
  while (ranges !== null && ranges.length > 0) ranges = await batch.sizedRound(ranges);
  const windows = ranges && await batch.finish();
  if (windows === null) return null;
  return jobs.map(({ kernel, inputs }, job) =>
    new WebGpuColumn({
      type: kernel.type,
      hasValidity: kernel.kernel === "row" ? kernel.canBeNull : inputs[0]!.hasValidity,
      windows: windows[job]!,
      numLongRows: kernel.kernel === "byteMap" ? inputs[0]!.numLongRows : batch.numLongRows[job]!,
      ascii: kernel.kernel === "byteMap" || kernel.ascii === true,
    })
  );
}

/**
 * Returns the ranges of rows over which a job runs; none for a map of bytes, which runs over the
 * windows.
 */
function rangesOf(
  { windowBytes }: WebGpuContext,
  { kernel, inputs }: KernelJob,
  numRows: number,
): AlignedRange[] {
  if (kernel.kernel === "byteMap") return [];
  const { type } = kernel;
  const maxRows = hasOffsets(type)
    ? maxSizedRows(type, windowBytes)
    : maxFixedRows(type, windowBytes);
  return alignWindows(inputs, numRows, maxRows);
}

/** Whether one pass computes all ranges, so that no other pass is compiled. */
function isOnePass(
  context: WebGpuContext,
  job: Pick<KernelRun, "kernel" | "inputs">,
  ranges: readonly AlignedRange[],
): boolean {
  return ranges.length > 0 &&
    ranges.every((range) =>
      sureBytes(context, job, range) === null && tiledCapacity(context, job, range) !== null
    );
}

class KernelBatch implements Disposable {
  readonly #context: WebGpuContext;
  #commands: Commands;
  /** For each job, the windows of its result so far. */
  readonly #windows: ColumnWindow[][];
  /** For each job, the number of long texts in its result. */
  readonly numLongRows: number[];
  /** The flags that the host has not read yet. */
  #flagged: Flag[] = [];
  /** The buffers of the result windows, until the results are complete. */
  readonly #results = new Scope();
  /** Buffers that are free once all work is submitted. */
  readonly #temporaries = new Scope();

  constructor(context: WebGpuContext, numJobs: number) {
    this.#context = context;
    this.#commands = new Commands(context, "kernels");
    this.#windows = Array.from({ length: numJobs }, () => []);
    this.numLongRows = this.#windows.map(() => 0);
  }

  /** Encodes the ranges whose result has a known or bounded size; returns the others. */
  async start(jobs: readonly KernelJob[], numRows: number): Promise<SizedJob[]> {
    const context = this.#context;
    const ranges = jobs.map((job) => rangesOf(context, job, numRows));
    const passes = jobs.map(({ kernel, inputs }, job): Passes | null => {
      if (kernel.kernel === "byteMap") return null;
      return isOnePass(context, { kernel, inputs }, ranges[job]!) ? ["tiles"] : ownPasses(kernel);
    });
    const widths = jobs.map(({ kernel, inputs }, job) => {
      const isTiled = passes[job]?.[0] === "tiles";
      return kernel.kernel === "row" && !isTiled ? laneWidth(context, kernel, inputs) : 1;
    });
    const compiled = jobs.map(({ kernel, inputs }, job): CompiledRun | null => {
      if (kernel.kernel !== "row") return null;
      const countsSteps = mustCountSteps(context, kernel, inputs);
      return { kernel, inputs, passes: passes[job]!, lanes: widths[job]!, countsSteps };
    });
    const specs = compiled.flatMap((run) => run === null ? [] : pipelineSpecs(context, run));
    await context.pipelines.getAll(specs, context.signal);
    const sized: SizedJob[] = [];
    for (const [job, { kernel, inputs }] of jobs.entries()) {
      context.signal?.throwIfAborted();
      if (kernel.kernel === "byteMap") {
        for (const window of inputs[0]!.windows) {
          this.#add(job, await encodeByteMap(context, this.#commands, kernel, window));
        }
        continue;
      }
      const run = await prepareRun(context, this.#temporaries, compiled[job]!);
      for (const range of ranges[job]!) {
        const sure = sureBytes(context, run, range);
        if (sure !== null) {
          await this.#encodeSure(job, run, range, sure);
        } else if (hasOffsets(kernel.type)) {
          sized.push({ job, run, range, capacity: tiledCapacity(context, run, range) });
        } else {
          const single = await encodeSingle(
            ...[context, this.#temporaries, this.#commands, run, range] as const,
          );
          this.#addSingle(job, single);
        }
      }
    }
    return sized;
  }

  async #encodeSure(job: number, run: KernelRun, range: AlignedRange, sure: number): Promise<void> {
    const context = this.#context;
    const window = await encodeSure(context, this.#temporaries, this.#commands, run, range, sure);
    this.#add(job, window);
    this.numLongRows[job]! += Math.floor(sure / (context.longRowBytes + 1));
  }

  /**
   * Counts, or computes in one pass, and waits once; then encodes the write passes of what was
   * counted. Returns the parts of ranges that were too large, and the ranges to compute again. Null
   * if a single row is too large.
   */
  async sizedRound(jobs: readonly SizedJob[]): Promise<SizedJob[] | null> {
    const context = this.#context;
    const numWords = jobs.map(({ run, capacity }) =>
      capacity === null ? numTotals(run.kernel.type) : NUM_TILED_TOTALS
    );
    const firstFlag = numWords.reduce((sum, words) => sum + words, 0);
    const slots = firstFlag + this.#flagged.length;
    const totals = this.#temporaries.own(await Totals.create(context, slots));
    const encoded: Encoded[] = [];
    let slot = 0;
    for (const [k, job] of jobs.entries()) {
      context.signal?.throwIfAborted();
      encoded.push({ made: await this.#encodeSized(job, totals.buffer, slot), slot });
      slot += numWords[k]!;
    }
    const values = await this.#readTotals(totals, firstFlag);
    if (values === null) return null;
    const again: SizedJob[] = [];
    for (const [k, job] of jobs.entries()) {
      context.signal?.throwIfAborted();
      const { made, slot } = encoded[k]!;
      const rest = "states" in made
        ? this.#takeTiled(job, made, values, slot)
        : await this.#writeCounted(job, made, values, slot);
      if (rest === null) return null;
      again.push(...rest);
    }
    return again;
  }

  async #encodeSized(
    { run, range, capacity }: SizedJob,
    totals: PooledBuffer,
    slot: number,
  ): Promise<SizedRange | TiledRange> {
    const context = this.#context;
    if (capacity === null) {
      const counted = await encodeSizes(context, this.#commands, run, range, { totals, slot });
      return ownSized(this.#temporaries, counted);
    }
    const tiled = await encodeTiles(context, this.#commands, run, range, capacity);
    this.#temporaries.own(tiled.states);
    this.#temporaries.own(tiled.output);
    copyTiledTotals(context, this.#commands, tiled, totals, slot);
    return tiled;
  }

  /** Takes the result of one pass; returns the ranges to compute again. */
  #takeTiled(sized: SizedJob, tiled: TiledRange, values: Uint32Array, slot: number): SizedJob[] {
    const result = tiledResult(this.#context, tiled, values, slot);
    if (result === null) return [{ ...sized, capacity: null }];
    const { dataBytes, numLongRows } = result;
    const { job, run, range } = sized;
    if (dataBytes > tiled.capacity) {
      const capacity = fittingCapacity(this.#context, run.kernel.canBeNull, range, dataBytes);
      return [{ ...sized, capacity }];
    }
    this.#temporaries.disown(tiled.output);
    this.#add(job, tiledWindow(tiled, result));
    this.numLongRows[job]! += numLongRows;
    return [];
  }

  /**
   * Encodes the write pass of a counted range; returns its parts if it is too large, null as in
   * `sizedRound`.
   */
  async #writeCounted(
    { job, run }: SizedJob,
    counted: SizedRange,
    values: Uint32Array,
    slot: number,
  ): Promise<SizedJob[] | null> {
    const context = this.#context;
    const size = resultSize(run.kernel.type, values, slot);
    const fitting = rangesThatFit(counted, size, context.windowBytes);
    if (fitting.length === 0) return null;
    if (fitting.length > 1) return fitting.map((range) => ({ job, run, range, capacity: null }));
    this.#add(job, await encodeWrite(context, this.#commands, counted, size));
    this.numLongRows[job]! += size.numLongRows;
    return [];
  }

  /**
   * Submits the rest and returns the windows of each job, in row order; null if a row took too many
   * rounds.
   */
  async finish(): Promise<ColumnWindow[][] | null> {
    if (this.#flagged.length > 0) {
      const totals = await Totals.create(this.#context, this.#flagged.length);
      if (await this.#readTotals(this.#temporaries.own(totals), 0) === null) return null;
    }
    this.#commands.submit();
    this.#results.keep();
    return this.#windows.map((windows) => windows.sort((a, b) => a.start - b.start));
  }

  /** Waits for the totals, and for the flags from slot `firstFlag` on; null if a flag is set. */
  async #readTotals(totals: Totals, firstFlag: number): Promise<Uint32Array | null> {
    const flagged = this.#flagged;
    this.#flagged = [];
    for (const [k, { buffer, word }] of flagged.entries()) {
      this.#commands.copy(buffer, word, totals.buffer, firstFlag + k, 1);
    }
    const values = await totals.read(this.#commands);
    this.#commands = new Commands(this.#context, "kernels");
    return flagged.some((_, k) => values[firstFlag + k] !== 0) ? null : values;
  }

  [Symbol.dispose](): void {
    this.#commands[Symbol.dispose]();
    this.#temporaries[Symbol.dispose]();
    this.#results[Symbol.dispose]();
  }

  #addSingle(job: number, { window, flagWord }: SingleResult): void {
    this.#add(job, window);
    if (flagWord !== null) this.#flagged.push({ buffer: window.buffer, word: flagWord });
  }

  #add(job: number, window: ColumnWindow): void {
    this.#results.own(window.buffer);
    this.#windows[job]!.push(window);
  }
}
