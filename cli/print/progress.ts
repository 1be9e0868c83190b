/**
 * Shows progress on stderr.
 *
 * @module
 */

import { formatDuration, formatRows } from "./quantities.ts";
import { formatBytes, formatCount } from "../../base/quantities.ts";
import { displayWidth, printError, statusLine, terminalColumns } from "./terminal.ts";
import type { RunStats, SourceSize } from "../../mod.ts";
import { environmentVariable } from "../../base/settings/environment.ts";
import { showControls } from "../../base/show_controls.ts";

/** The time between two redraws, and between two lines if stderr cannot redraw. */
const tickMs = 100;
const lineMs = 1000;
/** The time before progress is shown. */
const firstMs = 300;

interface Progress extends Disposable {
  /** Stops, and leaves an empty line. */
  stop(): void;
}

/** Whether stderr is a terminal that can redraw a line. */
export function canDraw(): boolean {
  return Deno.stderr.isTerminal() && environmentVariable("TERM") !== "dumb";
}

/**
 * Whether progress is shown by default: stderr can redraw a line, and stdout is not read by another program,
 * which might print on the same terminal.
 */
export async function isShownUnasked(): Promise<boolean> {
  if (!canDraw()) return false;
  if (Deno.stdout.isTerminal()) return true;
  // Deno's own stat needs a permission.
  const { fstatSync } = await import("node:fs");
  const stdout = fstatSync(1);
  return !stdout.isFIFO() && !stdout.isSocket();
}

/**
 * Shows the progress of `runs` until stopped: one line, redrawn ten times a second, or a new line every
 * second if stderr cannot redraw.
 */
export function showProgress(runs: readonly RunStats[]): Progress {
  const watched = new Map<RunStats, Watched>();
  let latest: RunStats | undefined;
  return showLines((elapsedMs) => {
    // A run on which another waits, such as the build side of a join, began later. Rows that a write
    // passes on have no size of their own.
    const going = runs.filter(({ ended }) => !ended);
    const run = going.findLast(({ bytesPresent }) => bytesPresent !== undefined) ??
      going.at(-1) ?? latest ?? runs.at(-1);
    if (run === undefined) return undefined;
    latest = run;
    if (!watched.has(run)) watched.set(run, watch(run));
    const { pace, size } = watched.get(run)!;
    pace.add({ atMs: elapsedMs, numRows: run.numRowsIn, numBytes: run.bytesIn });
    return (columns) => pace.line(size, elapsedMs, columns);
  });
}

/** Records the current state. Returns a function that formats its line; undefined if there is none yet. */
type Look = (elapsedMs: number) => ((columns?: number) => string) | undefined;

/** Shows the lines of `look` until stopped, as `showProgress` does. */
export function showLines(look: Look): Progress {
  const start = performance.now();
  const draws = canDraw();
  let nextLineMs = lineMs;
  const tick = () => {
    const elapsedMs = performance.now() - start;
    const line = elapsedMs < firstMs ? undefined : look(elapsedMs);
    if (line === undefined) return;
    if (draws) statusLine.draw(line(terminalColumns(Deno.stderr) - 1));
    else if (elapsedMs >= nextLineMs) {
      nextLineMs = elapsedMs + lineMs;
      printError([line()]);
    }
  };
  if (draws) statusLine.open();
  const timer = setInterval(tick, tickMs);
  Deno.unrefTimer(timer);
  const stop = () => {
    clearInterval(timer);
    if (draws) statusLine.close();
  };
  return { stop, [Symbol.dispose]: stop };
}

/** A watched run. Its size arrives later, if at all. */
interface Watched {
  readonly pace: Pace;
  size: SourceSize | undefined;
}

function watch(run: RunStats): Watched {
  const watched: Watched = { pace: new Pace(), size: undefined };
  run.sourceSize().then((size) => watched.size = size, () => {});
  return watched;
}

/** The progress of a run at one moment. */
export interface Sample {
  /** Milliseconds since any fixed time. */
  readonly atMs: number;
  readonly numRows: number;
  readonly numBytes: number;
}

/** The time over which speed is measured. */
const windowMs = 5000;
/** The least time after which a speed is shown. */
const leastMs = 300;

/** The progress and the speed of one run. */
export class Pace {
  readonly #samples: Sample[] = [];

  add(sample: Sample): void {
    this.#samples.push(sample);
    while (this.#samples.length > 2 && sample.atMs - this.#samples[1]!.atMs >= windowMs) {
      this.#samples.shift();
    }
  }

  /** Returns the progress line, the most important parts first; drops parts that do not fit into `columns`. */
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

/** Returns the completed share, from 0 to 1: of rows if their number is known, else of bytes. */
function doneOf({ numRows, numBytes }: Sample, size: SourceSize | undefined): number | undefined {
  if (size?.numRows !== undefined) return size.numRows === 0 ? 1 : share(numRows, size.numRows);
  return size?.numBytes === undefined || size.numBytes === 0
    ? undefined
    : share(numBytes, size.numBytes);
}

/** Returns a share, at most 1: metadata may be wrong, and a file may grow. */
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

/** Joins the parts of a line, the most important first; drops those that do not fit into `columns`. */
export function fitted(parts: readonly string[], columns: number): string {
  let line = parts[0]!;
  for (const part of parts.slice(1)) {
    const longer = `${line}, ${part}`;
    if (displayWidth(longer) > columns) break;
    line = longer;
  }
  return line;
}
