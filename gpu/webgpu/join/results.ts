/**
 * Gathers the results of a join on the device: rows of both sides, by selections.
 *
 * A run computes the selections and the sizes of what they select once. The host reads samples of
 * the positions of the text, cuts the rows into results by them, and gathers each result when the
 * caller asks for it.
 *
 * @module
 */

import { isSluiceError } from "../../../base/errors/is_sluice_error.ts";
import type { ResultLimits, ResultRows } from "../../backend.ts";
import { type Column, columnBytes, type HostColumn, retainColumn } from "../../column/column.ts";
import { DeviceError } from "../../../base/errors/device_error.ts";
import { Commands } from "../dispatch/commands.ts";
import { SATURATED } from "../dispatch/scan.ts";
import { gatheredColumn, gatherWindow, type SizedRows } from "../gather/gather.ts";
import { encodeSamples, type ScannedSizes } from "../gather/row_sizes.ts";
import type { Selection } from "../memory/selection.ts";
import type { WebGpuColumn } from "../memory/device_column.ts";
import { Scope } from "../memory/scope.ts";
import { asWebGpuColumn } from "../transfer/download.ts";
import { Totals } from "../transfer/readback.ts";
import type { WebGpuContext } from "../dispatch/webgpu_context.ts";
import { type CutRange, cutRows, positionOf, type SampledRows, sampleStep } from "./cut_rows.ts";
import { HostRows } from "./host_rows.ts";
import { type DeviceSource, numSizeArrays, type Run } from "./run.ts";
import { extentsOf, type Shape, shapeOf } from "./shape.ts";

/** The totals that the host has read for a run. */
interface RunTotals {
  readonly values: Uint32Array;
  readonly numRows: number;
  /** Whether the next run begins where this one ends. */
  readonly isFollowed: boolean;
}

/** The results of one run whose totals were read. The buffers of the run have to outlive it. */
export class RunResults {
  readonly #context: WebGpuContext;
  readonly #run: Run;
  readonly #numRows: number;
  readonly #isFollowed: boolean;
  /** For each source; null for sources on the host. */
  readonly #shapes: readonly (Shape | null)[];
  /** All arrays of sizes, in the order of the sources. */
  readonly #arrays: readonly ScannedSizes[];
  readonly #sampled: SampledRows;
  /** Once they are read: the selections for columns on the host, and the bytes before each row. */
  #hostRows: HostRows | null = null;
  #hostBytes: Float64Array | null = null;

  constructor(context: WebGpuContext, run: Run, { values, numRows, isFollowed }: RunTotals) {
    this.#context = context;
    this.#run = run;
    this.#numRows = numRows;
    this.#isFollowed = isFollowed;
    const { plan: { sources, step, numSamples }, pairs, sizes, slot } = run;
    let array = 0;
    this.#shapes = sources.map((source) => {
      const shape = shapeOf(source, pairs[source.side].mayMiss, array);
      array += numSizeArrays(source);
      return shape;
    });
    this.#arrays = sizes.flatMap((own) =>
      own === null ? [] : own.itemBytes === null ? [own.rows] : [own.rows, own.itemBytes]
    );
    const numSteps = Math.ceil(numRows / step);
    const positions = this.#arrays.map((_, array) => {
      const first = slot + array * numSamples;
      const total = values[first + numSamples - 1]!;
      return numRows === 0 ? [0] : [0, ...values.subarray(first, first + numSteps - 1), total];
    });
    this.#sampled = { start: 0, stop: numRows, step, positions };
  }

  /**
   * Yields the rows, each result within the limits; nothing if there are no rows. Returns the
   * number of rows that came out. The caller asks for the others in another run: either there is
   * too much text to be counted in one run, or more rows follow and make a larger result together
   * with the last ones.
   */
  async *all(): AsyncGenerator<ResultRows, number, void> {
    await this.#readHostRows(0);
    return yield* this.#cut(this.#sampled, this.#run.plan.limits);
  }

  /**
   * Returns all rows in one result; null if they do not fit one. `known` columns, which are
   * retained, stand in for the first `replaced` sources.
   */
  async whole(known: readonly Column[], replaced: number): Promise<ResultRows | null> {
    const { limits } = this.#run.plan;
    await this.#readHostRows(replaced);
    const own = this.#costOf(this.#sampled, 0, this.#numRows, replaced);
    const bytes = known.reduce((sum, column) => sum + bytesOf(column), own.bytes);
    if (!own.fits || bytes > limits.bytes || this.#numRows > limits.rows) return null;
    const range = { start: 0, stop: this.#numRows, fits: true };
    return await this.#gather(this.#sampled, range, known, replaced);
  }

  /**
   * Reads the selections of the sources on the host, from the `first` source on: one wait, or none.
   */
  async #readHostRows(first: number): Promise<void> {
    const sources = this.#run.plan.sources.slice(first);
    if (this.#numRows === 0 || sources.every(({ views }) => views !== null)) return;
    this.#hostRows ??= await HostRows.read(this.#context, this.#run, this.#numRows);
    this.#hostBytes = this.#hostRows.bytesBefore(sources);
  }

  /** Yields results of the sampled rows; returns the row after the last one. */
  async *#cut(
    sampled: SampledRows,
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows, number, void> {
    for (const range of cutRows(sampled, (from, to) => this.#costOf(sampled, from, to), limits)) {
      if (range.start > 0 && this.#belongsToNext(sampled, range)) return range.start;
      const result = range.fits ? await this.#gather(sampled, range) : null;
      if (result !== null) {
        yield result;
        continue;
      }
      const done = yield* this.#halves(sampled, range, limits);
      if (done < range.stop) return done;
    }
    return sampled.stop;
  }

  /** Cuts a range that is too large at denser samples, and yields its results. */
  async *#halves(
    sampled: SampledRows,
    { start, stop }: CutRange,
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows, number, void> {
    const numRows = stop - start;
    if (numRows < 2) throw new DeviceError("Cannot join: one row of the result exceeds a binding");
    const finer = { ...limits, rows: Math.ceil(numRows / 2) };
    return yield* this.#cut(await this.#sample(sampled, start, stop, finer), finer);
  }

  async #sample(
    known: SampledRows,
    start: number,
    stop: number,
    limits: ResultLimits,
  ): Promise<SampledRows> {
    const context = this.#context;
    const step = sampleStep(stop - start, limits);
    const count = Math.ceil((stop - start) / step) - 1;
    using scope = new Scope();
    const totals = scope.own(await Totals.create(context, count * this.#arrays.length));
    using commands = new Commands(context, "join samples");
    for (const [k, sizes] of this.#arrays.entries()) {
      const samples = { first: start + step, step, count };
      await encodeSamples(context, commands, sizes, samples, totals.buffer, k * count);
    }
    const values = await totals.read(commands);
    const positions = this.#arrays.map((_, k) => [
      positionOf(known, k, start),
      ...values.subarray(k * count, (k + 1) * count),
      positionOf(known, k, stop),
    ]);
    return { start, stop, step, positions };
  }

  /** Whether a range should come with the next run, in which it is the first. */
  #belongsToNext(sampled: SampledRows, { fits, stop }: CutRange): boolean {
    if (fits) return this.#isFollowed && stop === this.#numRows;
    return this.#arrays.some((_, array) => positionOf(sampled, array, stop) === SATURATED);
  }

  /** Returns the bytes of the rows in the sources from the `first` one on. */
  #costOf(
    sampled: SampledRows,
    start: number,
    stop: number,
    first: number = 0,
  ): { bytes: number; fits: boolean } {
    const host = this.#hostBytes;
    const cost = { bytes: host === null ? 0 : host[stop]! - host[start]!, fits: true };
    for (const shape of this.#shapes.slice(first)) {
      if (shape === null) continue;
      const bytes = shape.bytes(stop - start, extentsOf(sampled, shape.array, start, stop));
      cost.bytes += bytes;
      cost.fits &&= bytes <= this.#context.windowBytes;
    }
    return cost;
  }

  /**
   * Gathers a range of rows; returns null if it has more items of lists than the host can address.
   */
  async #gather(
    sampled: SampledRows,
    { start, stop }: CutRange,
    known: readonly Column[] = [],
    replaced: number = 0,
  ): Promise<ResultRows | null> {
    const context = this.#context;
    const { plan: { sources }, pairs, sizes } = this.#run;
    const numRows = stop - start;
    using made = new Scope();
    using commands = new Commands(context, "join gather");
    const columns: (Column | null)[] = [];
    for (const [k, source] of sources.entries()) {
      if (k < replaced || source.views === null) {
        columns.push(null);
        continue;
      }
      const own = sizes[k] ?? null;
      const [rows, itemBytes] = extentsOf(sampled, this.#shapes[k]?.array ?? 0, start, stop);
      const sized = own === null ? undefined : { sizes: own, rows, itemBytes };
      const selection = { ...pairs[source.side], start, length: numRows };
      columns.push(made.own(await gatherOnDevice(context, commands, source, selection, sized)));
    }
    commands.submit();
    try {
      const gathered = this.#gatherOnHost(columns.slice(replaced), start, stop);
      made.keep();
      known.forEach(retainColumn);
      return { numRows, columns: [...known, ...gathered] };
    } catch (error) {
      // The lists of the result have more items than offsets of the host can address.
      if (isSluiceError(error, "OverflowError") && numRows > 1) return null;
      throw error;
    }
  }

  /** Fills in the columns that only the host can gather. */
  #gatherOnHost(columns: readonly (Column | null)[], start: number, stop: number): Column[] {
    const sources = this.#run.plan.sources.slice(-columns.length);
    return columns.map((column, k) => {
      if (column !== null) return column;
      const { column: source, side } = sources[k]!;
      return this.#hostRows!.gather(source as HostColumn, side, start, stop);
    });
  }
}

/** Returns the bytes of a whole column. */
function bytesOf(column: Column): number {
  if (column.place === "host") return columnBytes(column);
  return asWebGpuColumn(column).windows.reduce((sum, { layout }) => sum + 4 * layout.words, 0);
}

async function gatherOnDevice(
  context: WebGpuContext,
  commands: Commands,
  { column, views }: DeviceSource,
  selection: Selection,
  sized: SizedRows | undefined,
): Promise<WebGpuColumn> {
  const { type, hasValidity } = column;
  const source = { type, hasValidity, views, label: "join", sized };
  const window = await gatherWindow(context, commands, source, selection, 0);
  if (window === null) throw new DeviceError("Cannot join: a result does not fit a binding");
  return gatheredColumn(context, column, selection, window);
}
