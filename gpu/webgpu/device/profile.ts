/**
 * What kernels and copies take on the device, by its own clock. For benches: while a profile runs, each
 * dispatch is a pass of its own, since timestamps stand at the ends of passes only.
 *
 * @module
 */

/** What one dispatch, copy or clear took. */
export interface TimedWork {
  /** The label of the kernel; "copy" or "clear" else. */
  readonly label: string;
  readonly elapsedMs: number;
}

/** What was recorded since the last time that somebody asked. */
export interface Timings {
  /** In the order in which they were recorded. */
  readonly works: readonly TimedWork[];
  /** Works for which there were no timestamps left. */
  readonly numUntimed: number;
}

/** Works that are timed before somebody asks: a set of timestamps has 4,096 at most. */
const MAX_WORKS = 2048;

/** Timestamps are resolved to a multiple of so many bytes. */
const RESOLVE_BYTES = 256;

/** How long the two clocks are held against each other, and how exact that is. */
const CALIBRATION_MS = 100;
const CALIBRATION_ERROR = 0.03;

const NANOSECOND = 1e-6;

// QUERY_RESOLVE, COPY_SRC, COPY_DST; MAP_READ, COPY_DST
const RESOLVED_USAGE = 0x200 | 0x04 | 0x08;
const STAGING_USAGE = 0x01 | 0x08;

/** Timestamps of one device. */
export class Profile {
  readonly #gpu: GPUDevice;
  readonly #timestamps: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #staging: GPUBuffer;
  /** Of the works that have timestamps, in order. */
  readonly #labels: string[] = [];
  #numUntimed = 0;
  /** What a tick of the device's clock is; WebGPU says a nanosecond, some drivers say otherwise. */
  #tickMs = NANOSECOND;

  private constructor(gpu: GPUDevice) {
    this.#gpu = gpu;
    const label = "profile";
    const size = MAX_WORKS * RESOLVE_BYTES;
    this.#timestamps = gpu.createQuerySet({ label, type: "timestamp", count: 2 * MAX_WORKS });
    this.#resolved = gpu.createBuffer({ label, size, usage: RESOLVED_USAGE });
    this.#staging = gpu.createBuffer({ label, size, usage: STAGING_USAGE });
  }

  /** A profile of a device; null where it has no timestamps. */
  static async start(gpu: GPUDevice): Promise<Profile | null> {
    if (!gpu.features.has("timestamp-query")) return null;
    const profile = new Profile(gpu);
    await profile.#calibrate();
    return profile;
  }

  /** Records a pass of its own for one dispatch. */
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

  /** Records what needs no pass, between the timestamps of two that are empty. */
  timeBetween(encoder: GPUCommandEncoder, label: string, record: () => void): void {
    const slot = this.#slotFor(label);
    encoder.beginComputePass({ label, ...this.#writes(slot, "start") }).end();
    record();
    encoder.beginComputePass({ label, ...this.#writes(slot, "stop") }).end();
    this.#resolve(encoder, slot);
  }

  /** Waits for all that was submitted, and gives what it took. What was never submitted is left out. */
  async take(): Promise<Timings> {
    const spans = await this.#spans();
    const works = spans.map(({ label, ticks }) => ({ label, elapsedMs: ticks * this.#tickMs }));
    const numUntimed = this.#numUntimed;
    this.#numUntimed = 0;
    return { works, numUntimed };
  }

  /** Frees the timestamps. */
  destroy(): void {
    this.#timestamps.destroy();
    this.#resolved.destroy();
    this.#staging.destroy();
  }

  #slotFor(label: string): number | null {
    if (this.#labels.length === MAX_WORKS) {
      this.#numUntimed++;
      return null;
    }
    return this.#labels.push(label) - 1;
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

  /** One by one, with the work that they are about: those of work that is dropped are never written. */
  #resolve(encoder: GPUCommandEncoder, slot: number | null): void {
    if (slot === null) return;
    encoder.resolveQuerySet(this.#timestamps, 2 * slot, 2, this.#resolved, RESOLVE_BYTES * slot);
  }

  async #spans(): Promise<{ label: string; start: bigint; ticks: number }[]> {
    const labels = this.#labels.splice(0);
    if (labels.length === 0) return [];
    const bytes = RESOLVE_BYTES * labels.length;
    const encoder = this.#gpu.createCommandEncoder({ label: "profile" });
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#staging, 0, bytes);
    encoder.clearBuffer(this.#resolved, 0, bytes);
    this.#gpu.queue.submit([encoder.finish()]);
    await this.#staging.mapAsync(0x01, 0, bytes);
    const words = new BigUint64Array(this.#staging.getMappedRange(0, bytes)).slice();
    this.#staging.unmap();
    return labels.flatMap((label, slot) => {
      const at = slot * RESOLVE_BYTES / words.BYTES_PER_ELEMENT;
      const [start, stop] = [words[at]!, words[at + 1]!];
      return stop === 0n ? [] : [{ label, start, ticks: Number(stop - start) }];
    });
  }

  /** Holds the device's clock against the host's, over two works that begin some time apart. */
  async #calibrate(): Promise<void> {
    const first = await this.#now();
    await new Promise((resolve) => setTimeout(resolve, CALIBRATION_MS));
    const last = await this.#now();
    const tickMs = (last.hostMs - first.hostMs) / Number(last.ticks - first.ticks);
    // The host's clock is read before the device begins, so it is right within some percent only.
    const isNanosecond = Math.abs(tickMs / NANOSECOND - 1) < CALIBRATION_ERROR;
    this.#tickMs = isNanosecond || !(tickMs > 0 && tickMs < Infinity) ? NANOSECOND : tickMs;
  }

  async #now(): Promise<{ hostMs: number; ticks: bigint }> {
    const encoder = this.#gpu.createCommandEncoder({ label: "profile clock" });
    this.timeBetween(encoder, "clock", () => {});
    const hostMs = performance.now();
    this.#gpu.queue.submit([encoder.finish()]);
    const [clock] = await this.#spans();
    return { hostMs, ticks: clock!.start };
  }
}
