/**
 * Turns of the event loop.
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
 * Waits until the event loop has run everything that is ready: due timers, signals, and errors that the
 * runtime reports.
 */
export async function turnOfEventLoop(): Promise<void> {
  if (setImmediate === undefined) {
    await new Promise<void>((resolve) => setTimeout(resolve));
    return;
  }
  // The first callback may run at the end of a turn that had already begun.
  for (let turn = 0; turn < 2; turn++) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
