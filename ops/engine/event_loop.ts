/**
 * Yields to the event loop now and then.
 *
 * @module
 */

// Taken now: a program may put a clock of its own in the place of the global one later.
const { setTimeout } = globalThis;
const everyMs = 50;
let lastTurn = performance.now();

/**
 * Lets timers, signals and the rest of the program run where they have not for a while: batches
 * that lie in memory, or that a decoder gives one after the other, wait for nothing. Undefined
 * where it is not time yet, which costs a look at the clock.
 */
export function turnOfOthers(): Promise<void> | undefined {
  if (performance.now() - lastTurn < everyMs) return undefined;
  return new Promise((resolve) => {
    setTimeout(() => {
      lastTurn = performance.now();
      resolve();
    }, 0);
  });
}
