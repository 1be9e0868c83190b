/**
 * Yields to the event loop at intervals.
 *
 * @module
 */

import { turnOfEventLoop } from "../../base/event_loop.ts";

const everyMs = 50;
let lastTurn = performance.now();

/**
 * Yields to timers, signals and other tasks if that has not happened for a while: a loop over
 * batches in memory never waits, and would starve them. Returns undefined if it is not due yet,
 * which costs only a look at the clock.
 */
export function turnOfOthers(): Promise<void> | undefined {
  if (performance.now() - lastTurn < everyMs) return undefined;
  return turnOfEventLoop().then(() => {
    lastTurn = performance.now();
  });
}
