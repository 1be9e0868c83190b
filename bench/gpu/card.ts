/**
 * A card that is measured part by part. A part writes each result immediately, as a line of JSON, and begins nothing
 * new when its time is over.
 *
 * @module
 */

import { createWebGpuBackend } from "../../gpu/webgpu/backend.ts";
import { median } from "../support/measure.ts";
import { thisMachine, versions } from "../support/machine.ts";
import { type GpuResults, rounded } from "./gpu_results.ts";
import { measureCopies } from "./copies.ts";
import { MeasuredGpu } from "./measured_gpu.ts";
import { measureWork } from "./measure_work.ts";
import { canBeOnePass } from "../../tests/support/device/in_passes.ts";
import type { Work } from "./works.ts";

/** The options of a part. */
interface CardOptions {
  readonly part: string;
  /** The file to which lines are appended. */
  readonly results: string;
  /** 1 for a card; less for a trial with fewer rows. */
  readonly scale: number;
  readonly seconds: number;
}

/** The times of several runs, in milliseconds. */
interface RunTimes {
  readonly medianMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

/** The bytes of the largest copy of a trial. */
const TRIAL_BYTES = 2 ** 24;
/** The bytes of a transfer for each row of the largest work. */
const BYTES_OF_ROW = 20;
const MOST_ROWS = 100_000_000;

/** A part of a measurement. */
export class Card {
  readonly scale: number;
  readonly #options: CardOptions;
  readonly #startMs = performance.now();

  constructor(options: CardOptions) {
    this.#options = options;
    this.scale = options.scale;
  }

  /** Scales a number of rows or bytes, to fewer in a trial. */
  scaled(count: number, least = 64): number {
    return Math.max(Math.min(least, count), Math.round(this.scale * count));
  }

  /** Whether it is too late to begin anything. */
  get isLate(): boolean {
    return performance.now() > this.#deadlineMs;
  }

  get #deadlineMs(): number {
    return this.#startMs + 1000 * this.#options.seconds;
  }

  /** Writes facts to the file of results. */
  note(facts: Readonly<Record<string, unknown>>): void {
    const { part, results } = this.#options;
    const seconds = (performance.now() - this.#startMs) / 1000;
    const line = JSON.stringify({ part, seconds, ...facts }, shortened);
    console.log(line);
    Deno.writeTextFileSync(results, `${line}\n`, { append: true });
  }

  /** Takes a step, and writes its result or its error. */
  async step(name: string, take: () => unknown): Promise<void> {
    if (this.isLate) return this.note({ step: name, left: "no time" });
    try {
      const value = await take();
      this.note({ step: name, ...(value === undefined ? {} : { value }) });
    } catch (error) {
      this.note({ step: name, failed: String(error).slice(0, 600) });
    }
  }

  /** Takes a step several times, and writes the times. */
  async timed(name: string, numRuns: number, run: () => unknown): Promise<void> {
    await this.step(name, () => timesOf(numRuns, run));
  }

  /** Opens the device. With a profile, its own clock times kernels. */
  async open(options: { readonly profile: boolean }): Promise<MeasuredGpu> {
    const backend = await createWebGpuBackend({ software: true });
    if (backend === null) throw new Error("There is no WebGPU adapter");
    const { device, pool } = backend.context;
    const profile = options.profile ? await device.startProfile() : null;
    const maxRows = this.scaled(MOST_ROWS);
    const limits = {
      maxRows,
      maxBytes: Math.max(TRIAL_BYTES, BYTES_OF_ROW * maxRows),
      deadlineMs: this.#deadlineMs,
    };
    const results: GpuResults = {
      date: new Date().toISOString(),
      machine: thisMachine(),
      versions: await versions(),
      adapter: device.adapter,
      driver: null,
      hasTimestamps: profile !== null,
      budgetBytes: pool.budgetBytes,
      ...{ notes: [], copies: [], kernels: [], tables: {} },
    };
    this.note({ device: backend.description, isTimedByDevice: profile !== null });
    return new MeasuredGpu(backend, profile, limits, results);
  }

  /** Measures copies on the device, with which its kernels are compared. */
  async copies(gpu: MeasuredGpu, mostBytes = Infinity): Promise<void> {
    const maxBytes = Math.min(gpu.maxBytes, mostBytes, this.scale < 1 ? TRIAL_BYTES : Infinity);
    const limits = { ...gpu.limits, maxBytes };
    const limited = new MeasuredGpu(gpu.backend, gpu.profile, limits, gpu.results);
    for await (const copy of measureCopies(limited)) {
      gpu.results.copies.push(copy);
      this.note({ copy });
    }
  }

  /** Measures the kernels of a work, whose first rows must equal those of the host. */
  async work(gpu: MeasuredGpu, made: Work, how = ""): Promise<void> {
    const work = { ...made, name: `${made.name}${how}` };
    await this.step(`${work.name}, ${work.numRows.toLocaleString("en")} rows`, async () => {
      for (const { work: name, numRows: _, bytes, ...times } of await measureWork(gpu, work)) {
        this.note({ work: name, ...times, megabytes: bytes === null ? null : bytes / 1e6 });
      }
    });
  }

  /** Does the same in two passes, and in one if possible. */
  async inBothPasses(gpu: MeasuredGpu, made: Work): Promise<void> {
    await this.work(gpu.inPasses("never"), made, " in two passes");
    if (canBeOnePass(gpu.backend)) {
      await this.work(gpu.inPasses("always"), made, " in one pass");
    }
  }
}

/** Returns the times of `run`, after two runs that do not count. */
export async function timesOf(numRuns: number, run: () => unknown): Promise<RunTimes> {
  const times: number[] = [];
  for (let k = -2; k < numRuns; k++) {
    const start = performance.now();
    await run();
    if (k >= 0) times.push(performance.now() - start);
  }
  return { medianMs: median(times), leastMs: Math.min(...times), mostMs: Math.max(...times) };
}

/** Rounds fractions for JSON. */
function shortened(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? rounded(value) : value;
}
