/**
 * A line on stderr that tells how far the work is.
 *
 * @module
 */

import type { RunStats } from "../mod.ts";
import { formatBytes, formatElapsed, formatRows } from "./quantities.ts";
import { terminalColumns } from "./terminal.ts";

const encoder = new TextEncoder();
const clearLine = "\r\x1b[K";
const everyMs = 100;

/** A progress line that is being drawn. */
export interface Progress extends Disposable {
  /** Stops drawing and leaves the line empty. */
  stop(): void;
}

/** Draws what `runs` says, ten times a second, until it is stopped. */
export function showProgress(runs: readonly RunStats[]): Progress {
  const start = performance.now();
  let drawn = false;
  const timer = setInterval(() => {
    const run = runs.at(-1);
    if (run === undefined) return;
    const line = progressLine(run, performance.now() - start);
    // A line that wraps could not be cleared.
    write(clearLine + line.slice(0, terminalColumns(Deno.stderr) - 1));
    drawn = true;
  }, everyMs);
  Deno.unrefTimer(timer);
  const stop = () => {
    clearInterval(timer);
    if (drawn) write(clearLine);
    drawn = false;
  };
  return { stop, [Symbol.dispose]: stop };
}

function progressLine(run: RunStats, elapsedMs: number): string {
  const read = `${formatRows(run.numRowsIn)} in (${formatBytes(run.bytesIn)})`;
  return `${read}, ${formatRows(run.numRowsOut)} out, ${formatElapsed(elapsedMs)}`;
}

function write(text: string): void {
  Deno.stderr.writeSync(encoder.encode(text));
}
