/**
 * Measures the time of kernels and copies on a device, without the time that the host waits for
 * them. A profile times each dispatch as a pass of its own, since timestamps are only taken at the
 * ends of a pass. The probe times a whole submit.
 *
 * @module
 */

import type { MappedReads } from "./mapped_reads.ts";

/** The time of one dispatch, copy, clear or submit. */
interface TimedWork {
  /** The label of the kernel, or "copy", "clear" or "submit". */
  readonly label: string;
  readonly elapsedMs: number;
}

/** The work recorded since the last call of `take`. */
export interface Timings {
  /** In the order in which it was recorded. */
  readonly works: readonly TimedWork[];
  /** The number of pieces of work that found no timestamps left. */
  readonly numUntimed: number;
}

/** A device that can be waited for. */
interface ClockedDevice {
  readonly gpu: GPUDevice;
  readonly reads: MappedReads;
}

/** Work that can be submitted. */
interface Submittable {
  submit(): void;
}

/** Both clocks, read together. */
interface Reading {
  readonly hostMs: number;
  readonly ticks: bigint;
}

/** The most pieces of work between two calls of `take`: a set has 4,096 timestamps at most. */
const PROFILED_WORKS = 2048;

/** The alignment of resolved timestamps. */
const RESOLVE_BYTES = 256;

/** The time over which a profile compares the two clocks. */
const CALIBRATION_MS = 100;

/** The longest time from reading the host's clock to the start of the work on the device. */
const LATENESS_MS = 3;

/** The milliseconds of a tick, as WebGPU defines it. */
const NANOSECOND = 1e-6;

// QUERY_RESOLVE, COPY_SRC, COPY_DST
const RESOLVED_USAGE = 0x200 | 0x04 | 0x08;

/** The timestamps of one device. */
export class DeviceClock implements Disposable {
  readonly #device: ClockedDevice;
  readonly #maxWorks: number;
  readonly #timestamps: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;
  /** The labels of the work that has timestamps, in order. */
  readonly #labels: string[] = [];
  #numUntimed = 0;
  #first: Reading | null = null;
  /** The milliseconds of a tick; some drivers do not follow WebGPU. */
  #tickMs = NANOSECOND;

  private constructor(device: ClockedDevice, maxWorks: number) {
    const { gpu, reads } = device;
    const label = "clock";
    const size = maxWorks * RESOLVE_BYTES;
    this.#device = device;
    this.#maxWorks = maxWorks;
    this.#timestamps = gpu.createQuerySet({ label, type: "timestamp", count: 2 * maxWorks });
    this.#resolved = gpu.createBuffer({ label, size, usage: RESOLVED_USAGE });
    this.#staging = reads.createBuffer(label, size);
  }

  /**
   * Opens the clock of a device for `maxWorks` pieces of work at a time; null if it has no
   * timestamps. Ticks count as nanoseconds until `calibrate` has measured them.
   */
  static open(device: ClockedDevice, maxWorks = 1): DeviceClock | null {
    return device.gpu.features.has("timestamp-query") ? new DeviceClock(device, maxWorks) : null;
  }

  /**
   * Returns a calibrated clock for all dispatches of a bench; null if the device has no
   * timestamps.
   */
  static async profile(device: ClockedDevice): Promise<DeviceClock | null> {
    const clock = DeviceClock.open(device, PROFILED_WORKS);
    if (clock === null) return null;
    await clock.calibrate();
    await new Promise((resolve) => setTimeout(resolve, CALIBRATION_MS));
    await clock.calibrate();
    return clock;
  }

  /** Records a dispatch as a pass of its own. */
  timePass(
    encoder: GPUCommandEncoder,
    label: string,
    record: (pass: GPUComputePassEncoder) => void,
  ): void {
    const slot = this.#slotFor(label);
    const pass = encoder.beginComputePass({ label, ...this.#writes(slot, "both") });
    record(pass);
    pass.end();
    this.#resolve(encoder, slot);
  }

  /** Records work that needs no pass, between two empty passes with timestamps. */
  timeBetween(encoder: GPUCommandEncoder, label: string, record: () => void): void {
    const slot = this.#slotFor(label);
    this.#stamp(encoder, label, slot, "start");
    record();
    this.#stamp(encoder, label, slot, "stop");
    this.#resolve(encoder, slot);
  }

  /** Submits work to the idle device and waits for it; returns its time in milliseconds. */
  async timeSubmit(work: Submittable): Promise<number> {
    const { gpu: { queue }, reads } = this.#device;
    await reads.idle();
    const slot = this.#slotFor("submit");
    const start = this.#encoder();
    this.#stamp(start, "submit", slot, "start");
    queue.submit([start.finish()]);
    work.submit();
    const stop = this.#encoder();
    this.#stamp(stop, "submit", slot, "stop");
    this.#resolve(stop, slot);
    queue.submit([stop.finish()]);
    const { works } = await this.take();
    return works.at(-1)!.elapsedMs;
  }

  /**
   * Waits for the submitted work and returns its times. Work that was never submitted is left out.
   */
  async take(): Promise<Timings> {
    const spans = await this.#spans();
    const works = spans.map(({ label, ticks }) => ({ label, elapsedMs: ticks * this.#tickMs }));
    const numUntimed = this.#numUntimed;
    this.#numUntimed = 0;
    return { works, numUntimed };
  }

  /**
   * Compares the device's clock with the host's. The second and later calls set the length of a
   * tick to the average since the first call, or to a nanosecond if that is within the error. No
   * other work may be timed meanwhile.
   */
  async calibrate(): Promise<void> {
    const reading = await this.#read();
    const first = this.#first ??= reading;
    const elapsedMs = reading.hostMs - first.hostMs;
    const tickMs = elapsedMs / Number(reading.ticks - first.ticks);
    if (!(tickMs > 0 && tickMs < Infinity)) return;
    const isNanosecond = Math.abs(tickMs / NANOSECOND - 1) < LATENESS_MS / elapsedMs;
    this.#tickMs = isNanosecond ? NANOSECOND : tickMs;
  }

  /** Frees the timestamps. */
  [Symbol.dispose](): void {
    this.#timestamps.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }

  #slotFor(label: string): number | null {
    if (this.#labels.length === this.#maxWorks) {
      this.#numUntimed++;
      return null;
    }
    return this.#labels.push(label) - 1;
  }

  #encoder(): GPUCommandEncoder {
    return this.#device.gpu.createCommandEncoder({ label: "clock" });
  }

  #stamp(encoder: GPUCommandEncoder, label: string, slot: number | null, end: "start" | "stop") {
    encoder.beginComputePass({ label, ...this.#writes(slot, end) }).end();
  }

  #writes(
    slot: number | null,
    ends: "start" | "stop" | "both",
  ): Pick<GPUComputePassDescriptor, "timestampWrites"> {
    if (slot === null) return {};
    return {
      timestampWrites: {
        querySet: this.#timestamps,
        ...(ends === "stop" ? {} : { beginningOfPassWriteIndex: 2 * slot }),
        ...(ends === "start" ? {} : { endOfPassWriteIndex: 2 * slot + 1 }),
      },
    };
  }

  /**
   * Resolves the timestamps of each piece of work with it: those of dropped work are never written.
   */
  #resolve(encoder: GPUCommandEncoder, slot: number | null): void {
    if (slot === null) return;
    encoder.resolveQuerySet(this.#timestamps, 2 * slot, 2, this.#resolved, RESOLVE_BYTES * slot);
  }

  async #spans(): Promise<{ label: string; start: bigint; ticks: number }[]> {
    const labels = this.#labels.splice(0);
    if (labels.length === 0) return [];
    const bytes = RESOLVE_BYTES * labels.length;
    const encoder = this.#encoder();
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, bytes);
    encoder.clearBuffer(this.#resolved, 0, bytes);
    this.#device.gpu.queue.submit([encoder.finish()]);
    const range = { buffer: this.#staging, byteStart: 0, bytes };
    const words = new BigUint64Array((await this.#device.reads.read([range]))[0]!);
    return labels.flatMap((label, slot) => {
      const at = slot * RESOLVE_BYTES / words.BYTES_PER_ELEMENT;
      const [start, stop] = [words[at]!, words[at + 1]!];
      return stop === 0n ? [] : [{ label, start, ticks: Number(stop - start) }];
    });
  }

  async #read(): Promise<Reading> {
    const encoder = this.#encoder();
    this.timeBetween(encoder, "clock", () => {});
    const hostMs = performance.now();
    this.#device.gpu.queue.submit([encoder.finish()]);
    const [clock] = await this.#spans();
    return { hostMs, ticks: clock!.start };
  }
}
