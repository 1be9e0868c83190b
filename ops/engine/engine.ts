/**
 * The engine, which prepares the plans of streams and runs them.
 *
 * The life of a batch, in the order in which the result pulls it:
 *
 *     Source.rows          a record batch of the rows and columns that the plan wants   streams/source
 *       | source_reading   counts rows, joins small batches, remembers where text came from
 *       | ops/batch        Arrow's buffers become the columns of a Batch, without a copy
 *       v
 *     Passage              times and counts each batch, names the step of an error, ends early
 *       | stage            in_flight keeps several batches at work, as many as the memory allows
 *       |   backend        evaluates, filters, probes: on the host, or on a device that a window of
 *       |                  rows is uploaded to when a kernel first reads it
 *       v
 *     Passage, stage, ...  one pair for each step of the rewritten plan
 *       | run              downloads what is on a device
 *       | ops/batch        columns become a record batch, with offsets of 64 bits where text needs them
 *       v
 *     BatchStream          the caller, or a sink that encodes it                         streams/sink
 *
 * Nothing runs before the result is pulled; a batch is released by the stage that consumed it.
 *
 * @module
 */

import { showValue } from "../../base/kind_of.ts";
import { checkFlag, checkFunction, checkNamed } from "../../base/option_kinds.ts";
import type { RecordBatch, Schema } from "apache-arrow";
import type { Backend } from "../../gpu/backend.ts";
import type { ExplainOptions, Plan, PlanEngine } from "../../streams/plan/plan.ts";
import type { ProbeEstimate } from "../../streams/rows/chunk_lengths.ts";
import type { Source } from "../../streams/plan/source.ts";
import { printProbe } from "./auto_devices.ts";
import { checkDevice, type Device, devicesOf } from "./choose_device.ts";
import type { OffsetRule } from "../batch/offset_rule.ts";
import { MetadataRun } from "./metadata_run.ts";
import type { PlanWork } from "./device_cost.ts";
import type { ChosenDevice, Devices } from "./devices.ts";
import { PlanInputs } from "./plan_inputs.ts";
import { LARGE_WORK, planWork } from "./plan_work.ts";
import {
  type CompiledPlan,
  compilePlan,
  prepare,
  type Prepared,
  rowsOfMetadata,
} from "./prepare.ts";
import { probeWarning } from "./probe_warning.ts";
import { Run } from "./run.ts";
import type { RunStats } from "./run_stats.ts";
import { SourceCount } from "./source_count.ts";
import { chooseThreads } from "../../base/settings/settings.ts";
import { chooseOffsetRule } from "./settings.ts";

/** Options of an engine. */
export interface EngineOptions {
  /**
   * Where to compute. `auto` uses a hardware adapter for plans that gain from it according to a
   * probe of this machine, otherwise the host; `gpu` uses any adapter; `cpu` uses the host; `check`
   * computes on both, and a difference is an error that names step, column, row, kernel and both
   * values. Default: the environment variable `SLUICE_DEVICE`, or `auto`.
   */
  readonly device?: Device;
  /**
   * The maximum bytes of the batches in flight, also on the device; a larger batch runs alone. It
   * is also the maximum bytes of a row of CSV or NDJSON, where a longer one is an error, and the
   * approximate maximum of the build side of a join, which spills the excess to temporary files.
   * Default: 1 GiB.
   */
  readonly memory?: number;
  /**
   * The folder for temporary files, which exist while a join runs whose build side exceeds
   * `memory`. Default: the folder of the system, which the environment variable `TMPDIR` may set.
   */
  readonly temp?: string;
  /**
   * The maximum threads of the host, including the main thread. Others are used only if there is
   * enough work and a processor is free. Default: the environment variable `SLUICE_THREADS`, or the
   * number of processors, at most 8.
   */
  readonly threads?: number;
  /**
   * The bytes of text in one column of one batch at which its offsets become 64-bit: 1 to 2^31 - 1.
   * Default: the environment variable `SLUICE_LARGE_STRINGS_THRESHOLD`, or 2^31 - 1.
   */
  readonly threshold?: number;
  /**
   * Whether 64-bit offsets are allowed. If not, an operator whose text would need them fails with
   * an OverflowError. Default: true, unless the environment variable `SLUICE_LARGE_STRINGS_ENABLED`
   * is 0.
   */
  readonly largeStrings?: boolean;
  /** Whether plans are rewritten and expressions fused; false is for tests. Default: true. */
  readonly fuse?: boolean;
  /**
   * Called when a run starts, with statistics that the run then updates. If metadata alone answers
   * a request for the number of rows, called once with the statistics of that.
   */
  readonly onRun?: (run: RunStats) => void;
  /**
   * Called with a line that warns the user beforehand, such as that counting the rows of a file
   * takes long; once for each source.
   */
  readonly onWarning?: (warning: string) => void;
}

/** A human-readable description of where an engine computes. */
export interface EngineDescription {
  /** The kind of the backend. */
  readonly kind: Backend["kind"];
  /** The name of the adapter, or the host. */
  readonly description: string;
  /** The reason why this device was chosen. */
  readonly reason: string;
  /** The speed of the adapter, in words, if the choice depended on it. */
  readonly probe?: string;
  /**
   * The bytes of the longest text that the device supports. Steps that read or create a longer one
   * in some batch run on the host for that batch. Infinity on the host.
   */
  readonly maxTextBytes: number;
}

/** Runs plans on one device. Streams and operators mix only if they share the engine. */
export interface Engine {
  /**
   * The engine that plans of this engine's streams refer to.
   *
   * @internal
   */
  readonly plans: PlanEngine;
  /**
   * The rule for 64-bit offsets, from the options or the environment.
   *
   * @internal
   */
  readonly offsets: OffsetRule;
  /**
   * The bytes of a file that a worker may decode ahead; 0 if there is only one thread.
   *
   * @internal
   */
  readonly aheadBytes: number;
  /**
   * The maximum bytes of a row of a text file, which is `memory`.
   *
   * @internal
   */
  readonly rowBytes: number;
  /** Describes the device that was chosen last, or else the device for a large plan. */
  describe(): Promise<EngineDescription>;
  /**
   * Returns the backend of the device that `describe` describes, for example to download batches.
   */
  backend(): Promise<Backend>;
  /** Frees the device. Streams of the engine must have ended. */
  close(): Promise<void>;
}

const GIB = 2 ** 30;
/** The most bytes that are decoded ahead: enough that no thread waits for another. */
const MOST_AHEAD = 8 << 20;

/**
 * Creates an engine. It opens its device lazily, so `gpu` without an adapter throws a DeviceError
 * only at the first use.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createEngine } from "../../mod.ts";
 *
 * const engine = createEngine({ device: "cpu" });
 * assertEquals((await engine.describe()).kind, "host");
 * ```
 */
export function createEngine(options: EngineOptions = {}): Engine {
  return new SluiceEngine(options);
}

let shared: Engine | undefined;

/**
 * Returns the engine of streams and operators that are created without one.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { defaultEngine } from "../../mod.ts";
 *
 * assert(defaultEngine() === defaultEngine());
 * ```
 */
export function defaultEngine(): Engine {
  return shared ??= createEngine();
}

class SluiceEngine implements Engine, PlanEngine {
  readonly #options: EngineOptions;
  readonly #memory: number;
  readonly offsets: OffsetRule;
  readonly aheadBytes: number;
  readonly rowBytes: number;
  readonly #threads: number | undefined;
  readonly #fuse: boolean;
  /** The sources that a warning has named. */
  readonly #probed = new WeakSet<Source>();
  /** The plans that are prepared and do not run yet. */
  readonly #prepared = new WeakMap<Plan, Promise<Prepared | undefined>>();
  #devices: Devices | undefined;
  /** The device that was chosen last. */
  #latest: Promise<ChosenDevice> | undefined;

  constructor(options: EngineOptions) {
    checkNamed("createEngine()", "options", options);
    const { device, temp, memory = GIB } = options;
    this.#options = options;
    this.#memory = memory;
    checkDevice(device);
    if (temp !== undefined && (typeof temp !== "string" || temp === "")) {
      throw new TypeError(`temp is the path of a folder, not ${showValue(temp)}`);
    }
    if (typeof memory !== "number" || !(memory > 0)) {
      throw new RangeError(`memory is a number of bytes above 0, not ${showValue(memory)}`);
    }
    checkFlag("fuse", options.fuse);
    checkFunction("onRun", options.onRun);
    checkFunction("onWarning", options.onWarning);
    this.offsets = chooseOffsetRule(options.threshold, options.largeStrings);
    this.#threads = chooseThreads(options.threads);
    const threads = this.#threads ?? navigator.hardwareConcurrency;
    this.rowBytes = this.#memory;
    this.aheadBytes = threads > 1 ? Math.min(MOST_AHEAD, this.#memory / 16) : 0;
    this.#fuse = options.fuse ?? true;
  }

  get plans(): PlanEngine {
    return this;
  }

  async describe(): Promise<EngineDescription> {
    const { backend, reason, probe } = await this.#current();
    const { kind, description, maxTextBytes } = backend;
    const known = { kind, description, reason, maxTextBytes };
    return probe === undefined ? known : { ...known, probe: printProbe(probe) };
  }

  async backend(): Promise<Backend> {
    return (await this.#current()).backend;
  }

  async close(): Promise<void> {
    const devices = this.#devices;
    [this.#devices, this.#latest] = [undefined, undefined];
    await devices?.close();
  }

  async schema(plan: Plan): Promise<Schema> {
    const prepared = await this.#prepare(plan);
    if (prepared !== undefined) return prepared.schema;
    throw new TypeError(`${plan.source.name} ended before its first batch: it has no schema`);
  }

  async numRows(
    plan: Plan,
    { isResult = false }: { readonly isResult?: boolean } = {},
  ): Promise<number | undefined> {
    const { source } = plan;
    const count = new SourceCount(source);
    const start = performance.now();
    const numRows = await rowsOfMetadata(plan, { onProbe: this.#onProbe(source) });
    if (isResult && numRows !== undefined) {
      count.end();
      const elapsedMs = performance.now() - start;
      this.#options.onRun?.(new MetadataRun(source, count, elapsedMs, this.offsets.threshold));
    }
    return numRows;
  }

  async explain(plan: Plan, options?: ExplainOptions): Promise<string> {
    const compiled = await this.#compile(plan);
    const { explainPlan } = await import("./explain_plan.ts");
    return explainPlan(plan, compiled, await this.#chosen(plan, compiled), this.#fuse, options);
  }

  async *open(plan: Plan, signal: AbortSignal): AsyncGenerator<RecordBatch, void, void> {
    const inputs = new PlanInputs(plan, this.#onProbe(plan.source));
    // An abort must also end the wait for a schema, before anything is open.
    const abandon = () => inputs.abandon(signal.reason);
    signal.addEventListener("abort", abandon, { once: true });
    let chosen: Promise<ChosenDevice> | undefined;
    try {
      if (signal.aborted) return;
      const compiled = await this.#compile(plan);
      // Stages run once, so another run must prepare the plan again.
      this.#prepared.delete(plan);
      if (compiled === undefined || signal.aborted) return;
      chosen = this.#chosen(plan, compiled);
      // The device that was chosen just now.
      const backend = await this.backend();
      const { temp } = this.#options;
      const context = { backend, memory: this.#memory, offsets: this.offsets, signal, temp };
      const run = new Run(plan.source, inputs, compiled, context);
      this.#options.onRun?.(run);
      yield* run.batches();
    } catch (error) {
      await inputs.abandon(error);
      throw error;
    } finally {
      // The build side of a join ran within this run and has chosen a device too.
      this.#latest = chosen ?? this.#latest;
      signal.removeEventListener("abort", abandon);
      await inputs.abandon(signal.reason);
    }
  }

  /** Prepares a plan, at most once for its schema and the run after that. */
  #prepare(plan: Plan): Promise<Prepared | undefined> {
    let prepared = this.#prepared.get(plan);
    if (prepared === undefined) {
      prepared = prepare(plan, { fuse: this.#fuse }, { onProbe: this.#onProbe(plan.source) });
      this.#prepared.set(plan, prepared);
      prepared.catch(() => this.#prepared.delete(plan));
    }
    return prepared;
  }

  async #compile(plan: Plan): Promise<CompiledPlan | undefined> {
    const prepared = await this.#prepare(plan);
    return prepared && compilePlan(prepared);
  }

  #onProbe(source: Source): (estimate: ProbeEstimate) => void {
    return (estimate) => {
      if (this.#probed.has(source)) return;
      this.#probed.add(source);
      this.#options.onWarning?.(probeWarning(source.name, estimate));
    };
  }

  #current(): Promise<ChosenDevice> {
    return this.#latest ?? this.#choose(() => Promise.resolve(LARGE_WORK));
  }

  #chosen({ source }: Plan, compiled: CompiledPlan | undefined): Promise<ChosenDevice> {
    if (compiled === undefined) return this.#current();
    return this.#choose(() => planWork(compiled, source));
  }

  #choose(estimate: () => Promise<PlanWork>): Promise<ChosenDevice> {
    this.#devices ??= devicesOf(this.#options.device, this.#memory, this.#threads);
    return this.#latest = this.#devices.choose(estimate);
  }
}
