/**
 * A turn for the rest of the program.
 *
 * @module
 */

// Held here, so that a program may put clocks of its own in their place.
const { setTimeout } = globalThis;
const everyMs = 50;
let lastTurn = performance.now();

/**
 * Lets timers, signals and what else the program does have their turn, where they had none for a
 * while: batches that lie in memory, or that a decoder gives one after the other, wait for nothing.
 * Undefined where it is not time yet, which costs a look at the clock.
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
