/**
 * What a progress line says.
 *
 * @module
 */

import type { SourceSize } from "../mod.ts";
import { showControls } from "../streams/show_controls.ts";
import { displayWidth } from "./display_width.ts";
import { formatBytes, formatCount, formatDuration, formatRows } from "./quantities.ts";

/** How far a run was at one moment. */
export interface Sample {
  /** Milliseconds, of any clock. */
  readonly atMs: number;
  readonly numRows: number;
  readonly numBytes: number;
}

/** Speed is that of the last seconds. */
const windowMs = 5000;
/** Below this there is no saying how fast it goes. */
const leastMs = 300;

/** How far one run is, and how fast it goes. */
export class Pace {
  readonly #samples: Sample[] = [];

  /** Adds what is known now. */
  add(sample: Sample): void {
    this.#samples.push(sample);
    while (this.#samples.length > 2 && sample.atMs - this.#samples[1]!.atMs >= windowMs) {
      this.#samples.shift();
    }
  }

  /**
   * Says it, the most important first: what does not fit into so many columns is left out from the
   * end.
   */
  line(size: SourceSize | undefined, elapsedMs: number, columns = Infinity): string {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    const parts = [formatDuration(elapsedMs)];
    if (first !== undefined && last !== undefined) {
      const passedMs = last.atMs - first.atMs;
      const done = doneOf(last, size);
      if (done !== undefined) parts.unshift(`${Math.floor(100 * done)}%`);
      const left = done === undefined ? undefined : leftMs(done, doneOf(first, size)!, passedMs);
      if (left !== undefined) parts.push(`${formatDuration(left)} left`);
      parts.push(rowsOf(last, size));
      const rowsPerMs = (last.numRows - first.numRows) / passedMs;
      if (passedMs >= leastMs) parts.push(`${formatCount(Math.round(1000 * rowsPerMs))} rows/s`);
      if (done === undefined && last.numBytes > 0) parts.push(formatBytes(last.numBytes));
    }
    if (size !== undefined) parts.push(showControls(size.name.replace(/^.*[\\/]/, "")));
    return fitted(parts, columns);
  }
}

/** The share that is done, 0 to 1, by rows where they are known, else by bytes. */
function doneOf({ numRows, numBytes }: Sample, size: SourceSize | undefined): number | undefined {
  if (size?.numRows !== undefined) return size.numRows === 0 ? 1 : share(numRows, size.numRows);
  return size?.numBytes === undefined || size.numBytes === 0
    ? undefined
    : share(numBytes, size.numBytes);
}

/** Metadata may be wrong, and a file may grow. */
function share(part: number, whole: number): number {
  return Math.min(1, part / whole);
}

function leftMs(done: number, doneBefore: number, passedMs: number): number | undefined {
  const gained = done - doneBefore;
  return gained > 0 && passedMs >= leastMs ? (1 - done) * passedMs / gained : undefined;
}

function rowsOf({ numRows }: Sample, size: SourceSize | undefined): string {
  return size?.numRows === undefined
    ? formatRows(numRows)
    : `${formatCount(numRows)} of ${formatRows(size.numRows)}`;
}

function fitted(parts: readonly string[], columns: number): string {
  let line = parts[0]!;
  for (const part of parts.slice(1)) {
    const longer = `${line}, ${part}`;
    if (displayWidth(longer) > columns) break;
    line = longer;
  }
  return line;
}
