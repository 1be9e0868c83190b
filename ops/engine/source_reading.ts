/**
 * Reads the source of a run: batches from the front, or rows by position.
 *
 * @module
 */

import { isSluiceError } from "../../base/errors/is_sluice_error.ts";
import type { RecordBatch, Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import { checkSameColumns } from "../../streams/data/arrow_data.ts";
import { plainSchema } from "../../streams/data/plain_schema.ts";
import { type MissingRowError, StepError } from "../../base/errors/step_error.ts";
import { stepErrorOf } from "../../base/errors/wrap_error.ts";
import { allRows, resolveRows, type RowRequest } from "../../streams/rows/row_request.ts";
import type { RowRun } from "../../streams/rows/row_run.ts";
import type { OpenOptions, Source, SourceRows } from "../../streams/plan/source.ts";
import { Batch } from "../batch/batch.ts";
import { turnOfOthers } from "./event_loop.ts";
import type { StageContext } from "./node.ts";
import { type BatchRows, bufferRows, orderedRows } from "./ordered_rows.ts";
import type { PlanInputs } from "./plan_inputs.ts";
import type { Prepared } from "./prepare.ts";
import { type AscendingRows, readsOf, type RowRead } from "./row_order.ts";

type Batches = AsyncGenerator<Batch, void, void>;

/** Small batches are joined up to these sizes, at which the overhead of a batch is negligible. */
const TOGETHER_ROWS = 8192;
const TOGETHER_BYTES = 1 << 20;

/** Reads the source of a prepared plan, once. */
export class SourceReading {
  readonly #source: Source;
  readonly #inputs: PlanInputs;
  readonly #prepared: Prepared;
  readonly #context: StageContext;
  #failure: { readonly error: unknown } | undefined;
  /** The schema that was checked last. */
  #checked: Schema | undefined;

  constructor(source: Source, inputs: PlanInputs, prepared: Prepared, context: StageContext) {
    this.#source = source;
    this.#inputs = inputs;
    this.#prepared = prepared;
    this.#context = context;
  }

  /** Whether an error came from the source, not from a later step. */
  isOwn(error: unknown): boolean {
    return this.#failure !== undefined && this.#failure.error === error;
  }

  /** Yields the wanted rows in the order of the request. */
  batches(): Batches {
    const { rows } = this.#prepared;
    return rows === undefined ? this.#rowsOf(allRows) : this.#pickedRows(rows.request);
  }

  async *#pickedRows(wanted: RowRequest): Batches {
    const { input } = this.#prepared;
    for (const { request, ascending } of await this.#readsOf(wanted)) {
      const buffered = ascending && await this.#buffer(ascending);
      if (buffered === undefined) yield* this.#rowsOf(request);
      else yield* orderedRows(input, buffered, ascending!, this.#source);
    }
  }

  /** Returns the reads for the rows of a request. */
  async #readsOf(request: RowRequest): Promise<readonly RowRead[]> {
    try {
      return await readsOf(request, () => this.#inputs.numRows(this.#context.signal));
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Buffers rows in ascending order; undefined if there are too many for memory. */
  #buffer({ request }: AscendingRows): Promise<readonly Batch[] | undefined> {
    const { backend, memory, onBuffered } = this.#context;
    // Half of the memory, since the rows are copied once more.
    return bufferRows(this.#parts(request), backend, { maxBytes: memory / 2, onBuffered });
  }

  /** Yields the rows of a request in the order in which the source reads them. */
  async *#rowsOf(request: RowRequest): Batches {
    const { backend } = this.#context;
    try {
      for await (const rows of this.#inputs.rows(request, this.#options())) {
        const batch = this.#batchOf(rows);
        yield rows.runs === undefined ? batch : await takenRows(batch, rows.runs, backend);
        // Even awaiting `undefined` costs a turn of the event loop.
        const turn = turnOfOthers();
        if (turn !== undefined) await turn;
      }
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Yields the batches of the source that have rows of a request. */
  async *#parts(request: RowRequest): AsyncGenerator<BatchRows, void, void> {
    try {
      for await (const rows of this.#inputs.rows(request, this.#options())) {
        const batch = this.#batchOf(rows);
        yield rows.runs === undefined ? { batch } : { batch, runs: rows.runs };
      }
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #batchOf({ batch, firstRow: row, step = 1 }: SourceRows): Batch {
    this.#check(batch);
    const origin = { source: this.#source, row, step };
    return Batch.fromRecordBatch(this.#prepared.input, batch, origin, this.#context.offsets);
  }

  /**
   * Records an error as one of the source, or of the step that picks a row that the source lacks.
   */
  #failed(cause: unknown): unknown {
    const error = isSluiceError(cause, "MissingRowError") ? this.#missingRow(cause) : cause;
    this.#failure = { error };
    return error;
  }

  /** Returns the error of the row that is missing first in the order of the request. */
  #missingRow(cause: MissingRowError): unknown {
    const { rows } = this.#prepared;
    if (rows === undefined) return cause;
    let first = cause;
    try {
      if (cause.pick === 0) resolveRows(rows.request, cause.numRows);
    } catch (error) {
      if (isSluiceError(error, "MissingRowError")) first = error;
    }
    const step = rows.steps[first.pick];
    return step === undefined ? first : stepErrorOf(step.step, step.node.name, first);
  }

  #options(): OpenOptions {
    const { columns, joinsSmall } = this.#prepared;
    return {
      signal: this.#context.signal,
      ...(columns === undefined ? {} : { columns }),
      ...(joinsSmall ? { together: this.#togetherLimits() } : {}),
    };
  }

  /** Returns limits that keep joined batches below the threshold for 64-bit offsets. */
  #togetherLimits(): NonNullable<OpenOptions["together"]> {
    const { memory, offsets: { threshold } } = this.#context;
    return { rows: TOGETHER_ROWS, bytes: Math.min(TOGETHER_BYTES, memory, threshold - 1) };
  }

  /** Throws if a batch has other columns than the first, as in a faulty foreign stream. */
  #check({ schema }: RecordBatch): void {
    // Each batch has its own schema object, mostly with the same type objects.
    if (this.#checked !== undefined && haveSameTypes(this.#checked, schema)) return;
    try {
      checkSameColumns(this.#prepared.input, plainSchema(schema));
    } catch (error) {
      throw new StepError(1, `read ${this.#source.name}`, error);
    }
    this.#checked = schema;
  }
}

/** Whether two schemas have the same column names and share their type objects. */
function haveSameTypes({ fields }: Schema, { fields: others }: Schema): boolean {
  return fields.length === others.length &&
    fields.every(({ name, type }, index) =>
      others[index]!.type === type && others[index]!.name === name
    );
}

/** Returns some rows of a batch, and releases it. */
async function takenRows(batch: Batch, runs: readonly RowRun[], backend: Backend): Promise<Batch> {
  try {
    return await batch.rows(backend, runs);
  } finally {
    batch.release();
  }
}
