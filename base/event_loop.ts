/**
 * Waits for a turn of the event loop.
 *
 * @module
 */

// Captured, so that fake timers of a program do not replace them. Browsers have no setImmediate.
const { setImmediate, setTimeout } = globalThis as {
  setImmediate?: (then: () => void) => unknown;
  setTimeout: (then: () => void) => unknown;
};

/** Whether a turn takes microseconds; a timer of 0 ms takes one millisecond or two. */
export const hasShortTurns: boolean = setImmediate !== undefined;

/**
 * Waits until the event loop has run everything that is ready: timers that are due, signals, and errors
 * that the runtime reports.
 */
export async function turnOfEventLoop(): Promise<void> {
  if (setImmediate === undefined) {
    await new Promise<void>((resolve) => setTimeout(resolve));
    return;
  }
  // The first may arrive at the end of a turn that began earlier.
  for (let turn = 0; turn < 2; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
