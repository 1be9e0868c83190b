/**
 * One run of a plan: the source, the stages, and the batches of the result.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { RecordBatch } from "apache-arrow";
import { resolveRows } from "../../streams/rows/row_request.ts";
import { numRowsOf } from "../../streams/rows/row_run.ts";
import type { Source } from "../../streams/plan/source.ts";
import type { Batch } from "../batch/batch.ts";
import { turnOfOthers } from "./event_loop.ts";
import { inFlight } from "./in_flight.ts";
import type { StageContext } from "./node.ts";
import { Passage } from "./passage.ts";
import type { PlanInputs } from "./plan_inputs.ts";
import { mostPicked } from "./plan_work.ts";
import type { CompiledPlan } from "./prepare.ts";
import {
  Meter,
  type OperatorStats,
  type RunStats,
  type SourceSize,
  type WideText,
  WideTextCounter,
} from "./run_stats.ts";
import { numRowsAfter } from "./rules.ts";
import { SourceCount } from "./source_count.ts";
import { SourceReading } from "./source_reading.ts";
import { numKernelsOf } from "./stage.ts";
import { StepError } from "../../base/errors/step_error.ts";
import { stepErrorOf } from "../../base/errors/wrap_error.ts";
import { JOINED_BYTES, uploadBatches } from "./upload_batches.ts";
import { writtenRow } from "./written_row.ts";
import { emptyRecordBatch } from "../batch/to_arrow.ts";

type Batches = AsyncGenerator<Batch, void, void>;

/** Up to this many rows, a run does not count them in advance to show its progress. */
const FEW_ROWS = 100_000;

/** Runs a prepared plan once. */
export class Run implements RunStats {
  readonly #source: Source;
  readonly #reading: SourceReading;
  readonly #prepared: CompiledPlan;
  readonly #context: StageContext;
  readonly #meters: readonly [Meter, ...Meter[]];
  readonly #wideText: WideTextCounter;
  readonly #count: SourceCount;
  /** For the source and each stage: aborted when its consumer stops. */
  readonly #left: readonly AbortController[];
  numRowsOut = 0;
  bytesOut = 0;
  batchesOut = 0;
  ended = false;

  constructor(source: Source, inputs: PlanInputs, prepared: CompiledPlan, context: StageContext) {
    this.#source = source;
    this.#prepared = prepared;
    this.#context = context;
    const { threshold } = context.offsets;
    const stages = prepared.steps.map(({ node, step }) => new Meter(node.name, step, threshold));
    this.#meters = [new Meter(`read ${source.name}`, 1, threshold), ...stages];
    this.#wideText = new WideTextCounter(threshold);
    this.#left = this.#meters.map(() => new AbortController());
    this.#count = new SourceCount(source);
    this.#reading = new SourceReading(source, inputs, prepared, this.#contextOf(0));
  }

  get operators(): readonly OperatorStats[] {
    return this.#meters;
  }

  get counters(): RunStats["counters"] {
    return this.#context.backend.counters;
  }

  get numRowsIn(): number {
    return this.#meters[0].rowsOut;
  }

  get bytesIn(): number {
    return this.#count.bytes;
  }

  get bytesPresent(): number | undefined {
    return this.#source.numBytes;
  }

  get numRequests(): number {
    return this.#count.requests;
  }

  async sourceSize(): Promise<SourceSize> {
    const { name, numBytes } = this.#source;
    const request = this.#prepared.rows?.request;
    // Reading few rows is faster than counting all rows of some files.
    if (request?.some((pick) => mostPicked(pick) <= FEW_ROWS)) {
      return { name, numRows: undefined, numBytes: undefined };
    }
    let numRows: number | undefined;
    try {
      const all = await this.#source.numRows();
      numRows = all === undefined || request === undefined
        ? all
        : numRowsOf(resolveRows(request, all));
    } catch {
      // If counting fails, so will reading, which reports the error.
    }
    return { name, numRows, numBytes };
  }

  get warnings(): readonly string[] {
    return this.#prepared.steps.flatMap(({ node, stage }) =>
      (stage.warnings ?? []).map((warning) => `${node.name}: ${warning}`)
    );
  }

  get threshold(): number {
    return this.#context.offsets.threshold;
  }

  get wideText(): readonly WideText[] {
    return this.#wideText.found;
  }

  /** Yields the batches of the result, at least one. */
  async *batches(): AsyncGenerator<RecordBatch, void, void> {
    const { schema, steps } = this.#prepared;
    const { backend } = this.#context;
    let passage = this.#passage(() => this.#read(), 0);
    for (const [index, { stage }] of steps.entries()) {
      const input = passage;
      passage = this.#passage(() => stage.run(input, this.#contextOf(index + 1)), index + 1);
    }
    // Downloads run ahead of the consumer, so that several share one wait for the device.
    const onHost = backend.kind === "host" ? passage : inFlight(passage, this.#context, toHost);
    async function* toHost(batch: Batch): Batches {
      yield await batch.onHost(backend);
    }
    let isOpen = true;
    try {
      for (;;) {
        const next = await onHost.next();
        isOpen = !next.done;
        if (next.done) break;
        yield this.#result(next.value);
        await turnOfOthers();
      }
      if (this.batchesOut === 0) yield emptyRecordBatch(schema);
    } finally {
      // Abort first: otherwise a pending read of a slow source would delay the end.
      if (isOpen) this.#left.at(-1)!.abort();
      await onHost.return?.();
      this.ended = true;
      this.#count.end();
    }
  }

  /** Yields the batches of the source; joins small ones on their way to a device. */
  #read(): Batches {
    const batches = this.#reading.batches();
    const { backend, memory, offsets: { threshold } } = this.#context;
    const { input, joinsSmall, steps } = this.#prepared;
    const isUploaded = backend.kind !== "host" &&
      steps.some(({ stage }) => numKernelsOf(stage) > 0);
    if (!joinsSmall || !isUploaded) return batches;
    return uploadBatches(batches, input, Math.min(JOINED_BYTES, memory, threshold - 1));
  }

  /** Converts a host batch of the result, counts it, and releases it. */
  #result(batch: Batch): RecordBatch {
    try {
      this.numRowsOut += batch.numRows;
      this.bytesOut += batch.numBytes;
      this.batchesOut++;
      const recordBatch = batch.recordBatch(this.#context.offsets);
      this.#wideText.note(batch);
      return recordBatch;
    } finally {
      batch.release();
    }
  }

  /** Creates the passage after the source (index 0) or after a stage. */
  #passage(open: () => AsyncIterator<Batch, void, void>, index: number): Passage {
    const { offsets, backend } = this.#context;
    const ends = {
      from: this.#meters[index]!,
      to: this.#meters[index + 1],
      left: this.#left[index]!,
    };
    // Errors of the source stay unchanged.
    if (index === 0) return new Passage(open, ends);
    return new Passage(open, {
      ...ends,
      settle: (batch) => batch.settle(offsets, backend),
      errorOf: (error) => this.#reading.isOwn(error) ? error : this.#stepError(index - 1, error),
    });
  }

  /**
   * Returns the context of a stage. Its signal aborts when the taker of that stage or a later one
   * leaves early.
   */
  #contextOf(index: number): StageContext {
    const later = this.#left.slice(index).map(({ signal }) => signal);
    const meter = this.#meters[index]!;
    return {
      ...this.#context,
      signal: AbortSignal.any([this.#context.signal, ...later]),
      onSpill: (numBytes) => void (meter.bytesSpilled += numBytes),
      onBuffered: (numBytes) => void (meter.bytesHeld = Math.max(meter.bytesHeld, numBytes)),
      inputRows: () => this.#rowsBefore(index),
    };
  }

  /**
   * Returns the number of rows that come to a stage; undefined if it is unknown or would cost
   * requests to a server.
   */
  async #rowsBefore(index: number): Promise<number | undefined> {
    if (this.#source.numRequests !== undefined) return undefined;
    try {
      const all = await this.#source.numRows({ signal: this.#context.signal });
      if (all === undefined) return undefined;
      const { rows, steps } = this.#prepared;
      const first = rows === undefined ? all : numRowsOf(resolveRows(rows.request, all));
      return steps.slice(0, index - 1).reduce<number | undefined>(
        (numRows, { node }) => numRows === undefined ? undefined : numRowsAfter(node, numRows),
        first,
      );
    } catch {
      // If counting fails, so will reading, which reports the error.
      return undefined;
    }
  }

  /** Returns the error of a step, with its row in the plan as the user wrote it. */
  async #stepError(index: number, error: unknown): Promise<unknown> {
    const { step, node } = this.#prepared.steps[index]!;
    if (!isSluiceError(error, "RowError")) return stepErrorOf(step, node.name, error);
    const countRows = () => this.#source.numRows();
    const row = await writtenRow(error.row, index, this.#prepared, countRows);
    return new StepError(step, node.name, error.cause, row);
  }
}
