/**
 * Tells on stderr how far the work is.
 *
 * @module
 */

import type { RunStats, SourceSize } from "../mod.ts";
import { environmentVariable } from "../ops/engine/environment.ts";
import { printError } from "./print.ts";
import { Pace } from "./progress_line.ts";
import { statusLine } from "./status_line.ts";
import { terminalColumns } from "./terminal.ts";

/** Between two drawings, and between two lines where nothing can be drawn over. */
const tickMs = 100;
const lineMs = 1000;
/** What is done by then needs no line. */
const firstMs = 300;

/** Progress that is being told. */
interface Progress extends Disposable {
  /** Tells no more, and leaves an empty line. */
  stop(): void;
}

/** Whether stderr is a terminal that can draw over a line. */
export function canDraw(): boolean {
  return Deno.stderr.isTerminal() && environmentVariable("TERM") !== "dumb";
}

/**
 * Tells what `runs` say until it is stopped: a line that is drawn over itself ten times a second, or,
 * where stderr is no terminal or a dumb one, a line of its own every second.
 */
export function showProgress(runs: readonly RunStats[]): Progress {
  const start = performance.now();
  const draws = canDraw();
  const watched = new Map<RunStats, Watched>();
  let latest: RunStats | undefined;
  let nextLineMs = lineMs;
  const tick = () => {
    const elapsedMs = performance.now() - start;
    // Runs that others wait for, as a join for its build side, began later.
    const run = runs.findLast(({ ended }) => !ended) ?? latest ?? runs.at(-1);
    if (run === undefined || elapsedMs < firstMs) return;
    latest = run;
    if (!watched.has(run)) watched.set(run, watch(run));
    const { pace, size } = watched.get(run)!;
    pace.add({ atMs: elapsedMs, numRows: run.numRowsIn, numBytes: run.bytesIn });
    if (draws) statusLine.draw(pace.line(size, elapsedMs, terminalColumns(Deno.stderr) - 1));
    else if (elapsedMs >= nextLineMs) {
      nextLineMs = elapsedMs + lineMs;
      printError([pace.line(size, elapsedMs)]);
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

/** A run that is looked at; how much there is of it is known a little later, if at all. */
interface Watched {
  readonly pace: Pace;
  size: SourceSize | undefined;
}

function watch(run: RunStats): Watched {
  const watched: Watched = { pace: new Pace(), size: undefined };
  run.sourceSize().then((size) => watched.size = size, () => {});
  return watched;
}
