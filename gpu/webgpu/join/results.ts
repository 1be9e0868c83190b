/**
 * Results of a join on the device: rows of both sides, gathered by selections.
 *
 * The selections and the sizes of what they select are made once for a run of rows. Few positions of
 * the text are read back; from them the host knows how many rows make a result, and gathers them piece
 * by piece, when they are asked for.
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
import { cutRows, type Piece, positionOf, type SampledRows, sampleStep } from "./cut_rows.ts";
import { HostRows } from "./host_rows.ts";
import { type DeviceSource, numSizeArrays, type Run } from "./run.ts";
import { extentsOf, type Shape, shapeOf } from "./shape.ts";

/** The totals that were read back for a run. */
interface RunTotals {
  readonly values: Uint32Array;
  readonly numRows: number;
  /** Whether the next run begins where this one ends. */
  readonly isFollowed: boolean;
}

/** The results of one run whose totals were read back. The buffers of the run must live on. */
export class RunResults {
  readonly #context: WebGpuContext;
  readonly #run: Run;
  readonly #numRows: number;
  readonly #isFollowed: boolean;
  /** For each source; null where it is on the host. */
  readonly #shapes: readonly (Shape | null)[];
  /** All arrays of sizes, in the order of the sources. */
  readonly #arrays: readonly ScannedSizes[];
  readonly #sampled: SampledRows;
  /** Once they are there: the rows that the host gathers, and the bytes before each. */
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
   * The rows, each result within the limits; none where there are no rows. Returns how many rows came
   * out. The others are to be asked for in another run: there is too much text to be counted in one, or,
   * where more rows follow the run, the last ones make a larger result with those.
   */
  async *all(): AsyncGenerator<ResultRows, number, void> {
    await this.#readHostRows(0);
    return yield* this.#cut(this.#sampled, this.#run.plan.limits);
  }

  /**
   * All rows in one result, with `known` columns, which are retained, in the place of the first
   * sources; null if they do not fit one.
   */
  async whole(known: readonly Column[], replaced: number): Promise<ResultRows | null> {
    const { limits } = this.#run.plan;
    await this.#readHostRows(replaced);
    const own = this.#costOf(this.#sampled, 0, this.#numRows, replaced);
    const bytes = known.reduce((sum, column) => sum + bytesOf(column), own.bytes);
    if (!own.fits || bytes > limits.bytes || this.#numRows > limits.rows) return null;
    const piece = { start: 0, stop: this.#numRows, fits: true };
    return await this.#gather(this.#sampled, piece, known, replaced);
  }

  /** Reads what the host needs of the sources from the `first` one on: one wait, if anything. */
  async #readHostRows(first: number): Promise<void> {
    const sources = this.#run.plan.sources.slice(first);
    if (this.#numRows === 0 || sources.every(({ views }) => views !== null)) return;
    this.#hostRows ??= await HostRows.read(this.#context, this.#run, this.#numRows);
    this.#hostBytes = this.#hostRows.bytesBefore(sources);
  }

  /** The results of some rows; returns the row behind them. */
  async *#cut(
    sampled: SampledRows,
    limits: ResultLimits,
  ): AsyncGenerator<ResultRows, number, void> {
    for (const piece of cutRows(sampled, (from, to) => this.#costOf(sampled, from, to), limits)) {
      if (piece.start > 0 && this.#belongsToNext(sampled, piece)) return piece.start;
      const result = piece.fits ? await this.#gather(sampled, piece) : null;
      if (result !== null) {
        yield result;
        continue;
      }
      const done = yield* this.#halves(sampled, piece, limits);
      if (done < piece.stop) return done;
    }
    return sampled.stop;
  }

  /** A piece that is too large, cut at samples that lie closer. */
  async *#halves(
    sampled: SampledRows,
    { start, stop }: Piece,
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

  /** Whether a piece is better asked for in the next run, in which it is the first. */
  #belongsToNext(sampled: SampledRows, { fits, stop }: Piece): boolean {
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

  /** The rows of a piece; null if the host cannot hold the items of its lists. */
  async #gather(
    sampled: SampledRows,
    { start, stop }: Piece,
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

  /** Fills in the last columns of the result where only the host can gather them. */
  #gatherOnHost(columns: readonly (Column | null)[], start: number, stop: number): Column[] {
    const sources = this.#run.plan.sources.slice(-columns.length);
    return columns.map((column, k) => {
      if (column !== null) return column;
      const { column: source, side } = sources[k]!;
      return this.#hostRows!.gather(source as HostColumn, side, start, stop);
    });
  }
}

/** Bytes of a whole column. */
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
