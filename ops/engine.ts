/**
 * The engine: what runs the plans that streams carry.
 *
 * @module
 */

import { RecordBatch, type Schema } from "apache-arrow";
import type { Backend } from "../gpu/backend.ts";
import type { Plan, PlanEngine } from "../streams/plan.ts";
import { Batch } from "./batch.ts";
import { chooseDevice, type ChosenDevice, type Device } from "./choose_device.ts";
import { explainPlan } from "./explain_plan.ts";
import { inFlight } from "./in_flight.ts";
import type { StageContext } from "./node.ts";
import { plainSchema } from "./plain_schema.ts";
import { countRows, prepare, type Prepared } from "./prepare.ts";
import { Meter, type OperatorStats, type RunStats } from "./run_stats.ts";
import { splitForOffsets } from "./split_for_offsets.ts";
import { stepErrorOf } from "./step_error.ts";
import { emptyRecordBatch } from "./to_arrow.ts";

/** How an engine is made. */
export interface EngineOptions {
  /**
   * Where to compute. `auto` takes a hardware adapter where there is one, else the host; `gpu`
   * takes any adapter; `cpu` the host. Default: the environment variable `SLUICE_DEVICE`, else
   * `auto`.
   */
  readonly device?: Device;
  /** Bytes that the batches in flight may hold, on the device too. Default: 1 GiB. */
  readonly memory?: number;
  /** Whether plans are rewritten and expressions fused; false is for tests. Default: true. */
  readonly fuse?: boolean;
  /** Called when a run starts, with stats that the run then updates. */
  readonly onRun?: (run: RunStats) => void;
}

/** Where an engine computes, for a person. */
export interface EngineDescription {
  readonly kind: Backend["kind"];
  readonly description: string;
  /** Why this device. */
  readonly reason: string;
}

/** Runs plans on one device. Streams and operators mix only if they share the engine. */
export interface Engine extends PlanEngine {
  /** Chooses the device, if that is not done yet, and describes it. */
  describe(): Promise<EngineDescription>;
  /** The backend, for tests and plugins that compute columns themselves. */
  backend(): Promise<Backend>;
  /** Frees the device. Streams of the engine must have ended. */
  close(): Promise<void>;
}

const GIB = 2 ** 30;

/**
 * Makes an engine. The device is looked for at its first use; `gpu` without an adapter is a
 * DeviceError then.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createEngine } from "../mod.ts";
 *
 * const engine = createEngine({ device: "cpu" });
 * assertEquals((await engine.describe()).kind, "host");
 * ```
 */
export function createEngine(options: EngineOptions = {}): Engine {
  return new SluiceEngine(options);
}

let shared: Engine | undefined;

/** The engine of streams and operators that were given none. */
export function defaultEngine(): Engine {
  return shared ??= createEngine();
}

class SluiceEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #memory: number;
  readonly #fuse: boolean;
  #device: Promise<ChosenDevice> | undefined;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#memory = options.memory ?? GIB;
    if (!(this.#memory > 0)) throw new RangeError(`Memory must be positive, not ${this.#memory}`);
    this.#fuse = options.fuse ?? true;
  }

  async describe(): Promise<EngineDescription> {
    const { backend, reason } = await this.#chosen();
    return { kind: backend.kind, description: backend.description, reason };
  }

  async backend(): Promise<Backend> {
    return (await this.#chosen()).backend;
  }

  async close(): Promise<void> {
    const device = await this.#device?.catch(() => undefined);
    this.#device = undefined;
    device?.backend.close();
  }

  async schema(plan: Plan): Promise<Schema> {
    const prepared = await this.#prepare(plan);
    if (prepared !== undefined) return prepared.schema;
    throw new TypeError(`${plan.source.name} ended before its first batch: it has no schema`);
  }

  numRows(plan: Plan): Promise<number | undefined> {
    return countRows(plan);
  }

  async explain(plan: Plan): Promise<string> {
    return explainPlan(plan, await this.#prepare(plan), await this.describe(), this.#fuse);
  }

  async *open(plan: Plan, signal: AbortSignal): AsyncGenerator<RecordBatch, void, void> {
    if (signal.aborted) {
      // Nobody read it, but the source has to learn that nobody will.
      for await (const _ of plan.source.open({ signal })) break;
      return;
    }
    const prepared = await this.#prepare(plan);
    if (prepared === undefined) return;
    const context = { backend: await this.backend(), memory: this.#memory, signal };
    const run = new Run(plan, prepared, context);
    this.#options.onRun?.(run);
    yield* run.batches();
  }

  #prepare(plan: Plan): Promise<Prepared | undefined> {
    return prepare(plan, { fuse: this.#fuse });
  }

  #chosen(): Promise<ChosenDevice> {
    return this.#device ??= chooseDevice(this.#options.device, this.#memory);
  }
}

/** One run of a plan. */
class Run implements RunStats {
  readonly #plan: Plan;
  readonly #prepared: Prepared;
  readonly #context: StageContext;
  readonly #source: Meter;
  readonly #meters: readonly Meter[];
  readonly #bytesBefore: number;
  numRowsOut = 0;
  bytesOut = 0;
  ended = false;

  constructor(plan: Plan, prepared: Prepared, context: StageContext) {
    this.#plan = plan;
    this.#prepared = prepared;
    this.#context = context;
    this.#source = new Meter(`read ${plan.source.name}`, 1);
    this.#meters = prepared.steps.map(({ node, step }) => new Meter(node.name, step));
    this.#bytesBefore = plan.source.bytesRead;
  }

  get operators(): readonly OperatorStats[] {
    return [this.#source, ...this.#meters];
  }

  get counters(): RunStats["counters"] {
    return this.#context.backend.counters;
  }

  get numRowsIn(): number {
    return this.#source.rowsOut;
  }

  get bytesIn(): number {
    return this.#plan.source.bytesRead - this.#bytesBefore;
  }

  /** The batches of the result, at least one. */
  async *batches(): AsyncGenerator<RecordBatch, void, void> {
    let batches: AsyncGenerator<Batch, void, void> = this.#source.output(this.#read());
    for (const [index, { node, step, stage }] of this.#prepared.steps.entries()) {
      const meter = this.#meters[index]!;
      const input = meter.input(batches);
      const work = named(step, node.name, meter, () => stage.run(input, this.#context));
      batches = meter.output(work);
    }
    const { backend } = this.#context;
    try {
      for await (const batch of inFlight(batches, this.#context, toHost(backend))) {
        const result = await batch.toRecordBatch(backend);
        this.numRowsOut += batch.numRows;
        this.bytesOut += batch.numBytes;
        batch.release();
        yield result;
      }
      const { schema, steps } = this.#prepared;
      const given = steps.length === 0 ? this.#source : this.#meters.at(-1)!;
      if (given.batchesOut === 0) yield emptyRecordBatch(schema);
    } finally {
      this.ended = true;
    }
  }

  async *#read(): AsyncGenerator<Batch, void, void> {
    const { input, range } = this.#prepared;
    const { signal } = this.#context;
    for await (const whole of this.#plan.source.open({ ...range, signal })) {
      checkSchema(this.#plan.source.name, input, whole.schema);
      for (const batch of splitForOffsets(whole)) yield Batch.fromRecordBatch(input, batch);
    }
  }
}

/** Downloads batches ahead of the reader, so that several waits for the device are one. */
function toHost(backend: Backend) {
  return async function* (batch: Batch): AsyncGenerator<Batch, void, void> {
    await batch.toHost(backend);
    yield batch;
  };
}

/** The same batches; an error of the operator gets its step and, where known, its row. */
async function* named(
  step: number,
  name: string,
  meter: Meter,
  run: () => AsyncGenerator<Batch, void, void>,
): AsyncGenerator<Batch, void, void> {
  try {
    yield* run();
  } catch (error) {
    throw stepErrorOf(step, name, error, meter.rowsIn - meter.lastRowsIn);
  }
}

/** A foreign stream may change its mind; a batch of other columns must not be misread. */
function checkSchema(name: string, input: Schema, schema: Schema): void {
  const plain = plainSchema(schema);
  const same = plain.fields.length === input.fields.length &&
    plain.fields.every((field, index) => {
      const expected = input.fields[index]!;
      return field.name === expected.name && String(field.type) === String(expected.type);
    });
  if (!same) {
    throw new TypeError(`${name}: a batch has other columns (${plain}) than the first (${input})`);
  }
}
