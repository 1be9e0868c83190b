/**
 * The progress of `rechunk run`: the completed share, and the current array and stage.
 *
 * @module
 */

import { showControls } from "../../base/show_controls.ts";
import { fitted } from "../print/progress.ts";
import { formatDuration } from "../print/quantities.ts";
import { formatBytes } from "../../base/quantities.ts";

/** The time over which speed is measured, long enough for reads and writes of boxes, which alternate. */
const windowMs = 20_000;
/** The least time after which a speed is shown. */
const leastMs = 300;

/** The current work. */
interface CurrentStage {
  /** The current array: "air". */
  readonly name: string;
  /** "stage 2 of 4", or "copied". */
  readonly label: string;
  /** Bytes read and written in this stage so far. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Bytes of the earlier stages. */
  readonly bytesBefore: number;
}

/** The progress of a run at one moment. */
interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

/** Counts the bytes that a run has read and written, out of the total. */
export class RechunkPace {
  readonly #totalBytes: number;
  readonly #samples: Sample[] = [];
  #bytesBefore = 0;
  #stage: CurrentStage | undefined;

  /** `totalBytes` is the sum over all arrays and stages. */
  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /** Notes the progress of the current array. */
  set(stage: CurrentStage): void {
    this.#stage = stage;
  }

  /** Notes that all bytes of an array are done. */
  next(arrayBytes: number): void {
    this.#bytesBefore += arrayBytes;
    this.#stage = undefined;
  }

  /** The bytes done so far. */
  get bytes(): number {
    const { bytesBefore = 0, bytes = 0 } = this.#stage ?? {};
    return this.#bytesBefore + bytesBefore + bytes;
  }

  /** Adds a sample at this time, to measure the speed. */
  add(atMs: number): void {
    this.#samples.push({ atMs, bytes: this.bytes });
    while (this.#samples.length > 2 && atMs - this.#samples[1]!.atMs >= windowMs) {
      this.#samples.shift();
    }
  }

  /** Returns the progress line, the most important parts first; drops parts that do not fit into `columns`. */
  line(elapsedMs: number, columns = Infinity): string {
    const { bytes } = this;
    const [first] = this.#samples;
    const passedMs = elapsedMs - (first?.atMs ?? elapsedMs);
    const gained = bytes - (first?.bytes ?? 0);
    const parts = [
      `${this.#totalBytes === 0 ? 100 : Math.floor(100 * bytes / this.#totalBytes)}%`,
      formatDuration(elapsedMs),
    ];
    if (passedMs >= leastMs && gained > 0) {
      const left = (this.#totalBytes - bytes) * passedMs / gained;
      parts.push(`${formatDuration(left)} left`);
    }
    if (this.#stage !== undefined) parts.push(...stageParts(this.#stage));
    if (passedMs >= leastMs) parts.push(`${formatBytes(Math.round(1000 * gained / passedMs))}/s`);
    return fitted(parts, columns);
  }
}

function stageParts({ name, label, bytes, totalBytes }: CurrentStage): string[] {
  const share = `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`;
  return [`${showControls(name)} ${label}`, share];
}
